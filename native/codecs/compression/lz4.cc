#include "codecs/compression/lz4.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

namespace penstock {
namespace {

// A block is a series of: a token with two lengths, literal bytes, and how far back to copy from. The last has literals
// only.
class Block {
 public:
  Block(std::span<std::byte> out, std::span<const std::byte> in) : out_(out), in_(in) {}

  void inflate() {
    for (;;) {
      const uint8_t token = byte();
      literals(length(token >> 4));
      if (at_ == in_.size()) break;
      const size_t low = byte(), high = byte();
      match(high << 8 | low, length(token & kLongest) + kShortestMatch);
    }
    if (made_ != out_.size())
      throw std::runtime_error("the LZ4 data inflates to " + std::to_string(made_) + " bytes, but the shape asks for " +
                               std::to_string(out_.size()));
  }

 private:
  static constexpr size_t kLongest = 15;  // in a token; more follows in bytes of its own
  static constexpr size_t kShortestMatch = 4;
  static constexpr size_t kChunk = 16;

  unsigned byte() {
    if (at_ == in_.size()) throw std::runtime_error("the LZ4 data ends too early");
    return static_cast<unsigned>(in_[at_++]);
  }

  size_t length(size_t from_token) {
    size_t length = from_token;
    if (from_token == kLongest) {
      unsigned more;
      do length += more = byte();
      while (more == 255);
    }
    return length;
  }

  void need_room(size_t bytes) const {
    if (bytes > out_.size() - made_)
      throw std::runtime_error("the LZ4 data inflates to more than the " + std::to_string(out_.size()) +
                               " bytes the shape asks for");
  }

  void literals(size_t count) {
    if (count > in_.size() - at_) throw std::runtime_error("the LZ4 data ends too early");
    need_room(count);
    if (count <= kChunk && in_.size() - at_ >= kChunk && out_.size() - made_ >= kChunk)
      std::memcpy(out_.data() + made_, in_.data() + at_, kChunk);
    else if (count)
      std::memcpy(out_.data() + made_, in_.data() + at_, count);
    at_ += count;
    made_ += count;
  }

  // What is copied may overlap what is being written: bytes just made are then repeated.
  void match(size_t back, size_t count) {
    if (back == 0 || back > made_)
      throw std::runtime_error("the LZ4 data refers " + std::to_string(back) + " bytes back, where " +
                               std::to_string(made_) + " have been made");
    need_room(count);
    std::byte* to = out_.data() + made_;
    const std::byte* from = to - back;
    made_ += count;
    if (out_.size() - made_ >= kChunk) {  // room to write a little more than is asked for
      if (back >= kChunk) return copy<kChunk>(to, from, count);
      if (back >= kChunk / 2) return copy<kChunk / 2>(to, from, count);
    }
    while (count) {
      const size_t piece = std::min(back, count);
      std::memcpy(to, from, piece);
      to += piece;
      back += piece;
      count -= piece;
    }
  }

  // In pieces of a fixed size, which are a load and a store each; the last may reach beyond `count`.
  template <size_t kPiece>
  static void copy(std::byte* to, const std::byte* from, size_t count) {
    for (size_t done = 0; done < count; done += kPiece) std::memcpy(to + done, from + done, kPiece);
  }

  // The two positions are apart: side by side they were added to as one vector, and each load of that had to wait for
  // the store before it. Blocks of short sequences took 1.7 times as long.
  std::span<std::byte> out_;
  size_t made_ = 0;
  std::span<const std::byte> in_;
  size_t at_ = 0;
};

}  // namespace

void inflate_lz4(std::span<std::byte> out, std::span<const std::byte> in) { Block(out, in).inflate(); }

}  // namespace penstock
