#include "kernels/bytes/reverse.h"

#include <cstring>

#include "kernels/bytes/reverse_avx2.h"
#include "kernels/bytes/reverse_avx512.h"
#include "kernels/bytes/reverse_neon.h"

namespace penstock {
namespace {

template <int kBytes>
void reverse_rest(std::byte* out, const std::byte* in, int64_t n, int64_t done) {
  for (int64_t i = done; i < n; ++i) std::memcpy(out + i * kBytes, in + (n - 1 - i) * kBytes, kBytes);
}

template <int kBytes>
void reverse_fixed(std::byte* out, const std::byte* in, int64_t n) {
  int64_t done = 0;
#ifdef PENSTOCK_X86
  if (kHasAvx512Vnni) return reverse_avx512<kBytes>(out, in, n);
  if (kHasAvx2) done = reverse_avx2<kBytes>(out, in, n);
#elif defined(PENSTOCK_NEON)
  done = reverse_neon<kBytes>(out, in, n);
#endif
  reverse_rest<kBytes>(out, in, n, done);
}

}  // namespace

void reverse(std::byte* out, const std::byte* in, int64_t n, int64_t bytes) {
  switch (bytes) {
    case 1:
      return reverse_fixed<1>(out, in, n);
    case 2:
      return reverse_fixed<2>(out, in, n);
    case 3:
      return reverse_fixed<3>(out, in, n);
    case 4:
      return reverse_fixed<4>(out, in, n);
    case 6:
      return reverse_fixed<6>(out, in, n);
    case 8:
      return reverse_fixed<8>(out, in, n);
    case 12:
      return reverse_rest<12>(out, in, n, 0);
  }
  for (int64_t i = 0; i < n; ++i) std::memcpy(out + i * bytes, in + (n - 1 - i) * bytes, bytes);
}

}  // namespace penstock
