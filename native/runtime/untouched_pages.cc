#include "runtime/untouched_pages.h"

#include <algorithm>
#include <span>

#include "memory/arena.h"

namespace penstock {

void touch_pages(Pool& pool, const Samples& samples) {
  const std::span<std::byte> block = untouched_block(samples.owner());
  if (block.empty()) return;
  std::byte* end = block.data();
  for (size_t i = 0; i < samples.size(); ++i) end = std::max(end, samples.data(i) + samples.const_view(i).bytes());
  const auto used = static_cast<size_t>(end - block.data());  // pages behind it are left to the system
  pool.for_each((used + kHugePage - 1) / kHugePage, [&](size_t page, Scratch&) { block[page * kHugePage] = {}; });
}

}  // namespace penstock
