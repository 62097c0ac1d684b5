// Which instruction sets this CPU has, of those that kernels have a form for: asked here and nowhere else.
#pragma once

// PENSTOCK_X86 stands where the forms for x86 are compiled at all. The others mark a function that is compiled for a
// set whatever the rest is compiled for; it may be called only where the flag of the same name below is true.
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define PENSTOCK_X86 1
#define PENSTOCK_PCLMUL __attribute__((target("sse4.1,pclmul")))
#define PENSTOCK_AVX2 __attribute__((target("avx2,f16c")))
#define PENSTOCK_AVX2_BMI2 __attribute__((target("avx2,f16c,bmi,bmi2,popcnt")))
#define PENSTOCK_V3 __attribute__((target("arch=x86-64-v3")))
#define PENSTOCK_V4 __attribute__((target("arch=x86-64-v4")))
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

// What the processor has, and the system saves when it switches threads. The compiler's __builtin_cpu_supports reads a
// table that its own library fills, which not every toolchain links, and Clang's does not know f16c.
struct Cpuid {
  unsigned basic = 0;         // of leaf 1, register ECX
  unsigned extended = 0;      // of leaf 7, register EBX
  unsigned extended_ecx = 0;  // of leaf 7, register ECX
  unsigned amd = 0;           // of leaf 0x80000001, register ECX
  unsigned vendor = 0;        // of leaf 0x80000008, register EBX
  unsigned saved = 0;         // XCR0

  Cpuid() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return;
    basic = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) extended = b, extended_ecx = c;
    if (__get_cpuid(0x80000001, &a, &b, &c, &d)) amd = c;
    if (__get_cpuid(0x80000008, &a, &b, &c, &d)) vendor = b;
    if (basic & bit_OSXSAVE) asm("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
  }

  bool has(unsigned basic_bits, unsigned extended_bits = 0, unsigned extended_ecx_bits = 0) const {
    return (basic & basic_bits) == basic_bits && (extended & extended_bits) == extended_bits &&
           (extended_ecx & extended_ecx_bits) == extended_ecx_bits;
  }
  bool saves_avx() const { return (saved & 0x06) == 0x06; }
  bool saves_avx512() const { return (saved & 0xe6) == 0xe6; }
};
inline const Cpuid kCpuid;

inline const bool kHasPclmul = kAllowsAvx2 && kCpuid.has(bit_SSE4_1 | bit_PCLMUL);
inline const bool kHasAvx2 = kAllowsAvx2 && kCpuid.saves_avx() && kCpuid.has(bit_F16C, bit_AVX2);
/// AMD's since Zen: lines of zeros take a short way to memory, whichever instruction writes them.
inline const bool kHasClzero = (kCpuid.vendor & 1) != 0;
inline const bool kHasAvx2Bmi2 = kHasAvx2 && kCpuid.has(bit_POPCNT, bit_BMI | bit_BMI2);
inline const bool kHasAvx512 = kAllowsAvx512 && kCpuid.saves_avx512() && kCpuid.has(0, bit_AVX512F | bit_AVX512BW);
/// The generations that x86-64-v3 and x86-64-v4 are names of.
inline const bool kHasV3 = kHasAvx2Bmi2 && kCpuid.has(bit_FMA | bit_MOVBE) && (kCpuid.amd & bit_LZCNT);
inline const bool kHasV4 = kHasV3 && kHasAvx512 && kCpuid.has(0, bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL);
inline const bool kHasAvx512Vnni = kHasAvx512 && kCpuid.has(0, bit_AVX512VL, bit_AVX512VBMI | bit_AVX512VNNI);
inline const bool kHasAvx512Pclmul =
    kAllowsAvx512 && kHasPclmul && kCpuid.saves_avx512() && kCpuid.has(0, bit_AVX512F, bit_VPCLMULQDQ);
#endif

}  // namespace penstock
