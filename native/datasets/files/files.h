// Reads files, or parts of files, for a batch: what every reader of local data stands on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "codecs/byte_source.h"
#include "memory/samples.h"
#include "os/file.h"
#include "runtime/pool.h"

namespace penstock {

struct Piece {
  std::string path;
  int64_t offset = 0;
  int64_t length = -1;  // up to the end of the file
};

struct Pieces {
  Samples samples;
  std::vector<std::string> errors;  // by piece; an empty text where it was read
};

/// Takes pieces apart as they are read, each on the thread that read it: there they are still in the core's cache.
class PieceParser {
 public:
  virtual ~PieceParser() = default;
  /// How many pieces there are.
  virtual size_t size() const = 0;
  /// Must not throw. Called from several threads at once, for different pieces.
  virtual void take(size_t i, std::span<const std::byte> piece) = 0;
};

class MappedFiles;

/// The bytes of every piece as one u8 vector each, in one pooled block. An empty file is an empty sample. Pieces of
/// more than `max_bytes` are errors. Files that are read again and again may stay mapped.
Pieces read_pieces(Pool& pool, const std::vector<Piece>& pieces, int64_t max_bytes, PieceParser* parser,
                   MappedFiles* mapped);

/// A file of which only the bytes asked for are read. Throws where it cannot be opened.
class FileBytes : public ReadBytes {
 public:
  explicit FileBytes(const std::string& path);
  int64_t size() const override { return size_; }
  void read(std::byte* out, int64_t offset, int64_t n) override;
  bool try_read(std::byte* out, int64_t offset, int64_t n) override;

 private:
  // False where it would have to wait, and does not.
  bool read_all(std::byte* out, int64_t offset, int64_t n, bool waits) const;

  FileHandle file_;
  int64_t size_ = 0;
};

}  // namespace penstock
