#include "datasets/archives/tar.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "datasets/archives/damaged.h"

namespace penstock {
namespace {

// What the longest names and pax records of sane archives stay far below.
constexpr int64_t kLargestExtension = int64_t{1} << 20;

// Twelve octal digits, the last a blank.
constexpr int64_t kLargestOctal = int64_t{1} << 33;

struct Field {
  size_t offset, length;
};
constexpr Field kName{0, 100}, kSize{124, 12}, kChecksum{148, 8}, kMagic{257, 6}, kPrefix{345, 155};
constexpr size_t kType = 156;

std::string_view raw(std::string_view block, Field field) { return block.substr(field.offset, field.length); }

std::string_view text(std::string_view block, Field field) {
  const std::string_view all = raw(block, field);
  return all.substr(0, all.find('\0'));
}

// Octal digits between blanks, or base 256 where the first bit is set: sizes from 8 GiB on.
std::optional<int64_t> number(std::string_view field) {
  int64_t value = 0;
  if (static_cast<unsigned char>(field[0]) == 0x80) {
    for (const char byte : field.substr(1)) {
      if (value >> 55) return std::nullopt;
      value = value << 8 | static_cast<unsigned char>(byte);
    }
    return value;
  }
  const size_t first = std::min(field.find_first_not_of(' '), field.size());
  const size_t last = std::min(field.find_first_of(std::string_view(" \0", 2), first), field.size());
  for (const char digit : field.substr(first, last - first)) {
    if (digit < '0' || digit > '7') return std::nullopt;
    value = value * 8 + (digit - '0');
  }
  return value;
}

// The checksum counts its own field as blanks. Old writers added the bytes as signed ones.
bool has_its_checksum(std::string_view block) {
  const std::optional<int64_t> stored = number(raw(block, kChecksum));
  const std::string_view field = raw(block, kChecksum);
  const auto sum = [](std::string_view bytes, auto as) {
    return std::accumulate(bytes.begin(), bytes.end(), int64_t{0},
                           [&](int64_t total, char byte) { return total + static_cast<decltype(as)>(byte); });
  };
  const int64_t blanks = ' ' * static_cast<int64_t>(field.size());
  const auto total = [&](auto as) { return sum(block, as) - sum(field, as) + blanks; };
  return stored && (*stored == total(static_cast<unsigned char>(0)) || *stored == total(static_cast<signed char>(0)));
}

bool is_zero(std::string_view block) { return block.find_first_not_of('\0') == std::string_view::npos; }

std::string name_in(std::string_view block) {
  std::string name(text(block, kName));
  const std::string_view prefix = text(block, kPrefix);
  const bool posix = raw(block, kMagic) == std::string_view("ustar\0", 6);
  return posix && !prefix.empty() ? std::string(prefix) + '/' + name : name;
}

/// What extended headers say about the member they stand before.
struct Extended {
  std::optional<std::string> name;
  std::optional<int64_t> size;
  bool sparse = false;
};

// Records of the form "<length> <key>=<value>\n", where the length counts the whole record.
void read_pax(std::string_view records, int64_t offset, Extended& into) {
  while (!records.empty() && records[0] != '\0') {
    size_t length = 0;
    const auto [end, error] = std::from_chars(records.data(), records.data() + records.size(), length);
    const size_t start = end - records.data() + 1;
    if (error != std::errc{} || length > records.size() || length <= start || *end != ' ')
      damaged(offset, "a pax record without a proper length");
    const std::string_view record = records.substr(start, length - start - 1);
    const size_t equals = std::min(record.find('='), record.size());
    const std::string_view key = record.substr(0, equals);
    const std::string_view value = record.substr(std::min(equals + 1, record.size()));
    if (key == "path") into.name = std::string(value);
    if (key.starts_with("GNU.sparse.")) into.sparse = true;
    if (key == "size") {
      int64_t size = -1;
      std::from_chars(value.data(), value.data() + value.size(), size);
      if (size < 0) damaged(offset, "the size \"" + std::string(value) + "\" in a pax record is no number");
      into.size = size;
    }
    records.remove_prefix(length);
  }
}

/// Keeps what was read last, so that headers close to each other take one read.
class Window {
 public:
  Window(const ReadAt& read, int64_t bytes) : read_(read), bytes_(bytes) {}

