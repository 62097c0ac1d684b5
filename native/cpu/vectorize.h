// One body compiled for the baseline and for AVX2, chosen at run time. No FMA: products and sums round separately on
// both paths, so the results are the same bit for bit.
#pragma once

#include "cpu/instruction_sets.h"

#if defined(__GNUC__) || defined(__clang__)
#define PENSTOCK_INLINE __attribute__((always_inline))
#else
#define PENSTOCK_INLINE
#endif

// Before a loop over arrays that do not overlap, where there are too many for compilers to check that by themselves.
#if defined(__clang__)
#define PENSTOCK_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define PENSTOCK_INDEPENDENT _Pragma("GCC ivdep")
#else
#define PENSTOCK_INDEPENDENT
#endif

namespace penstock {

#ifdef PENSTOCK_X86
// `body` is copied: what a reference captures could be overwritten through a byte pointer, for all the compiler knows,
// and that keeps loops over bytes from being vectorised. Here and not by the caller, who copies 16 bytes of what it has
// just written in parts of 8, and has to wait for them: 6 % of the time that a sum of rows of 4 KB takes.
template <typename Body>
PENSTOCK_AVX2 void run_avx2(const Body& body) {
  Body own = body;
  own();
}

// Never inlined: each function that inlined it would compile the body for the baseline once more.
template <typename Body>
[[gnu::noinline]] void run_baseline(const Body& body) {
  Body own = body;
  own();
}

/// Runs `body`, a lambda marked PENSTOCK_INLINE that captures by value, with the widest vectors there are.
template <typename Body>
void run_wide(const Body& body) {
  kHasAvx2 ? run_avx2(body) : run_baseline(body);
}
#else
template <typename Body>
void run_wide(const Body& body) {
  Body own = body;
  own();
}
#endif

}  // namespace penstock
