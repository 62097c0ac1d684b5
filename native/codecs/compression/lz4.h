// Decompression of LZ4 blocks.
#pragma once

#include <cstddef>
#include <span>

namespace penstock {

/// Inflates one LZ4 block into `out`, which it must fill exactly; throws for anything else.
void inflate_lz4(std::span<std::byte> out, std::span<const std::byte> in);

}  // namespace penstock
