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
  bool waited = false;              // some were not in memory
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
/// more than `max_bytes` are errors. Files that are read again and again are kept in `mapped`, unless that is null.
Pieces read_pieces(Pool& pool, const std::vector<Piece>& pieces, int64_t max_bytes, PieceParser* parser,
                   MappedFiles* mapped);

/// Has the system bring pieces that are read soon into memory, without waiting for them; no more than `max_bytes`.
/// False where all were there already. Files that cannot be opened are left to those who read them.
bool fetch_pieces(Pool& pool, const std::vector<Piece>& pieces, int64_t max_bytes);

/// A file of which only the bytes asked for are read. Throws where it cannot be opened.
class FileBytes : public ReadBytes {
 public:
  explicit FileBytes(const std::string& path);
  int64_t size() const override { return size_; }
  void read(std::byte* out, int64_t offset, int64_t n) override;
  bool try_read(std::byte* out, int64_t offset, int64_t n) override;
  /// As that of the handle.
  bool fetch(int64_t offset, int64_t n) const { return file_.fetch(offset, n); }
  bool fetch_stretch(int64_t offset, int64_t n) const { return file_.fetch_stretch(offset, n); }

 private:
  // False where it would have to wait, and does not.
  bool read_all(std::byte* out, int64_t offset, int64_t n, bool waits) const;

  FileHandle file_;
  int64_t size_ = 0;
};

}  // namespace penstock