  std::string_view at(int64_t offset, int64_t length) {
    if (length > bytes_ - offset)
      damaged(offset, "the archive is cut short: it has " + std::to_string(bytes_) + " bytes and goes on at least to " +
                          std::to_string(offset + length));
    if (offset < start_ || offset + length > start_ + static_cast<int64_t>(held_.size())) {
      held_ = read_(offset, length);
      start_ = offset;
      if (static_cast<int64_t>(held_.size()) < length) damaged(offset, "the archive shrank while it was read");
    }
    return std::string_view(held_).substr(offset - start_, length);
  }

 private:
  const ReadAt& read_;
  int64_t bytes_, start_ = 0;
  std::string held_;
};

[[noreturn]] void cut_short(int64_t at, const std::string& what, int64_t start, int64_t bytes, int64_t archive_bytes) {
  damaged(at, "the archive is cut short: it has " + std::to_string(archive_bytes) + " bytes, " + what +
                  " goes on for " + std::to_string(bytes) + " bytes from byte " + std::to_string(start));
}

bool is_extension(char type) { return type == 'L' || type == 'K' || type == 'x' || type == 'g'; }

void read_extension(char type, std::string_view bytes, int64_t offset, Extended& into) {
  if (type == 'L') into.name = std::string(bytes.substr(0, bytes.find('\0')));
  if (type == 'x' || type == 'g') read_pax(bytes, offset, into);
}

bool is_regular(char type) { return type == '0' || type == '\0' || type == '7'; }

}  // namespace

void scan_tar(const ReadAt& read, int64_t archive_bytes, const std::function<void(TarMember)>& found) {
  Window window(read, archive_bytes);
  Extended next, always;
  for (int64_t at = 0; at < archive_bytes;) {
    const std::string block(window.at(at, kTarBlock));
    if (is_zero(block)) return;
    if (!has_its_checksum(block))
      damaged(at, std::string("not a tar header: its checksum does not match") +
                      (at ? "" : "; compressed archives must be unpacked first"));
    const char type = block[kType];
    const int64_t data = at + kTarBlock;
    int64_t size = number(raw(block, kSize)).value_or(-1);
    if (size < 0) damaged(at, "the header gives no size");
    if (is_extension(type)) {
      if (size > kLargestExtension) damaged(at, "an extended header of " + std::to_string(size) + " bytes");
      read_extension(type, window.at(data, size), data, type == 'g' ? always : next);
    } else {
      const std::string name = next.name ? *next.name : always.name ? *always.name : name_in(block);
      if (type == 'S' || next.sparse) damaged(at, name + " is a sparse file, whose bytes do not lie together");
      // Links and folders have no bytes, whatever their size field says.
      size = type >= '1' && type <= '6' ? 0 : next.size.value_or(size);
      if (size > archive_bytes - data) cut_short(at, name, data, size, archive_bytes);
      if (is_regular(type) && !name.ends_with('/')) found({name, data, size});
      next = {};
    }
    at = data + (size + kTarBlock - 1) / kTarBlock * kTarBlock;
    if (at > archive_bytes) cut_short(data, "what begins there", data, at - data, archive_bytes);
  }
}

std::string tar_header_problem(std::string_view block, std::string_view name, int64_t size) {
  if (is_zero(block) || !has_its_checksum(block)) return "there is no tar header before it";
  if (!is_regular(block[kType])) return "it does not belong to a file";
  const std::optional<int64_t> stored = number(raw(block, kSize));
  // Extended headers replace sizes that do not fit and names that are long or not plain ASCII.
  if (stored != size && size < kLargestOctal)
    return "the header gives " + std::to_string(stored.value_or(-1)) + " bytes";
  const std::string short_name = name_in(block);
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) { return static_cast<signed char>(c) > 0; });
  if (!name.empty() && plain && name.size() < kName.length && short_name != name) return "it belongs to " + short_name;
  return {};
}

}  // namespace penstock
