#include "datasets/records/record_files.h"

#include <algorithm>
#include <stdexcept>

#include "codecs/records/recordio.h"
#include "codecs/records/tf_record.h"
#include "datasets/files/files.h"

namespace penstock {
namespace {

// Many small records to a read, while a read for each large one still costs little.
constexpr int64_t kWindowBytes = 1 << 14;

std::vector<int64_t> scan(RecordFormat format, const std::string& path) {
  FileBytes file(path);
  RecordWalk walk(format, file.size());
  std::vector<std::byte> buffer;
  while (!walk.ended()) {
    const int64_t bytes = std::min(kWindowBytes, file.size() - walk.next());
    walk.look({file.bytes(walk.next(), bytes, buffer), static_cast<size_t>(bytes)});
  }
  walk.finish();
  return walk.found();
}

}  // namespace

void RecordWalk::look(std::span<const std::byte> window) {
  const int64_t begin = next_, header = format_ == RecordFormat::tfrecord ? kTFHeaderBytes : kRecordIOHeaderBytes;
  const int64_t end = begin + static_cast<int64_t>(window.size());
  do next_ += take(window.subspan(next_ - begin));
  while (next_ + header <= end);
}

int64_t RecordWalk::take(std::span<const std::byte> header) {
  int64_t bytes = 0;
  Part part = Part::whole;
  try {
    if (format_ == RecordFormat::tfrecord) {
      bytes = tf_payload_bytes(header) + kTFFrameBytes;
    } else {
      const RecordIOHeader read = recordio_header(header);
      bytes = read.bytes();
      part = read.part;
    }
  } catch (const std::exception& error) {
    fail(error.what());
  }
  if (bytes > file_bytes_ - next_)
    fail("the record takes " + std::to_string(bytes) + " bytes, the file has " + std::to_string(file_bytes_ - next_) +
         " more");
  if ((part == Part::middle || part == Part::last) != in_parts_) fail("the parts of a record do not follow each other");
  if (in_parts_)
    found_.back() += bytes;
  else
    found_.insert(found_.end(), {next_, bytes});
  in_parts_ = part == Part::first || part == Part::middle;
  return bytes;
}

void RecordWalk::finish() const {
  if (in_parts_) fail("the last record has no last part");
}

void RecordWalk::fail(const std::string& why) const {
  throw std::runtime_error("at index " + std::to_string(next_) + ": " + why);
}

RecordScan scan_record_files(Pool& pool, RecordFormat format, const std::vector<std::string>& paths) {
  RecordScan made{std::vector<std::vector<int64_t>>(paths.size()), std::vector<std::string>(paths.size())};
  pool.for_each(paths.size(), [&](size_t i, Scratch&) {
    try {
      made.found[i] = scan(format, paths[i]);
    } catch (const std::exception& error) {
      made.errors[i] = error.what();
    }
  });
  return made;
}

}  // namespace penstock
