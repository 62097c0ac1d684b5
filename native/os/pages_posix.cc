#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "os/pages.h"

namespace penstock {

size_t page_size() {
  static const auto size = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

std::byte* allocate_aligned(size_t alignment, size_t bytes) {
  return static_cast<std::byte*>(std::aligned_alloc(alignment, bytes));
}

void free_aligned(std::byte* block) { std::free(block); }

void prefer_huge_pages([[maybe_unused]] std::byte* block, [[maybe_unused]] size_t bytes) {
#ifdef MADV_HUGEPAGE
  madvise(block, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace penstock
