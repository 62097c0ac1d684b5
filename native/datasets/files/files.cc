#include "datasets/files/files.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "datasets/files/mapped_files.h"
#include "memory/arena.h"
#include "memory/memory_limit.h"
#include "runtime/untouched_pages.h"

namespace penstock {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

// Only regular files have a size to read up to.
std::string measure(const FileStatus& status, int64_t& bytes) {
  if (status.kind == FileStatus::Kind::folder) return reason(EISDIR);
  if (status.kind != FileStatus::Kind::file) return "not a regular file";
  bytes = status.bytes;
  return {};
}

std::string measure(const std::string& path, int64_t& bytes) {
  FileStatus status;
  const int problem = file_status(path, status);
  return problem ? reason(problem) : measure(status, bytes);
}

std::string measure(const Piece& piece, int64_t file_bytes, int64_t& bytes) {
  const auto offset = static_cast<uint64_t>(piece.offset), size = static_cast<uint64_t>(file_bytes);
  // Offset and length come from index files: any numbers, whose sum is below 2^64.
  const uint64_t end = piece.length < 0 ? std::max(offset, size) : offset + static_cast<uint64_t>(piece.length);
  bytes = static_cast<int64_t>(end - offset);
  if (piece.offset >= 0 && end <= size) return {};
  return "the file has " + std::to_string(file_bytes) + " bytes, the sample ends at byte " + std::to_string(end);
}

template <typename Work>
std::string problem_of(const Work& work) {
  try {
    work();
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Beyond so many, files that are fetched by the system are opened again. That takes some microseconds each; but with
// more than 64 open, Linux makes a larger table of them, for which a program with several threads waits 8 to 24 ms.
constexpr size_t kFetchedOpen = 24;

// Neighbours in a list.
struct Run {
  size_t first, last;
};

// What is read at once is small enough to be in the cache still when it is taken apart.
constexpr int64_t kLongestRead = 1 << 18;
// Reading on to the next piece costs less than asking anew.
constexpr int64_t kLargestGap = 1 << 12;
// A thread opens a file once for that many reads, or bytes; few enough to leave some for the other threads: the last
// ones of a batch would else wait for one that has just begun.
constexpr size_t kReadsOfJob = 4;
// Fewer bytes are copied before another thread would have woken up. What has to wait for a disk is on its way for all
// reads at once; where systems cannot do that, the threads wait for few reads each.
constexpr int64_t kLeastBytesOfJob = 1 << 16;
constexpr int64_t kBytesOfJob = 1 << 18;

// Pieces that are so many or so large, with little between them, are a stretch, of which what follows is likely to be
// read next; also where they are picked at random from a window that moves through the file.
constexpr size_t kPiecesOfStretch = 8;
constexpr int64_t kBytesOfStretch = 1 << 19, kSpacing = 1 << 16;

bool is_stretch(size_t pieces, int64_t bytes, int64_t extent) {
  const bool is_window = pieces >= kPiecesOfStretch && extent / kSpacing <= static_cast<int64_t>(pieces);
  return is_window || ((pieces >= kPiecesOfStretch || bytes >= kBytesOfStretch) && extent <= 2 * bytes);
}

std::vector<Run> files_of(const std::vector<Piece>& pieces) {
  std::vector<Run> files;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (i && pieces[i].path == pieces[i - 1].path)
      ++files.back().last;
    else
      files.push_back({i, i + 1});
  }
  return files;
}

/// A batch of pieces on its way from the files into memory.
class Reading {
  struct Job {
    Run reads;        // of one file
    bool is_stretch;  // together with the other jobs of that file
  };

 public:
  Reading(Pool& pool, const std::vector<Piece>& pieces, int64_t max_bytes, PieceParser* parser, MappedFiles* mapped)
      : pieces_(pieces),
        max_bytes_(max_bytes),
        parser_(parser),
        mapped_(mapped),
        files_(files_of(pieces)),
        order_(pieces.size()),
        errors_(pieces.size()) {
    std::vector<Shape> shapes(pieces.size());
    pool.for_each(files_.size(), [&](size_t at, Scratch&) { measure_file(files_[at], shapes); });
    sort_pieces();
    find_reads(shapes);
    samples_ = make_room(std::move(shapes));
    touch_pages(pool, samples_);
    fetched_.resize(reads_.size());
    open_.resize(std::min(jobs_.size(), kFetchedOpen));
    pool.for_each(jobs_.size(), [&](size_t at, Scratch&) { read_job(at, false); });
    std::vector<size_t> left;
    for (size_t at = 0; at < jobs_.size(); ++at)
      if (is_fetched(jobs_[at].reads)) left.push_back(at);
    pool.for_each(left.size(), [&](size_t at, Scratch&) { read_job(left[at], true); });
    waited_ = !left.empty();
  }

  Pieces result() { return {std::move(samples_), std::move(errors_), waited_}; }

 private:
  void measure_file(Run file, std::vector<Shape>& shapes) {
    int64_t file_bytes = 0;
    const std::string error = measure(pieces_[file.first].path, file_bytes);
    for (size_t i = file.first; i < file.last; ++i) {
      shapes[i].ndim = 1;
      errors_[i] = error.empty() ? measure(pieces_[i], file_bytes, shapes[i][0]) : error;
      if (errors_[i].empty() && shapes[i][0] > max_bytes_)
        errors_[i] = problem_of([&] { require_memory("reading it", static_cast<double>(shapes[i][0]), max_bytes_); });
      if (!errors_[i].empty()) shapes[i][0] = 0;
    }
  }

  // Neighbours in a file need not follow one another: those in a page of an LMDB stand there from its end on.
  void sort_pieces() {
    std::iota(order_.begin(), order_.end(), size_t{0});
    const auto is_before = [&](size_t a, size_t b) { return pieces_[a].offset < pieces_[b].offset; };
    for (const Run& file : files_) {
      const auto first = order_.begin() + file.first, last = order_.begin() + file.last;
      if (!std::is_sorted(first, last, is_before)) std::stable_sort(first, last, is_before);
    }
  }

  void find_reads(const std::vector<Shape>& shapes) {
    for (const Run& file : files_) {
      const size_t first_read = reads_.size();
      int64_t bytes = 0;
      const auto end_of = [&](size_t piece) { return pieces_[piece].offset + shapes[piece][0]; };
      for (size_t k = file.first; k < file.last; ++k) {
        const size_t i = order_[k];
        if (!errors_[i].empty()) continue;
        const auto follows = [&](Run read) {
          const int64_t gap = pieces_[i].offset - end_of(order_[k - 1]);
          return read.last == k && gap >= 0 && gap <= kLargestGap &&
                 end_of(i) - pieces_[order_[read.first]].offset <= kLongestRead;
        };
        if (reads_.size() > first_read && follows(reads_.back()))
          ++reads_.back().last;
        else
          reads_.push_back({k, k + 1});
        bytes += shapes[i][0];
      }
      if (reads_.size() == first_read) continue;
      const int64_t extent = end_of(order_[reads_.back().last - 1]) - pieces_[order_[reads_[first_read].first]].offset;
      share_out(first_read, is_stretch(file.last - file.first, bytes, extent), shapes);
    }
  }

  // Puts the reads of a file from `first` on into jobs.
  void share_out(size_t first, bool is_stretch, const std::vector<Shape>& shapes) {
    const int64_t least = FileHandle::fetches() ? kLeastBytesOfJob : 0;
    int64_t bytes = 0;
    for (size_t at = first; at < reads_.size(); ++at) {
      const auto is_full = [&] {
        return bytes >= kBytesOfJob || (at - jobs_.back().reads.first >= kReadsOfJob && bytes >= least);
      };
      if (at == first || is_full()) {
        jobs_.push_back({{at, at}, is_stretch});
        bytes = 0;
      }
      ++jobs_.back().reads.last;
      for (size_t k = reads_[at].first; k < reads_[at].last; ++k) bytes += shapes[order_[k]][0];
    }
  }

  // Pieces of one read lie in memory as they do in the file, with what is between them.
  Samples make_room(std::vector<Shape> shapes) const {
    if (std::all_of(reads_.begin(), reads_.end(), [](const Run& read) { return read.last - read.first == 1; }))
      return Samples::empty(DType::u8, 1, std::move(shapes));
    std::vector<int64_t> places(shapes.size());
    int64_t end = 0;
    for (const Run& read : reads_) {
      const size_t first = order_[read.first], last = order_[read.last - 1];
      for (size_t k = read.first; k < read.last; ++k)
        places[order_[k]] = end + pieces_[order_[k]].offset - pieces_[first].offset;
      end = (places[last] + shapes[last][0] + 63) / 64 * 64;
    }
    const std::shared_ptr<std::byte> block = allocate(end);
    std::vector<std::byte*> data;
    for (const int64_t place : places) data.push_back(block.get() + place);
    return Samples::scattered(DType::u8, 1, std::move(shapes), std::move(data), block);
  }

  bool is_fetched(Run reads) const {
    return std::any_of(&fetched_[reads.first], &fetched_[reads.last - 1] + 1, [](char fetched) { return fetched; });
  }

  // First what is in memory. The rest is then on its way for the whole batch at once, and not for the few reads that
  // there are threads for: disks are fast only with many requests.
  void read_job(size_t number, bool waits) {
    const Run job = jobs_[number].reads;
    std::unique_ptr<ByteSource> file = number < open_.size() ? std::move(open_[number]) : nullptr;
    const std::string closed = problem_of([&] {
      if (!file) file = open_file(mapped_, pieces_[order_[reads_[job.first].first]].path);
    });
    const bool at_once = waits || (file && jobs_[number].is_stretch && file->is_read_ahead());
    for (size_t at = job.first; at < job.last; ++at) {
      if (waits && !fetched_[at]) continue;
      const Run& read = reads_[at];
      bool filled = true;
      const std::string problem = file ? problem_of([&] { filled = fill_pieces(*file, read, at_once); }) : closed;
      fetched_[at] = !filled;
      if (!filled) continue;
      const bool is_shared = !problem.empty() && file && read.last - read.first > 1;
      for (size_t k = read.first; k < read.last; ++k) {
        std::string& error = errors_[order_[k]];
        error = is_shared ? problem_of([&] { fill_pieces(*file, {k, k + 1}, true); }) : problem;
        if (parser_ && error.empty()) parser_->take(order_[k], bytes_of(order_[k]));
      }
    }
    if (!waits && number < open_.size() && is_fetched(job)) open_[number] = std::move(file);
  }

  // False where that would have to wait.
  bool fill_pieces(ByteSource& file, Run read, bool waits) const {
    std::byte* begin = samples_.data(order_[read.first]);
    const std::span<const std::byte> last = bytes_of(order_[read.last - 1]);
    const int64_t offset = pieces_[order_[read.first]].offset, n = last.data() + last.size() - begin;
    if (!waits) return file.try_read(begin, offset, n);
    file.read(begin, offset, n);
    return true;
  }

  std::span<const std::byte> bytes_of(size_t i) const {
    return {samples_.data(i), static_cast<size_t>(samples_.shape(i)[0])};
  }

  const std::vector<Piece>& pieces_;
  int64_t max_bytes_;
  PieceParser* parser_;
  MappedFiles* mapped_;
  std::vector<Run> files_;
  std::vector<size_t> order_;  // pieces by file and offset
  std::vector<Run> reads_;     // places of the order that one read brings
  std::vector<Job> jobs_;
  std::vector<char> fetched_;                      // by read: it is on its way from a disk
  std::vector<std::unique_ptr<ByteSource>> open_;  // by job: files of which something is
  std::vector<std::string> errors_;
  Samples samples_;
  bool waited_ = false;
};

/// Pieces on their way from disks into the memory of the system.
class Fetching {
 public:
  Fetching(Pool& pool, const std::vector<Piece>& pieces, int64_t max_bytes)
      : pool_(pool), pieces_(pieces), left_(max_bytes) {
    const std::vector<Run> files = files_of(pieces);
    pool.for_each(files.size(), [&](size_t at, Scratch&) { fetch_file(files[at]); });
  }

  bool fetched_any() const { return fetched_any_; }

 private:
  struct Part {
    int64_t begin, end;  // in its file
  };

  // To ask for a photo takes some 20 us: the system finds room for its pages, and a request for the disk is made.
  static constexpr size_t kRequestsOfJob = 8;

  // Linux begins with small requests and small pages, which grow.
  static constexpr int64_t kLongStretch = 16 << 20;

  void fetch_file(Run pieces) {
    const std::string& path = pieces_[pieces.first].path;
    std::unique_ptr<FileBytes> file;
    if (left_ <= 0 || !problem_of([&] { file = std::make_unique<FileBytes>(path); }).empty()) return;
    std::vector<Part> parts;
    for (size_t i = pieces.first; i < pieces.last; ++i) {
      int64_t bytes = 0;
      if (measure(pieces_[i], file->size(), bytes).empty())
        parts.push_back({pieces_[i].offset, pieces_[i].offset + bytes});
    }
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.begin < b.begin; });
    const bool is_whole = pieces_[pieces.first].length < 0;  // nothing follows then
    if (!is_whole && is_read_ahead(parts)) {
      if (is_worth_a_pass(parts)) fetch_stretch(*file, parts);
      return;
    }
    parts = joined(parts);
    pool_.for_each((parts.size() + kRequestsOfJob - 1) / kRequestsOfJob, [&](size_t job, Scratch&) {
      const size_t end = std::min(parts.size(), (job + 1) * kRequestsOfJob);
      for (size_t at = job * kRequestsOfJob; at < end; ++at) fetch_part(*file, parts[at]);
    });
  }

