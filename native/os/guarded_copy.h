// Copies out of mappings of files, whose pages may be gone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace penstock {

/// Whether the signal for missing pages comes here. A program may have other plans with it: nothing should be mapped
/// then. Never on Windows, where nothing is mapped.
bool guards_copies();

/// Lets `copy` copy the bytes. False where some of them are not there any more: the file was cut short, or its disk
/// fails. `copy` is left where it is then, so it must hold nothing that has to be released.
bool guarded_copy(void (*copy)(std::byte* out, const std::byte* in, int64_t bytes), std::byte* out,
                  const std::byte* mapped, int64_t bytes);

}  // namespace penstock
