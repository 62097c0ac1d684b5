// Finds the part of a signal that is louder than silence.
#pragma once

#include "memory/view.h"

namespace penstock {

struct SilenceRule {
  int64_t window = 2048;   // samples whose power is averaged
  int64_t restart = 8192;  // samples after which sums are made anew, so that errors do not pile up; 0: never
  float ratio = 1e-6F;     // of the reference; less is silence
  float reference = 0;     // a power; 0: the largest there is
};

struct NonsilentRegion {
  int64_t begin = 0, length = 0;
};

/// Where a signal begins and ceases to be louder than silence. `sums` has room for as many floats as there are samples.
NonsilentRegion nonsilent_region(ConstView signal, const SilenceRule& rule, float* sums);

}  // namespace penstock
