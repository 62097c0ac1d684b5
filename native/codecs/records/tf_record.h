// The frame around a record of a TFRecord file: its length, the payload, and a checksum of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace penstock {

constexpr int64_t kTFHeaderBytes = 12;
constexpr int64_t kTFFrameBytes = kTFHeaderBytes + 4;

/// How long the payload behind a header of 12 bytes is. Throws where the checksum denies that this is a length.
int64_t tf_payload_bytes(std::span<const std::byte> header);

/// The payload of one whole record. Throws where the record has another length or its checksum denies the payload.
std::span<const std::byte> tf_payload(std::span<const std::byte> record);

}  // namespace penstock
