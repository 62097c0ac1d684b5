// The random orders of readers, draw for draw those of the real library: a seed means the same samples in both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace penstock {

/// Shuffles with a 32-bit Mersenne twister, as `random_shuffle` does once.
void shuffle(std::span<int64_t> items, uint32_t seed);

/// Shuffles with a 64-bit Mersenne twister, as `shuffle_after_epoch` does at every epoch.
void shuffle_wide(std::span<int64_t> items, uint64_t seed);

/// The first state of the generator that `shuffle_window` draws from.
uint32_t window_state(uint32_t seed);

/// The order in which `items` leave a reader that holds `window` of them, hands out a random one and takes in the
/// next. Returns the state of the generator afterwards, which the next stretch of items goes on with.
uint32_t shuffle_window(std::span<int64_t> items, size_t window, uint32_t state);

}  // namespace penstock
