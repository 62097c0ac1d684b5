#include "kernels/elements/decimal_text.h"

#include <cstring>

namespace penstock {
namespace {

struct Words {
  char text[256][4];
  uint8_t length[256];
  constexpr Words() : text(), length() {
    for (int value = 0; value < 256; ++value) {
      char* to = text[value];
      if (value >= 100) *to++ = static_cast<char>('0' + value / 100);
      if (value >= 10) *to++ = static_cast<char>('0' + value / 10 % 10);
      *to++ = static_cast<char>('0' + value % 10);
      *to++ = ' ';
      length[value] = static_cast<uint8_t>(to - text[value]);
    }
  }
};
constexpr Words kWords;

}  // namespace

char* put_decimals(char* out, const uint8_t* in, int64_t rows, int64_t columns) {
  for (int64_t row = 0; row < rows; ++row) {
    for (const uint8_t* end = in + columns; in < end; ++in) {
      std::memcpy(out, kWords.text[*in], 4);
      out += kWords.length[*in];
    }
    *out++ = '\n';
  }
  return out;
}

}  // namespace penstock
