#include "kernels/bytes/stream.h"

#include <cstring>

#include "kernels/bytes/stream_x86.h"

namespace penstock {
namespace {

void keep(std::byte* out, const std::byte* in, int64_t bytes) { std::memcpy(out, in, bytes); }

}  // namespace

#ifdef PENSTOCK_X86
void stream(std::byte* out, const std::byte* in, int64_t bytes) {
  if (kHasAvx512)
    stream_avx512(out, in, bytes);
  else if (kHasAvx2)
    stream_avx2(out, in, bytes);
  else
    keep(out, in, bytes);
}

void stream_zeros(std::byte* out, int64_t bytes) {
  if (kHasAvx2 && kHasClzero)
    stream_zeros_avx2(out, bytes);
  else
    std::memset(out, 0, bytes);
}

void finish_streams() { store_fence(); }
#else
void stream(std::byte* out, const std::byte* in, int64_t bytes) { keep(out, in, bytes); }

void stream_zeros(std::byte* out, int64_t bytes) { std::memset(out, 0, bytes); }

void finish_streams() {}
#endif

CopyBytes copying(bool past_caches) { return past_caches ? stream : keep; }

}  // namespace penstock
