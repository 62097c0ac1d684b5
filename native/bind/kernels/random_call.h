// The random numbers that one call of an operator draws, as Python hands them over. Included by bind/ only.
#pragma once

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace penstock {

/// The state of the generator that a call starts from.
using RandomWords = std::array<uint32_t, 7>;

/// The same, and the number of the first sample: where a batch is worked on in parts, each part begins at its own.
using RandomCall = std::pair<RandomWords, size_t>;

}  // namespace penstock
