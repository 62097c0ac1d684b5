// The file of an LMDB environment: a B+ tree of pages whose leaves tell where the values are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace penstock {

/// As much of the file as the first of its two headers takes.
constexpr int64_t kLmdbHeaderBytes = 152;

/// What a header says of the database as it was after a transaction.
struct LmdbHeader {
  int64_t page_bytes = 0;
  int64_t depth = 0;  // levels of pages; 0 where there are no entries
  int64_t entries = 0;
  int64_t root = -1;
  int64_t transaction = 0;
};

/// One of the two headers, which stand at the beginning of the first two pages. Throws for what is none.
LmdbHeader lmdb_header(std::span<const std::byte> bytes);

/// Where the entries of a database are, gathered from its leaves.
struct LmdbEntries {
  std::vector<int64_t> offsets, lengths;  // of the value, or of its own pages including their header
  std::vector<int64_t> key_ends;
  std::string keys;
};

/// Reads pages of one file. Whatever they say is checked against their own size and that of the file.
class LmdbPages {
 public:
  LmdbPages(int64_t page_bytes, int64_t file_bytes);

  int64_t page_bytes() const { return page_bytes_; }
  int64_t count() const { return file_bytes_ / page_bytes_; }
  /// The pages that a branch page leads to, in the order of their keys.
  void children(std::span<const std::byte> page, int64_t number, std::vector<int64_t>& found) const;
  /// The entries of a leaf page.
  void entries(std::span<const std::byte> page, int64_t number, LmdbEntries& found) const;
  /// The value in what stands at an offset of `LmdbEntries`.
  std::span<const std::byte> value(std::span<const std::byte> piece, int64_t offset) const;

 private:
  struct Node;

  size_t count_nodes(std::span<const std::byte> page, int64_t number, uint16_t kind) const;
  Node node(std::span<const std::byte> page, int64_t number, size_t at) const;
  void add_entry(const Node& node, int64_t number, LmdbEntries& found) const;
  [[noreturn]] void fail(int64_t number, const std::string& why) const;

  int64_t page_bytes_;
  int64_t file_bytes_;
};

}  // namespace penstock
