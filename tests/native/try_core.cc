// The core without Python: lists, reads and decodes the JPEGs of a data set whose root is the only argument, and tells
// what it found. `make check-windows` compares that with what the Python package finds on the machine it is built on.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "codecs/checksum/crc.h"
#include "codecs/jpeg/jpeg.h"
#include "codecs/jpeg/private_entries.h"
#include "codecs/sound/sndfile.h"
#include "cpu/instruction_set_names.h"
#include "datasets/files/files.h"
#include "datasets/files/listing.h"
#include "datasets/files/mapped_files.h"
#include "kernels/step_clock.h"
#include "os/name_pattern.h"
#include "runtime/pool.h"

namespace penstock {
namespace {

uint32_t pixels_crc(std::span<const std::byte> file, int64_t& height, int64_t& width) {
  JpegRows rows(file, {});
  height = rows.height();
  width = rows.width();
  std::vector<uint8_t> pixels(rows.row_bytes() * height);
  std::vector<uint8_t*> starts;
  for (int64_t y = 0; y < height; ++y) starts.push_back(pixels.data() + y * rows.row_bytes());
  for (int64_t y = 0; y < height; y += JpegRows::kStrip)
    rows.read(&starts[y], static_cast<int>(std::min<int64_t>(JpegRows::kStrip, height - y)));
  return crc32(std::as_bytes(std::span(pixels)));
}

void tell_files(Pool& pool, const std::string& root) {
  const ClassFiles found = list_class_files(pool, root, NamePatterns({"*"}, true), NamePatterns({"*.JPG"}, false));
  if (!found.error.empty()) throw std::runtime_error(found.error);
  std::vector<Piece> pieces;
  for (const std::string& names : found.names)
    for (size_t at = 0; at < names.size(); at += pieces.back().path.size() - root.size())
      pieces.push_back({root + '/' + &names[at]});
  MappedFiles mapped;
  for (int round = 0; round < 3; ++round) {  // mapped from the second on, where files are
    const Pieces read = read_pieces(pool, pieces, int64_t{1} << 30, nullptr, &mapped);
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (!read.errors[i].empty()) throw std::runtime_error(pieces[i].path + ": " + read.errors[i]);
      const std::span<const std::byte> file(read.samples.data(i), read.samples.shape(i)[0]);
      int64_t height = 0, width = 0;
      const uint32_t crc = pixels_crc(file, height, width);
      std::printf("%s %lldx%lld %08x\n", pieces[i].path.substr(root.size() + 1).c_str(), static_cast<long long>(height),
                  static_cast<long long>(width), static_cast<unsigned>(crc));
    }
  }
  const Pieces part = read_pieces(pool, {{pieces[0].path, 6, 4}}, 1 << 20, nullptr, {});
  std::printf("part: %.4s\n", reinterpret_cast<const char*>(part.samples.data(0)));
  std::printf("missing: %s\n", read_pieces(pool, {{root + "/none"}}, 1, nullptr, {}).errors[0].c_str());
  std::printf("folder: %s\n", read_pieces(pool, {{root}}, 1, nullptr, {}).errors[0].c_str());
  const NamePatterns all({"*"}, true);
  std::printf("no root: %s\n", list_class_files(pool, root + "/none", all, all).error.c_str());
}

void tell_patterns() {
  const char* const cases[][2] = {{"a.jpg", "?.j*g"}, {"b7", "[a-c][0-9]"},     {"b7", "[!a-c]?"}, {"aXbXc", "a*b*c"},
                                  {"a*", "a\\*"},     {"ab", "a\\*"},           {"[x", "[x"},      {"]", "[]]"},
                                  {"-", "[a-]"},      {"\xc3\xa9.jpg", "?.jpg"}};
  for (const auto& [name, pattern] : cases)
    std::printf("%s %s %d\n", name, pattern, static_cast<int>(matches_pattern(name, pattern, true)));
}

void try_core(const std::string& root) {
  Pool pool(2);
  tell_files(pool, root);
  tell_patterns();
  std::printf("replaces entropy coding: %d\n", can_replace_entropy_coding());
  const int64_t cpu = thread_cpu_ns(), wall = wall_ns();
  while (thread_cpu_ns() == cpu && wall_ns() - wall < 60'000'000'000) continue;
  std::printf("thread clock runs: %d\n", thread_cpu_ns() > cpu);
  try {
    load_sndfile(root + "/none");
  } catch (const std::exception&) {
    std::printf("no libsndfile\n");
  }
  std::fprintf(stderr, "instruction sets: %s\n", instruction_set_names().c_str());
}

}  // namespace
}  // namespace penstock

int main(int count, char** arguments) {
  if (count != 2) return 2;
  try {
    penstock::try_core(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
