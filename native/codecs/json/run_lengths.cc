#include "codecs/json/run_lengths.h"

#include <limits>
#include <stdexcept>
#include <string>

namespace penstock {

// Digits of 5 bits from '0' on, the lowest first; bit 5 of a digit says that another follows, bit 4 of the last one is
// the sign. From the fourth number on they are differences to the number before the last.
void append_runs(std::vector<uint32_t>& runs, std::string_view text) {
  const size_t first = runs.size();
  for (size_t at = 0; at < text.size();) {
    int64_t value = 0;
    int shift = 0;
    bool more = true;
    while (more) {
      if (at == text.size()) throw std::runtime_error("the run lengths end in the middle of a number");
      const int digit = text[at++] - '0';
      if (digit < 0 || digit > 63 || shift > 35) throw std::runtime_error("these are no run lengths of COCO's");
      value |= static_cast<int64_t>(digit & 31) << shift;
      shift += 5;
      more = digit & 32;
      if (!more && digit & 16) value -= int64_t{1} << shift;
    }
    if (runs.size() - first > 2) value += runs[runs.size() - 2];
    if (value < 0 || value > std::numeric_limits<uint32_t>::max())
      throw std::runtime_error("a run cannot have a length of " + std::to_string(value));
    runs.push_back(static_cast<uint32_t>(value));
  }
}

}  // namespace penstock
