#include "memory/memory_limit.h"

#include <cstdio>
#include <stdexcept>
#include <string>

namespace penstock {

void require_memory(std::string_view what, double bytes, int64_t max_bytes) {
  if (bytes <= static_cast<double>(max_bytes)) return;
  char needed[32];
  std::snprintf(needed, sizeof needed, bytes < 1e18 ? "%.0f" : "%.3g", bytes);
  throw std::runtime_error(std::string(what) + " would take " + needed + " bytes of memory, more than the limit of " +
                           std::to_string(max_bytes) + "; raise max_bytes, or PENSTOCK_MAX_BYTES, to allow it");
}

}  // namespace penstock
