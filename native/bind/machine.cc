// What the core was built with and what this machine offers it, for `penstock doctor`.
#include <cstddef>
#include <cstdio>
// jpeglib.h needs the two above.
#include <jpeglib.h>

#include "bind/convert.h"

namespace penstock {
namespace {

std::string simd() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) return "AVX-512";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "AVX2";
  return "SSE2";
#elif defined(__aarch64__)
  return "NEON";
#else
  return "none";
#endif
}

std::string jpeg_turbo_version() {
  constexpr int version = LIBJPEG_TURBO_VERSION_NUMBER;
  return std::to_string(version / 1000000) + "." + std::to_string(version / 1000 % 1000) + "." +
         std::to_string(version % 1000);
}

}  // namespace

void bind_machine(nb::module_& m) {
  m.def("simd", simd, "The widest vector instructions of this CPU that the kernels know.");
  m.def("jpeg_turbo_version", jpeg_turbo_version, "The libjpeg-turbo the core was built against.");
}

}  // namespace penstock
