#include "os/guarded_copy.h"

namespace penstock {

bool guards_copies() { return false; }

bool guarded_copy(void (*)(std::byte*, const std::byte*, int64_t), std::byte*, const std::byte*, int64_t) {
  return false;
}

}  // namespace penstock
