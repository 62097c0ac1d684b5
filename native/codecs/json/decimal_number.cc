#include "codecs/json/decimal_number.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace penstock {
namespace {

// Exact as doubles; so a whole number below 2^53, times or by one of them, is rounded once, as it should be.
constexpr double kTens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int64_t kMostDigits = 18;  // of which any fit in 64 bits
constexpr int64_t kLargestExponent = 100000;

double parse_slowly(const char* from, const char* to) {
#ifdef __cpp_lib_to_chars
  double value = 0;
  if (std::from_chars(from, to, value).ec == std::errc()) return value;
#endif
  return std::strtod(std::string(from, to).c_str(), nullptr);
}

/// Adds the digits that follow to `number`; returns how many there are.
template <typename Number>
int64_t take_digits(const char*& at, Number& number, Number largest) {
  const char* const start = at;
  for (; static_cast<unsigned char>(*at - '0') < 10; ++at)
    if (number <= largest) number = number * 10 + static_cast<Number>(*at - '0');
  return at - start;
}

}  // namespace

DecimalNumber parse_number(const char* text) {
  constexpr uint64_t kRoom = UINT64_MAX / 10 - 1;
  const bool negative = *text == '-';
  const char* at = text + negative;
  uint64_t digits = 0;
  int64_t count = take_digits(at, digits, kRoom), exponent = 0;
  if (count == 0) return {0, at, false};
  if (*at == '.') {
    ++at;
    const int64_t fraction = take_digits(at, digits, kRoom);
    if (fraction == 0) return {0, at, false};
    count += fraction;
    exponent = -fraction;
  }
  if (*at == 'e' || *at == 'E') {
    ++at;
    const bool down = *at == '-';
    if (*at == '-' || *at == '+') ++at;
    int64_t given = 0;
    if (take_digits(at, given, kLargestExponent) == 0) return {0, at, false};
    exponent += down ? -given : given;
  }
  if (count > kMostDigits || digits >= uint64_t{1} << 53 || exponent < -22 || exponent > 22)
    return {parse_slowly(text, at), at, true};
  const auto whole = static_cast<double>(digits);
  const double value = exponent < 0 ? whole / kTens[-exponent] : whole * kTens[exponent];
  return {negative ? -value : value, at, true};
}

}  // namespace penstock
