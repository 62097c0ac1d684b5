#include <malloc.h>

#include "os/pages.h"
#include "os/windows_api.h"

namespace penstock {

size_t page_size() {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return info.dwPageSize;
}

std::byte* allocate_aligned(size_t alignment, size_t bytes) {
  return static_cast<std::byte*>(_aligned_malloc(bytes, alignment));
}

void free_aligned(std::byte* block) { _aligned_free(block); }

// Large pages need a privilege there that few processes have.
void prefer_huge_pages(std::byte*, size_t) {}

}  // namespace penstock
