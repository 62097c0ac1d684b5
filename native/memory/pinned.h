// Blocks of the pool whose pages are pinned, so that a device copies from them and to them by itself while the CPU goes
// on. Pinning takes longer than copying; blocks are used again and again, and stay pinned meanwhile.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace penstock {

struct ArenaBlock {
  std::byte* data;
  size_t bytes;
  bool is_pooled;  // those that are too small for the pool are never pinned
};

/// The block that `allocate` gave to the owner of some memory; none where it did not.
std::optional<ArenaBlock> block_of(const std::shared_ptr<void>& owner);

bool is_pinned(const std::byte* block);

/// From now on the pool keeps the block until it is asked for its surplus, because whoever pinned it must unpin it
/// before it goes back to the system.
void set_pinned(std::byte* block);

/// Takes from the pool the pinned blocks that would have gone back to the system, or all that wait. The caller unpins
/// each of them and then frees it.
std::vector<std::byte*> take_surplus_pinned(bool all);

void free_unpinned(std::byte* block);

}  // namespace penstock
