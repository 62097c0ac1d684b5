// Where the records of a file begin and end, found by going from header to header.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/pool.h"

namespace penstock {

enum class RecordFormat : uint8_t { tfrecord, recordio };

/// Goes through a file with the windows on it that it is given; what lies between headers is not looked at.
class RecordWalk {
 public:
  RecordWalk(RecordFormat format, int64_t file_bytes) : format_(format), file_bytes_(file_bytes) {}

  bool ended() const { return next_ >= file_bytes_; }
  /// Where the next window begins.
  int64_t next() const { return next_; }
  /// Takes the headers in the bytes from `next()` on: at least one whole header, or up to the end of the file.
  void look(std::span<const std::byte> window);
  /// Throws where the file ended within a record.
  void finish() const;
  /// Offset and length of one record after the other.
  const std::vector<int64_t>& found() const { return found_; }

 private:
  /// How far it is from this header to the next.
  int64_t take(std::span<const std::byte> header);
  [[noreturn]] void fail(const std::string& why) const;

  RecordFormat format_;
  int64_t file_bytes_;
  int64_t next_ = 0;
  bool in_parts_ = false;
  std::vector<int64_t> found_;
};

struct RecordScan {
  std::vector<std::vector<int64_t>> found;  // by file, as in RecordWalk
  std::vector<std::string> errors;          // by file
};

RecordScan scan_record_files(Pool& pool, RecordFormat format, const std::vector<std::string>& paths);

}  // namespace penstock
