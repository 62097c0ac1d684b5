#include "runtime/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace penstock {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

// Only regular files have a size to read up to; opening a FIFO would wait for its writer.
std::string measure(const Piece& piece, int64_t& bytes) {
  bytes = piece.length;
  struct stat status;
  if (::stat(piece.path.c_str(), &status) != 0) return reason(errno);
  if (S_ISDIR(status.st_mode)) return reason(EISDIR);
  if (!S_ISREG(status.st_mode)) return "not a regular file";
  const int64_t left = status.st_size - piece.offset;
  if (piece.length < 0 && left >= 0) bytes = left;
  if (bytes <= left) return {};
  bytes = 0;
  return "the file has " + std::to_string(status.st_size) + " bytes, the sample ends at byte " +
         std::to_string(piece.offset + std::max<int64_t>(piece.length, 0));
}

std::string fill(const Piece& piece, View out) {
  const Descriptor file{::open(piece.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.number < 0) return reason(errno);
  int64_t done = 0;
  while (done < out.bytes()) {
    const ssize_t got = ::pread(file.number, out.data + done, out.bytes() - done, piece.offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return reason(errno);
    if (got == 0) return "the file shrank while it was read";
    done += got;
  }
  return {};
}

}  // namespace

// Measured against mmap on photos of 110 kB and on files of 5 bytes: copying into memory that is already mapped is
// as fast for the former and twice as fast for the latter. The extra stat, for one block, costs half a microsecond.
Pieces read_pieces(Pool& pool, const std::vector<Piece>& pieces) {
  std::vector<std::string> errors(pieces.size());
  std::vector<Shape> shapes(pieces.size());
  pool.for_each(pieces.size(), [&](size_t i, Scratch&) {
    shapes[i].ndim = 1;
    errors[i] = measure(pieces[i], shapes[i][0]);
    if (!errors[i].empty()) shapes[i][0] = 0;
  });
  Samples samples = Samples::empty(DType::u8, 1, std::move(shapes));
  pool.for_each(pieces.size(), [&](size_t i, Scratch&) {
    if (errors[i].empty()) errors[i] = fill(pieces[i], samples.view(i));
  });
  return {std::move(samples), std::move(errors)};
}

FileBytes::FileBytes(const std::string& path) {
  if (const std::string problem = measure({path}, size_); !problem.empty()) throw std::runtime_error(problem);
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) throw std::runtime_error(reason(errno));
}

FileBytes::~FileBytes() { ::close(descriptor_); }

const std::byte* FileBytes::bytes(int64_t offset, int64_t n, std::vector<std::byte>& buffer) {
  if (static_cast<int64_t>(buffer.size()) < n) buffer.resize(n);
  for (int64_t done = 0; done < n;) {
    const ssize_t got = ::pread(descriptor_, buffer.data() + done, n - done, offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::runtime_error(reason(errno));
    if (got == 0) throw std::runtime_error("the file shrank while it was read");
    done += got;
  }
  return buffer.data();
}

}  // namespace penstock
