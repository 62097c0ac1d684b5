#include "cpu/instruction_set_names.h"

#include "cpu/arm_instruction_sets.h"
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
#elif defined(PENSTOCK_NEON)
#ifdef PENSTOCK_ARM_CRC
  if (kHasArmCrc) return "NEON, CRC32";
#endif
  return "NEON";
#else
  return "none";
#endif
}

}  // namespace penstock
