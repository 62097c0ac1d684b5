// Arrays of random numbers. But for beta, element i depends on the sequence and on i alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/random/philox.h"
#include "memory/view.h"

namespace penstock {

/// Evenly between low and high, which is left out. Whole numbers are the nearest of such numbers, kept in their range.
void fill_uniform(View out, PhiloxTiles& tiles, float low, float high);

/// One of `values`, all alike.
void fill_from_values(View out, PhiloxTiles& tiles, std::span<const float> values);

/// 1 with the given probability, else 0; `out` is u8, i32 or boolean.
void fill_coin_flip(View out, PhiloxTiles& tiles, float probability);

/// Normally distributed; whole numbers are the nearest ones.
void fill_normal(View out, PhiloxTiles& tiles, float mean, float stddev);

/// Beta distributed; `out` is f32 or f64. Neighbours share normal numbers, so elements are made in order.
void fill_beta(View out, PhiloxTiles& tiles, float alpha, float beta);

/// Where the words of neighbouring draws lie: apart as those of an array's elements, or one after the other.
enum class Draws { apart, in_a_row };

/// Whole numbers from 0 to count - 1, all alike; `out` is of a type of whole numbers that has them all.
void fill_indices(View out, PhiloxTiles& tiles, int64_t count, Draws draws);

/// For each index the sum of the probabilities up to it, over the sum of all.
std::vector<double> cumulative(std::span<const float> probabilities);

/// Whole numbers from 0 to sums.size() - 1 with the probabilities `sums` was made of.
void fill_indices(View out, PhiloxTiles& tiles, std::span<const double> sums, Draws draws);

}  // namespace penstock
