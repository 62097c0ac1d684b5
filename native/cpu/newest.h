// Functions compiled for several generations of x86, of which the newest that the CPU has is called.
#pragma once

#include "cpu/vectorize.h"

namespace penstock {

/// kFunction in each of its forms. It is PENSTOCK_INLINE, and so are the functions that its loops call, or compilers
/// inline them by themselves: one that stayed outside would be compiled for the oldest.
template <auto kFunction>
struct Forms;

template <typename Result, typename... Parameters, Result (*kFunction)(Parameters...)>
struct Forms<kFunction> {
#ifdef PENSTOCK_X86
  [[gnu::noinline]] PENSTOCK_V4 static Result v4(Parameters... given) { return kFunction(given...); }
  [[gnu::noinline]] PENSTOCK_V3 static Result v3(Parameters... given) { return kFunction(given...); }
#endif
  [[gnu::noinline]] static Result oldest(Parameters... given) { return kFunction(given...); }

  static Result newest(Parameters... given) {
#ifdef PENSTOCK_X86
    if (kHasV4) return v4(given...);
    if (kHasV3) return v3(given...);
#endif
    return oldest(given...);
  }
};

/// Calls a function in the form for the newest instruction sets. All forms give the same bits: `fma` is one where it is
/// written, and products and sums round separately elsewhere.
template <auto kFunction, typename... Given>
auto newest(Given&&... given) {
  return Forms<kFunction>::newest(given...);
}

}  // namespace penstock
