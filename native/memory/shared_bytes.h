// Parts of the samples of one batch as samples of another.
#pragma once

#include <span>
#include <vector>

#include "memory/samples.h"

namespace penstock {

/// The bytes in `parts` as one u8 vector each. They stay where they are while they are most of `whole`, which then
/// lives on; else they are copied, so that a name does not keep a picture in memory.
Samples shared_bytes(const Samples& whole, std::span<const std::span<const std::byte>> parts);
/// The same as arrays of u8 with these shapes, all of one rank.
Samples shared_bytes(const Samples& whole, std::span<const std::span<const std::byte>> parts,
                     std::vector<Shape> shapes);

}  // namespace penstock
