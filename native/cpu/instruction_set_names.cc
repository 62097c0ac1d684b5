#include "cpu/instruction_set_names.h"

#include "cpu/instruction_sets.h"

namespace penstock {

std::string instruction_set_names() {
#if defined(PENSTOCK_X86)
  std::string used = kHasAvx512 ? "AVX-512" : kHasAvx2 ? "AVX2" : "SSE2";
  if (kHasAvx512Vnni) used += ", VNNI";
  if (kHasAvx512Pclmul)
    used += ", VPCLMULQDQ";
  else if (kHasPclmul)
    used += ", PCLMULQDQ";
  return used;
#elif defined(__aarch64__)
#ifdef __ARM_FEATURE_CRC32
  return "NEON, CRC32";
#else
  return "NEON";
#endif
#else
  return "none";
#endif
}

}  // namespace penstock
