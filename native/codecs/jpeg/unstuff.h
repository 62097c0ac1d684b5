// The coded data of a JPEG copied without its stuffing: the zero behind each 0xFF that is not a marker.
#pragma once

#include <cstdint>

#include "cpu/instruction_sets.h"

namespace penstock {

/// How far the data has been copied.
struct UnstuffedCopy {
  const uint8_t* from;
  uint8_t* to;
};

#ifdef PENSTOCK_X86
/// Goes on with a copy, 64 bytes at once, up to a marker or a few bytes before `end`. Writes up to 64 bytes more than
/// it copies. May be called only where kHasAvx512Vbmi2.
UnstuffedCopy copy_unstuffed_avx512(UnstuffedCopy copy, const uint8_t* end);
#endif

}  // namespace penstock
