// Which instruction sets this CPU has, of those that kernels have a form for: asked here and nowhere else.
#pragma once

// PENSTOCK_X86 stands where the forms for x86 are compiled at all. The others mark a function that is compiled for a
// set whatever the rest is compiled for; it may be called only where the flag of the same name below is true.
#if defined(__x86_64__) && defined(__GNUC__)
#define PENSTOCK_X86 1
#define PENSTOCK_PCLMUL __attribute__((target("sse4.1,pclmul")))
#define PENSTOCK_AVX2 __attribute__((target("avx2,f16c")))
#define PENSTOCK_AVX512 __attribute__((target("avx512f,avx512bw")))
#define PENSTOCK_AVX512_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vnni")))
#define PENSTOCK_AVX512_PCLMUL __attribute__((target("avx512f,vpclmulqdq,sse4.1,pclmul")))
#endif

namespace penstock {

#ifdef PENSTOCK_X86
inline const bool kHasPclmul = __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("pclmul");
inline const bool kHasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
inline const bool kHasAvx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
inline const bool kHasAvx512Vnni = kHasAvx512 && __builtin_cpu_supports("avx512vl") &&
                                   __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vnni");
inline const bool kHasAvx512Pclmul =
    kHasPclmul && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq");
#endif

}  // namespace penstock
