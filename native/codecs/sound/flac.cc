#include "codecs/sound/flac.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "codecs/sound/bit_reader.h"

namespace penstock {
namespace {

constexpr int64_t kWindow = 64 << 10, kDescription = 34;

template <typename T, typename Convert>
void interleave(T* out, const int32_t* in, int64_t n, int channels, Convert convert) {
  for (int64_t i = 0; i < n; ++i) out[i * channels] = convert(in[i]);
}

/// One channel of n frames, beginning at `in`.
void store(std::byte* out, DType dtype, const int32_t* in, int64_t n, int channel, const FlacStream& stream) {
  const int channels = stream.channels, up = 32 - stream.bits;
  const auto widened = [up](int32_t x) { return static_cast<int32_t>(static_cast<uint32_t>(x) << up); };
  if (dtype == DType::i16)
    interleave(reinterpret_cast<int16_t*>(out) + channel, in, n, channels,
               [=](int32_t x) { return static_cast<int16_t>(widened(x) >> 16); });
  else if (dtype == DType::i32)
    interleave(reinterpret_cast<int32_t*>(out) + channel, in, n, channels, widened);
  else
    interleave(reinterpret_cast<float*>(out) + channel, in, n, channels,
               [=](int32_t x) { return static_cast<float>(widened(x)) * 0x1p-31f; });
}

}  // namespace

std::optional<FlacHeader> find_flac_header(ByteSource& bytes) {
  constexpr int64_t kFirst = 8 + kDescription;
  std::vector<std::byte> buffer;
  if (bytes.size() < kFirst) return std::nullopt;
  const std::byte* start = bytes.bytes(0, kFirst, buffer);
  if (std::memcmp(start, "fLaC", 4) != 0 || (start[4] & std::byte{0x7F}) != std::byte{0}) return std::nullopt;
  BitReader in({start + 4, kFirst - 4});
  bool last = in.take(1);
  in.take(7);
  if (in.take(24) != kDescription) return std::nullopt;
  for (const int passed : {16, 16, 24, 24}) in.take(passed);
  FlacHeader header;
  header.rate = static_cast<int>(in.take(20));
  header.stream = {static_cast<int>(in.take(3)) + 1, static_cast<int>(in.take(5)) + 1};
  header.frames = static_cast<int64_t>(in.take(4)) << 32 | in.take(32);
  if (header.rate == 0 || header.frames == 0 || header.stream.bits > 24) return std::nullopt;
  header.offset = kFirst;
  while (!last) {
    if (bytes.size() - header.offset < 4) return std::nullopt;
    const std::byte* block = bytes.bytes(header.offset, 4, buffer);
    BitReader about({block, 4});
    last = about.take(1);
    about.take(7);
    header.offset += 4 + about.take(24);
  }
  return header;
}

Flac::Flac(std::unique_ptr<ByteSource> bytes, const FlacHeader& header)
    : bytes_(std::move(bytes)), stream_(header.stream), at_(header.offset), window_(kWindow) {
  format_ = {header.frames, header.stream.channels, header.rate, false};
  require_plausible(bytes_->size());
}

void Flac::decode_next() {
  while (true) {
    const int64_t left = std::max<int64_t>(bytes_->size() - at_, 0), n = std::min(window_, left);
    try {
      const std::byte* frame = n ? bytes_->bytes(at_, n, buffer_) : nullptr;
      at_ += static_cast<int64_t>(decode_flac_frame(block_, {frame, static_cast<size_t>(n)}, stream_));
      taken_ = 0;
      return;
    } catch (const OutOfBits& error) {
      if (n == left) fail(next_, error.what());
      window_ *= 4;
    } catch (const std::runtime_error& error) {
      fail(next_, error.what());
    }
  }
}

void Flac::seek(int64_t frame) {
  if (frame < next_) throw std::runtime_error("FLAC is decoded from its beginning on");
  while (next_ < frame) {
    if (taken_ == block_.frames) decode_next();
    const int64_t n = std::min(frame - next_, block_.frames - taken_);
    taken_ += n;
    next_ += n;
  }
}

void Flac::read(std::byte* out, DType dtype, int64_t frames) {
  while (frames > 0) {
    if (taken_ == block_.frames) decode_next();
    const int64_t n = std::min(frames, block_.frames - taken_);
    for (int c = 0; c < stream_.channels; ++c) store(out, dtype, block_.channel(c) + taken_, n, c, stream_);
    out += n * stream_.channels * item_bytes(dtype);
    taken_ += n;
    next_ += n;
    frames -= n;
  }
}

}  // namespace penstock
