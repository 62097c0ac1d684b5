// Copies out of mappings of files, whose pages may be gone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace penstock {

/// Whether the signal for missing pages comes here. A program may have other plans with it: nothing should be mapped
/// then.
bool guards_copies();

/// False where some of the bytes are not there any more: the file was cut short, or its disk fails.
bool guarded_copy(std::byte* out, const std::byte* mapped, int64_t bytes);

}  // namespace penstock
