// Numbers as text, for image files that are meant to be looked at.
#pragma once

#include <cstdint>

namespace penstock {

/// Most bytes `put_decimals` writes for a row of n numbers.
constexpr int64_t most_decimals(int64_t n) { return 4 * n + 1; }

/// Writes rows of `columns` numbers, each with a space after it, a line a row; returns the end of the text.
char* put_decimals(char* out, const uint8_t* in, int64_t rows, int64_t columns);

}  // namespace penstock
