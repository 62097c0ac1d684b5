// Run lengths as COCO's tools write them into a string.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace penstock {

/// Appends the run lengths in `text`. Throws where it is none.
void append_runs(std::vector<uint32_t>& runs, std::string_view text);

}  // namespace penstock
