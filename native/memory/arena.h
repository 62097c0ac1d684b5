// Pooled memory for batches. Touching a fresh 38 MB block costs more than normalising the images in it. What no batch
// asks for any more goes back to the system.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace penstock {

/// Blocks of some megabytes begin at a multiple of this, and the system may give it to them as one page.
constexpr size_t kHugePage = 2 << 20;

/// A 64-byte aligned block of at least `bytes`, not cleared. It returns to the pool when the last owner lets go.
std::shared_ptr<std::byte> allocate(size_t bytes);

/// A large block whose pages the system has not made yet, because no batch was in it before; else nothing.
std::span<std::byte> untouched_block(const std::shared_ptr<void>& owner);

struct ArenaUse {
  size_t live_bytes;
  size_t kept_bytes;
};

/// Bytes handed out and bytes waiting for the next batch.
ArenaUse arena_use();

/// Gives the waiting blocks back to the system.
void trim_arena();

}  // namespace penstock
