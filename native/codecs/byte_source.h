// Bytes to be decoded, wherever they are. Decoders ask for what they need of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace penstock {

using Bytes = std::span<const std::byte>;

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual int64_t size() const = 0;
  /// Whether the system goes on by itself to fetch from a disk what follows, where one stretch is read after the other.
  virtual bool is_read_ahead() const { return false; }

  /// `n` bytes from `offset` on: in the source's own memory, or brought into `buffer`. Throws where they cannot be
  /// had; what lies beyond the end is not asked for.
  virtual const std::byte* bytes(int64_t offset, int64_t n, std::vector<std::byte>& buffer) = 0;
  /// The same, into memory of the caller's.
  virtual void read(std::byte* out, int64_t offset, int64_t n) {
    std::vector<std::byte> buffer;
    std::memcpy(out, bytes(offset, n, buffer), n);
  }
  /// The same where nobody has to wait for a disk. Else false: the system fetches the bytes meanwhile, and `out` may
  /// have some of them.
  virtual bool try_read(std::byte* out, int64_t offset, int64_t n) {
    read(out, offset, n);
    return true;
  }
};

/// Bytes that are not in memory: they are read, and `bytes` brings them there.
class ReadBytes : public ByteSource {
 public:
  const std::byte* bytes(int64_t offset, int64_t n, std::vector<std::byte>& buffer) override {
    if (static_cast<int64_t>(buffer.size()) < n) buffer.resize(n);
    read(buffer.data(), offset, n);
    return buffer.data();
  }
  void read(std::byte* out, int64_t offset, int64_t n) override = 0;
};

/// Bytes somebody else keeps in memory.
class MemoryBytes : public ByteSource {
 public:
  explicit MemoryBytes(std::span<const std::byte> bytes) : bytes_(bytes) {}
  int64_t size() const override { return static_cast<int64_t>(bytes_.size()); }
  const std::byte* bytes(int64_t offset, int64_t, std::vector<std::byte>&) override { return bytes_.data() + offset; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace penstock
