#include "codecs/records/recordio.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "codecs/byte_source.h"

namespace penstock {
namespace {

constexpr uint32_t kMagic = 0xced7230a;
constexpr size_t kImageHeaderBytes = 24;  // how many labels follow, the label where none does, two numbers

uint32_t word_at(Bytes bytes, size_t offset) {
  uint32_t word;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

RecordIOHeader checked_header(Bytes bytes) {
  const RecordIOHeader header = recordio_header(bytes);
  const int64_t left = static_cast<int64_t>(bytes.size()) - kRecordIOHeaderBytes;
  if (header.payload_bytes > left)
    throw std::runtime_error("the record has " + std::to_string(header.payload_bytes) + " bytes, only " +
                             std::to_string(left) + " are there");
  return header;
}

Bytes payload_of(Bytes bytes, std::vector<std::byte>& joined) {
  RecordIOHeader header = checked_header(bytes);
  if (header.part == Part::whole) return bytes.subspan(kRecordIOHeaderBytes, header.payload_bytes);
  if (header.part != Part::first) throw std::runtime_error("a record begins here with a later part of another");
  for (;;) {
    const Bytes part = bytes.subspan(kRecordIOHeaderBytes, header.payload_bytes);
    joined.insert(joined.end(), part.begin(), part.end());
    if (header.part == Part::last) return joined;
    const auto word = std::as_bytes(std::span(&kMagic, 1));
    joined.insert(joined.end(), word.begin(), word.end());
    if (header.bytes() > static_cast<int64_t>(bytes.size())) throw std::runtime_error("the record has no last part");
    bytes = bytes.subspan(header.bytes());
    header = checked_header(bytes);
    if (header.part != Part::middle && header.part != Part::last)
      throw std::runtime_error("a record begins within the parts of another");
  }
}

}  // namespace

RecordIOHeader recordio_header(Bytes bytes) {
  if (bytes.size() < kRecordIOHeaderBytes) throw std::runtime_error("the file ends within the header of a record");
  if (word_at(bytes, 0) != kMagic) throw std::runtime_error("wrong magic number: no record starts here");
  const uint32_t word = word_at(bytes, 4), part = word >> 29;
  if (part > 3) throw std::runtime_error("a record has no part " + std::to_string(part));
  return {static_cast<Part>(part), word & ((1u << 29) - 1)};
}

RecordIOImage recordio_image(Bytes bytes, std::vector<std::byte>& joined) {
  const Bytes payload = payload_of(bytes, joined);
  if (payload.size() < kImageHeaderBytes)
    throw std::runtime_error("the record has " + std::to_string(payload.size()) + " bytes, an image has at least " +
                             std::to_string(kImageHeaderBytes));
  const uint64_t labels = word_at(payload, 0), label_bytes = labels * sizeof(float);
  const Bytes rest = payload.subspan(kImageHeaderBytes);
  if (label_bytes > rest.size())
    throw std::runtime_error("the record has " + std::to_string(labels) + " labels in " + std::to_string(rest.size()) +
                             " bytes");
  RecordIOImage image{std::vector<float>(labels ? labels : 1), rest.subspan(label_bytes)};
  std::memcpy(image.label.data(), labels ? rest.data() : payload.data() + 4, labels ? label_bytes : sizeof(float));
  return image;
}

}  // namespace penstock
