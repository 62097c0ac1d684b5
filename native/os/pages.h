// Pages of memory, and blocks that begin at one.
#pragma once

#include <cstddef>

namespace penstock {

/// 4 KB on x86 and Windows, 16 KB on Macs with ARM, 4 or 64 KB on Linux for ARM.
size_t page_size();

/// A block at a multiple of `alignment`, a power of two, of which `bytes` is a multiple; null where there is no memory.
std::byte* allocate_aligned(size_t alignment, size_t bytes);

void free_aligned(std::byte* block);

/// Asks the system for large pages for a block that no one has touched yet, where it has some to give.
void prefer_huge_pages(std::byte* block, size_t bytes);

}  // namespace penstock