  // The system goes through it from the front to the back, and fetches in larger pages then: to copy those takes two
  // thirds of the time, and to make them less than that.
  static bool is_read_ahead(const std::vector<Part>& parts) {
    return !parts.empty() && is_stretch(parts.size(), bytes_of(parts), parts.back().end - parts.front().begin);
  }

  // Whether it is so long that the system is better told of it, and little else would be fetched, too.
  static bool is_worth_a_pass(const std::vector<Part>& parts) {
    const int64_t extent = parts.back().end - parts.front().begin;
    return extent >= kLongStretch && extent <= 2 * bytes_of(parts);
  }

  static int64_t bytes_of(const std::vector<Part>& parts) {
    return std::accumulate(parts.begin(), parts.end(), int64_t{0},
                           [](int64_t bytes, const Part& part) { return bytes + part.end - part.begin; });
  }

  // Neighbours are one request, as they are one read.
  static std::vector<Part> joined(const std::vector<Part>& parts) {
    std::vector<Part> made;
    for (const Part& part : parts) {
      if (made.empty() || part.begin > made.back().end + kLargestGap)
        made.push_back(part);
      else
        made.back().end = std::max(made.back().end, part.end);
    }
    return made;
  }

  void fetch_part(const FileBytes& file, Part part) {
    const int64_t bytes = affordable(part.end - part.begin);
    if (bytes > 0 && file.fetch(part.begin, bytes)) fetched_any_ = true;
  }

