// The error that says where in an archive something is wrong.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace penstock {

[[noreturn]] inline void damaged(int64_t offset, const std::string& why) {
  throw std::runtime_error("at byte " + std::to_string(offset) + ": " + why);
}

}  // namespace penstock
