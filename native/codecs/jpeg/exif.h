// The orientation of an image, from its EXIF block.
#pragma once

#include <cstddef>
#include <span>

namespace penstock {

/// The orientation, 1 to 8, that an EXIF block (an APP1 payload starting with "Exif") gives; 0 where it gives none.
int exif_orientation(std::span<const std::byte> app1);

}  // namespace penstock
