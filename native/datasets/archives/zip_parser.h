// The members of zip archives, each from the header before its bytes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "datasets/files/files.h"
#include "memory/samples.h"

namespace penstock {

/// What the directory of an archive tells of a member.
struct ZipEntry {
  int64_t packed_bytes = 0;
  int64_t bytes = 0;
  uint32_t crc = 0;
  bool stored = false;
};

/// Finds the bytes of members in what was read of their archives, and holds those that are stored to their checksums.
class ZipParser : public PieceParser {
 public:
  explicit ZipParser(std::vector<ZipEntry> entries);

  size_t size() const override { return entries_.size(); }
  void take(size_t i, std::span<const std::byte> piece) override;

  /// As they are packed, once all pieces were taken: where they are in `pieces`.
  Samples members(const Samples& pieces) const;
  const std::vector<std::string>& errors() const { return errors_; }

 private:
  std::vector<ZipEntry> entries_;
  std::vector<std::span<const std::byte>> packed_;
  std::vector<std::string> errors_;
};

}  // namespace penstock
