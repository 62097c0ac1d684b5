#include "kernels/random/permutation.h"

#include <limits>
#include <numeric>
#include <utility>

#include "kernels/random/draws.h"

namespace penstock {
namespace {

// Every cycle through all places is as likely as any other.
void draw_cycle(std::span<int32_t> items, PhiloxReader& words) {
  const auto n = static_cast<uint32_t>(items.size());
  for (uint32_t i = 0; i + 1 < n; ++i) std::swap(items[i], items[i + 1 + even_share(words, n - i - 1)]);
}

// One draw decides two swaps while both choices together fit into a word.
void draw_order(std::span<int32_t> items, PhiloxReader& words) {
  const auto n = static_cast<uint32_t>(items.size());
  const bool in_pairs = std::numeric_limits<uint32_t>::max() / n >= n;
  uint32_t i = 1;
  if (in_pairs && n % 2 == 0) {
    std::swap(items[1], items[even_share(words, 2)]);
    i = 2;
  }
  for (; in_pairs && i < n; i += 2) {
    const uint32_t both = even_share(words, (i + 1) * (i + 2));
    std::swap(items[i], items[both / (i + 2)]);
    std::swap(items[i + 1], items[both % (i + 2)]);
  }
  for (; i < n; ++i) std::swap(items[i], items[even_share(words, i + 1)]);
}

}  // namespace

void fill_permutation(std::span<int32_t> out, const Philox& sequence, bool moves_all) {
  std::iota(out.begin(), out.end(), 0);
  if (out.size() < 2) return;
  PhiloxReader words(sequence);
  moves_all ? draw_cycle(out, words) : draw_order(out, words);
}

void fill_choices(std::span<int32_t> out, const Philox& sequence, bool moves_all) {
  const auto n = static_cast<uint32_t>(out.size());
  if (n == 1) out[0] = 0;
  if (n < 2) return;
  PhiloxReader words(sequence);
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t drawn = even_share(words, moves_all ? n - 1 : n);
    out[i] = static_cast<int32_t>(drawn + (moves_all && drawn >= i));
  }
}

}  // namespace penstock