  void fetch_stretch(const FileBytes& file, const std::vector<Part>& parts) {
    const int64_t bytes = affordable(parts.back().end - parts.front().begin);
    if (bytes > 0 && file.fetch_stretch(parts.front().begin, bytes)) fetched_any_ = true;
  }

  int64_t affordable(int64_t wanted) { return std::min(wanted, left_.fetch_sub(wanted)); }

  Pool& pool_;
  const std::vector<Piece>& pieces_;
  std::atomic<int64_t> left_;  // bytes that may still be asked for
  std::atomic<bool> fetched_any_{false};
};

}  // namespace

// Photos of 110 kB: a copy from a mapping takes 19 us, a read 24 us; but to map a file anew costs more than that saves:
// 600 kB take 188 us, read 155. The stat, for one block, costs half a microsecond.
Pieces read_pieces(Pool& pool, const std::vector<Piece>& pieces, int64_t max_bytes, PieceParser* parser,
                   MappedFiles* mapped) {
  return Reading(pool, pieces, max_bytes, parser, mapped).result();
}

bool fetch_pieces(Pool& pool, const std::vector<Piece>& pieces, int64_t max_bytes) {
  return Fetching(pool, pieces, max_bytes).fetched_any();
}

FileBytes::FileBytes(const std::string& path) {
  FileStatus status;
  const int closed = file_.open(path, status);
  const std::string problem = closed ? reason(closed) : measure(status, size_);
  if (!problem.empty()) throw std::runtime_error(problem);
}

void FileBytes::read(std::byte* out, int64_t offset, int64_t n) { read_all(out, offset, n, true); }

bool FileBytes::try_read(std::byte* out, int64_t offset, int64_t n) { return read_all(out, offset, n, false); }

bool FileBytes::read_all(std::byte* out, int64_t offset, int64_t n, bool waits) const {
  for (int64_t done = 0; done < n;) {
    int64_t got = 0;
    const int problem = waits ? file_.read(out + done, offset + done, n - done, got)
                              : file_.read_or_fetch(out + done, offset + done, n - done, got);
    if (!waits && problem == EAGAIN) return false;
    if (problem) throw std::runtime_error(reason(problem));
    if (got == 0) throw std::runtime_error("the file shrank while it was read");
    done += got;
  }
  return true;
}

}  // namespace penstock
