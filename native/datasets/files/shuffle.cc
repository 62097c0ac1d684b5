#include "datasets/files/shuffle.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace penstock {
namespace {

// The standard fixes what generators yield but not what distributions and std::shuffle make of it, so those are
// written out here the way libstdc++ has them: one draw for two swaps, and a multiplication instead of a remainder.

uint64_t high_product(uint64_t a, uint64_t b, uint64_t& low) {
  const uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  const uint64_t carry = a0 * b1 + (middle & 0xffffffff);
  low = a * b;
  return a1 * b1 + (middle >> 32) + (carry >> 32);
}

// A number below n.
uint64_t draw(std::mt19937& engine, uint64_t n) {
  const auto range = static_cast<uint32_t>(n);
  uint64_t product = uint64_t{static_cast<uint32_t>(engine())} * range;
  if (static_cast<uint32_t>(product) < range) {
    const uint32_t threshold = -range % range;
    while (static_cast<uint32_t>(product) < threshold) product = uint64_t{static_cast<uint32_t>(engine())} * range;
  }
  return product >> 32;
}

uint64_t draw(std::mt19937_64& engine, uint64_t n) {
  uint64_t low;
  uint64_t high = high_product(engine(), n, low);
  if (low < n) {
    const uint64_t threshold = -n % n;
    while (low < threshold) high = high_product(engine(), n, low);
  }
  return high;
}

template <typename Engine>
void shuffle_with(Engine engine, std::span<int64_t> items) {
  const size_t n = items.size();
  if (n < 2) return;
  size_t i = 1;
  const bool in_pairs = Engine::max() / n >= n;
  if (in_pairs && n % 2 == 0) {
    std::swap(items[1], items[draw(engine, 2)]);
    i = 2;
  }
  while (in_pairs && i < n) {
    const uint64_t both = draw(engine, (i + 1) * (i + 2));
    std::swap(items[i], items[both / (i + 2)]);
    std::swap(items[i + 1], items[both % (i + 2)]);
    i += 2;
  }
  for (; i < n; ++i) std::swap(items[i], items[draw(engine, i + 1)]);
}

constexpr uint32_t kModulus = 2147483647;  // of minstd_rand0
constexpr uint32_t kMultiplier = 16807;

}  // namespace

void shuffle(std::span<int64_t> items, uint32_t seed) { shuffle_with(std::mt19937(seed), items); }

void shuffle_wide(std::span<int64_t> items, uint64_t seed) { shuffle_with(std::mt19937_64(seed), items); }

uint32_t window_state(uint32_t seed) {
  std::seed_seq sequence{seed};
  std::array<uint32_t, 4> words;
  sequence.generate(words.begin(), words.end());
  return std::max(words[3] % kModulus, 1u);
}

uint32_t shuffle_window(std::span<int64_t> items, size_t window, uint32_t state) {
  for (size_t i = 0; i < items.size(); ++i) {
    const auto held = static_cast<uint32_t>(std::min(window, items.size() - i));
    const uint32_t bucket = (kModulus - 2) / held;
    uint32_t chosen;
    do {
      state = static_cast<uint32_t>(uint64_t{state} * kMultiplier % kModulus);
      chosen = (state - 1) / bucket;
    } while (chosen >= held);
    std::swap(items[i], items[i + chosen]);
  }
  return state;
}

}  // namespace penstock
