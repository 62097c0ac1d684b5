// Which instruction sets this CPU has, of those that kernels have a form for: asked here and nowhere else.
#pragma once

// PENSTOCK_X86 stands where the forms for x86 are compiled at all. The others mark a function that is compiled for a
// set whatever the rest is compiled for; it may be called only where the flag of the same name below is true.
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define PENSTOCK_X86 1
#define PENSTOCK_PCLMUL __attribute__((target("sse4.1,pclmul")))
#define PENSTOCK_AVX2 __attribute__((target("avx2,f16c")))
#define PENSTOCK_AVX2_BMI2 __attribute__((target("avx2,f16c,bmi,bmi2")))
#define PENSTOCK_AVX512 __attribute__((target("avx512f,avx512bw")))
#define PENSTOCK_AVX512_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vnni")))
#define PENSTOCK_AVX512_PCLMUL __attribute__((target("avx512f,vpclmulqdq,sse4.1,pclmul")))
#endif

#ifdef PENSTOCK_X86
#include <cpuid.h>
#endif

#include <cstdlib>
#include <string_view>

namespace penstock {

#ifdef PENSTOCK_X86
/// PENSTOCK_CPU=sse2 or avx2 has kernels leave out what is newer, to compare their forms. Anything else is refused on
/// import.
inline const std::string_view kCpuLimit = std::getenv("PENSTOCK_CPU") ? std::getenv("PENSTOCK_CPU") : "";
inline const bool kAllowsAvx2 = kCpuLimit != "sse2";
inline const bool kAllowsAvx512 = kAllowsAvx2 && kCpuLimit != "avx2";

// Clang's __builtin_cpu_supports does not know f16c.
inline bool has_f16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

inline const bool kHasPclmul = kAllowsAvx2 && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("pclmul");
inline const bool kHasAvx2 = kAllowsAvx2 && __builtin_cpu_supports("avx2") && has_f16c();
inline const bool kHasAvx2Bmi2 = kHasAvx2 && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi");
inline const bool kHasAvx512 = kAllowsAvx512 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
inline const bool kHasAvx512Vnni = kHasAvx512 && __builtin_cpu_supports("avx512vl") &&
                                   __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vnni");
inline const bool kHasAvx512Pclmul =
    kAllowsAvx512 && kHasPclmul && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq");
#endif

}  // namespace penstock
