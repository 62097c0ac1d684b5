// The numbers of libjpeg's slow and exact integer transform, for each form of it.
#pragma once

#include <cstdint>

namespace penstock {

// Cosines as fractions of 13 bits.
inline constexpr int kFraction = 13;
inline constexpr int16_t k0_298 = 2446, k0_390 = 3196, k0_541 = 4433, k0_765 = 6270, k0_899 = 7373, k1_175 = 9633,
                         k1_501 = 12299, k1_847 = 15137, k1_961 = 16069, k2_053 = 16819, k2_562 = 20995, k3_072 = 25172;
inline constexpr int kKept = 2;  // bits of fraction between the passes

}  // namespace penstock
