// Keeps compilers from rearranging the inner loops that are written for the latencies and registers of the CPU.
#pragma once

#include "cpu/vectorize.h"

namespace penstock {

/// `x`, a number or a pointer in a register, of which compilers know nothing any more: what is computed from it is not
/// taken from elsewhere, nor put together with what was computed from `x` before.
template <typename T>
PENSTOCK_INLINE inline T opaque(T x) {
#if defined(__GNUC__) || defined(__clang__)
  asm("" : "+r"(x));
#endif
  return x;
}

/// What stands in memory, loaded at this place even if it has been loaded before: to keep it would take a register.
template <typename T>
PENSTOCK_INLINE inline T reload(const T& from) {
  return static_cast<const volatile T&>(from);
}

}  // namespace penstock
