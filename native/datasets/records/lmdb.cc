#include "datasets/records/lmdb.h"

#include <bit>
#include <cstring>
#include <stdexcept>

#include "codecs/byte_source.h"

namespace penstock {
namespace {

constexpr int64_t kPageHeader = 16, kNodeHeader = 8;
constexpr uint16_t kBranch = 1, kLeaf = 2, kOverflow = 4, kHeader = 8, kKinds = 0x6f;
constexpr uint16_t kBigValue = 1, kDatabase = 2, kSeveralValues = 4;
constexpr uint32_t kMagic = 0xBEEFC0DE;
constexpr int64_t kSmallestPage = 256, kLargestPage = 1 << 15;
constexpr int64_t kDeepest = 32;  // that of LMDB's own cursors

template <typename T>
T load(Bytes bytes, int64_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

std::string text(int64_t number) { return std::to_string(number); }

}  // namespace

LmdbHeader lmdb_header(Bytes bytes) {
  if (std::ssize(bytes) < kLmdbHeaderBytes) throw std::runtime_error("it is too short for an LMDB");
  const auto magic = load<uint32_t>(bytes, 16);
  if (magic == __builtin_bswap32(kMagic) || load<uint32_t>(bytes, 12) == kMagic)
    throw std::runtime_error("it is an LMDB of a machine with another byte order or word size");
  if (magic != kMagic || !(load<uint16_t>(bytes, 10) & kHeader)) throw std::runtime_error("it is no LMDB");
  if (const auto version = load<uint32_t>(bytes, 20); version != 1)
    throw std::runtime_error("it is an LMDB of version " + text(version) + "; version 1 can be read");
  // Of the two trees the first keeps the free pages and, in a field it has no use for, the size of all pages.
  const LmdbHeader made{load<uint32_t>(bytes, 40), load<uint16_t>(bytes, 94), load<int64_t>(bytes, 120),
                        load<int64_t>(bytes, 128), load<int64_t>(bytes, 144)};
  if (made.page_bytes < kSmallestPage || made.page_bytes > kLargestPage ||
      !std::has_single_bit(static_cast<uint64_t>(made.page_bytes)))
    throw std::runtime_error("its header says that pages have " + text(made.page_bytes) + " bytes");
  if (const auto flags = load<uint16_t>(bytes, 92); flags & kSeveralValues)
    throw std::runtime_error("its keys may have several values each; only one to a key can be read");
  if (made.depth > kDeepest || made.entries < 0 || (made.depth == 0) != (made.entries == 0) ||
      (made.depth == 0) != (made.root == -1))
    throw std::runtime_error("its header speaks of " + text(made.entries) + " entries under page " + text(made.root) +
                             " at depth " + text(made.depth));
  return made;
}

/// What stands at one place of a page: a key, and what comes before and after it.
struct LmdbPages::Node {
  uint64_t number;  // of a page, or the length of the value
  uint16_t flags;
  Bytes key, rest;
  int64_t rest_offset;  // within the page
};

LmdbPages::LmdbPages(int64_t page_bytes, int64_t file_bytes) : page_bytes_(page_bytes), file_bytes_(file_bytes) {
  if (page_bytes < kSmallestPage || page_bytes > kLargestPage || file_bytes < 0)
    throw std::invalid_argument("no such size of a page or a file");
}

size_t LmdbPages::count_nodes(Bytes page, int64_t number, uint16_t kind) const {
  if (std::ssize(page) != page_bytes_) throw std::invalid_argument("not one page");
  const auto own = load<int64_t>(page, 0);
  const auto flags = load<uint16_t>(page, 10), lower = load<uint16_t>(page, 12), upper = load<uint16_t>(page, 14);
  if (own != number) fail(number, "the page calls itself page " + text(own));
  if ((flags & kKinds) != kind)
    fail(number, "it is no " + std::string(kind == kLeaf ? "leaf" : "branch") + " page, its flags are " + text(flags));
  if (lower < kPageHeader || lower % 2 || upper < lower || upper > page_bytes_)
    fail(number, "its free space is from " + text(lower) + " to " + text(upper));
  return static_cast<size_t>((lower - kPageHeader) / 2);
}

LmdbPages::Node LmdbPages::node(Bytes page, int64_t number, size_t at) const {
  const int64_t begin = load<uint16_t>(page, kPageHeader + 2 * static_cast<int64_t>(at));
  if (begin < kPageHeader || begin + kNodeHeader > page_bytes_) fail(number, "an entry is at " + text(begin));
  const auto flags = load<uint16_t>(page, begin + 4), key = load<uint16_t>(page, begin + 6);
  const int64_t rest = begin + kNodeHeader + key;
  if (rest > page_bytes_) fail(number, "an entry at " + text(begin) + " has a key of " + text(key) + " bytes");
  return {load<uint32_t>(page, begin), flags, page.subspan(begin + kNodeHeader, key), page.subspan(rest), rest};
}

void LmdbPages::children(Bytes page, int64_t number, std::vector<int64_t>& found) const {
  const size_t nodes = count_nodes(page, number, kBranch);
  for (size_t i = 0; i < nodes; ++i) {
    const Node child = node(page, number, i);
    const auto to = static_cast<int64_t>(child.number | uint64_t{child.flags} << 32);
    if (to < 2 || to >= count())
      fail(number, "it leads to page " + text(to) + ", the file has " + text(count()) + " pages");
    found.push_back(to);
  }
}

void LmdbPages::entries(Bytes page, int64_t number, LmdbEntries& found) const {
  const size_t nodes = count_nodes(page, number, kLeaf);
  for (size_t i = 0; i < nodes; ++i) add_entry(node(page, number, i), number, found);
}

void LmdbPages::add_entry(const Node& node, int64_t number, LmdbEntries& found) const {
  if (node.flags & (kDatabase | kSeveralValues))
    fail(number, "it holds a database of its own; the values must be in the main one");
  auto offset = number * page_bytes_ + node.rest_offset, length = static_cast<int64_t>(node.number);
  if (node.flags & kBigValue) {
    if (node.rest.size() < sizeof(int64_t)) fail(number, "an entry ends behind it");
    const auto first = load<int64_t>(node.rest, 0);
    if (first < 2 || first >= count() || first * page_bytes_ > file_bytes_ - kPageHeader - length)
      fail(number, "a value of " + text(length) + " bytes is on page " + text(first) + ", the file has " +
                       text(file_bytes_) + " bytes; it may be cut short");
    offset = first * page_bytes_;
    length += kPageHeader;
  } else if (length > std::ssize(node.rest)) {
    fail(number, "a value of " + text(length) + " bytes ends behind it");
  }
  found.offsets.push_back(offset);
  found.lengths.push_back(length);
  found.keys.append(reinterpret_cast<const char*>(node.key.data()), node.key.size());
  found.key_ends.push_back(static_cast<int64_t>(found.keys.size()));
}

// Values in a leaf never begin where a page does, but an empty one may end there.
Bytes LmdbPages::value(Bytes piece, int64_t offset) const {
  if (offset % page_bytes_ != 0 || piece.empty()) return piece;
  const int64_t number = offset / page_bytes_;
  if (std::ssize(piece) < kPageHeader) fail(number, "it is cut short");
  const auto own = load<int64_t>(piece, 0);
  const auto flags = load<uint16_t>(piece, 10);
  const auto pages = load<uint32_t>(piece, 12);
  if (own != number || (flags & kKinds) != kOverflow) fail(number, "it is not the first of the pages of a value");
  if (int64_t{pages} * page_bytes_ < std::ssize(piece))
    fail(number, "a value of " + text(std::ssize(piece) - kPageHeader) + " bytes has " + text(pages) + " pages");
  return piece.subspan(kPageHeader);
}

void LmdbPages::fail(int64_t number, const std::string& why) const {
  throw std::runtime_error("page " + text(number) + " at byte " + text(number * page_bytes_) + ": " + why);
}

}  // namespace penstock
