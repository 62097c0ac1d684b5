// Which instruction sets of 64-bit ARM kernels have a form for: those of x86 are in instruction_sets.h.
#pragma once

// PENSTOCK_NEON stands where the forms for NEON are compiled. Every such CPU has it: there is nothing to ask.
#if defined(__aarch64__) && defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PENSTOCK_NEON 1
#endif

// CRC instructions are an option that nearly every CPU has: taken for granted where the compiler is told so, and asked
// for otherwise. PENSTOCK_ARM_CRC marks a function that is compiled for them, to be called only where kHasArmCrc.
#ifdef __ARM_FEATURE_CRC32
#define PENSTOCK_ARM_CRC
#elif defined(PENSTOCK_NEON) && defined(__linux__) && !defined(__clang__)
#define PENSTOCK_ARM_CRC __attribute__((target("+crc")))
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace penstock {

#ifdef __ARM_FEATURE_CRC32
inline constexpr bool kHasArmCrc = true;
#elif defined(PENSTOCK_ARM_CRC)
inline const bool kHasArmCrc = getauxval(AT_HWCAP) & HWCAP_CRC32;
#endif

}  // namespace penstock
