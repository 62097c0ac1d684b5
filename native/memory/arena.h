// Pooled memory for batches. Touching a fresh 38 MB block costs more than normalising the images in it. What no batch
// asks for any more goes back to the system.
#pragma once

#include <cstddef>
#include <memory>

namespace penstock {

/// A 64-byte aligned block of at least `bytes`, not cleared. It returns to the pool when the last owner lets go.
std::shared_ptr<std::byte> allocate(size_t bytes);

struct ArenaUse {
  size_t live_bytes;
  size_t kept_bytes;
};

/// Bytes handed out and bytes waiting for the next batch.
ArenaUse arena_use();

/// Gives the waiting blocks back to the system.
void trim_arena();

}  // namespace penstock
