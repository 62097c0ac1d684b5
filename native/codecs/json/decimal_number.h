// Numbers as JSON writes them.
#pragma once

namespace penstock {

struct DecimalNumber {
  double value = 0;
  const char* stopped = nullptr;  // at the first character that is no part of the number
  bool good = false;
};

/// The number that starts at `text`, which ends in a character that no number can hold.
DecimalNumber parse_number(const char* text);

}  // namespace penstock
