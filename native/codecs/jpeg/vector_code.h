// Whether plain JPEGs can be decoded by vector code: AVX2 with BMI2, or NEON, which every 64-bit ARM has.
#pragma once

#include "cpu/arm_instruction_sets.h"
#include "cpu/instruction_sets.h"

// Defined where there is such code.
#if defined(PENSTOCK_X86) || defined(PENSTOCK_NEON)
#define PENSTOCK_JPEG_VECTORS
#endif

// Marks what handles bits where has_jpeg_vectors(). In a class it stands at the declaration: GCC does not heed it at
// the definition of a template.
#if defined(PENSTOCK_X86)
#define PENSTOCK_BIT_CODE PENSTOCK_AVX2_BMI2
#else
#define PENSTOCK_BIT_CODE
#endif

namespace penstock {

#if defined(PENSTOCK_X86)
inline bool has_jpeg_vectors() { return kHasAvx2Bmi2; }
#elif defined(PENSTOCK_NEON)
inline bool has_jpeg_vectors() { return true; }
#endif

}  // namespace penstock
