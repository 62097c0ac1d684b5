#include <algorithm>

#include "cpu/newest.h"
#include "kernels/random/poisson.h"

namespace penstock {
namespace {

/// Elements that are not done: the product of what they drew so far, and how often it was above their limit.
struct Active {
  int n = 0;
  int place[kDrawBlocks];
  double limit[kDrawBlocks], product[kDrawBlocks], count[kDrawBlocks];
  uint32_t carry[kDrawBlocks];
  uint64_t block[kDrawBlocks];
};

PENSTOCK_INLINE inline void multiply(Active& active, const uint32_t* low, const uint32_t* high) {
  for (int i = 0; i < active.n; ++i) {
    const double word = static_cast<double>(high[i]) * 0x1p32 + static_cast<double>(low[i]);
    active.product[i] *= std::min(word * 0x1p-64, 1 - 0x1p-53);
    active.count[i] += active.product[i] > active.limit[i] ? 1 : 0;
  }
}

/// Finished elements do no harm: their products stay below their limits. They go when they are a third of all.
void drop_finished(Active& active, float* out) {
  int kept = 0;
  for (int i = 0; i < active.n; ++i) kept += active.product[i] > active.limit[i];
  if (3 * kept > 2 * active.n) {
    for (int i = 0; i < active.n; ++i) ++active.block[i];
    return;
  }
  kept = 0;
  for (int i = 0; i < active.n; ++i) {
    out[active.place[i]] = static_cast<float>(active.count[i]);
    active.place[kept] = active.place[i];
    active.limit[kept] = active.limit[i];
    active.product[kept] = active.product[i];
    active.count[kept] = active.count[i];
    active.carry[kept] = active.carry[i];
    active.block[kept] = active.block[i] + 1;
    kept += active.product[i] > active.limit[i];
  }
  active.n = kept;
}

}  // namespace

void draw_small_poisson(float* out, const int* element, const double* limit, int n, PhiloxTiles& tiles, int64_t first) {
  if (n == 0) return;
  Active active;
  active.n = n;
  int start = 0;
  for (int i = 0; i < n; ++i) {
    const uint64_t position =
        tiles.sequence().phase + kWordsBetweenElements * static_cast<uint64_t>(first + element[i]);
    start = static_cast<int>(position % 4);
    active.place[i] = element[i];
    active.limit[i] = limit[i];
    active.product[i] = 1;
    active.count[i] = 0;
    active.block[i] = position / 4;
  }
  Blocks words;
  // Numbers take two words each; where elements start with an odd one, a number lies across two blocks.
  const bool odd = start % 2 != 0;
  for (bool is_first = true; active.n > 0; is_first = false) {
    tiles.read_blocks(&words, 1, active.block, active.n);
    if (odd) {
      if (!is_first) newest<multiply>(active, active.carry, words[0]);
      if (!is_first || start == 1) newest<multiply>(active, words[1], words[2]);
      std::copy_n(words[3], active.n, active.carry);
    } else {
      if (!is_first || start == 0) newest<multiply>(active, words[0], words[1]);
      newest<multiply>(active, words[2], words[3]);
    }
    drop_finished(active, out);
  }
}

}  // namespace penstock
