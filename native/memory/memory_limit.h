// How much memory one sample may take. Sizes come from headers, which anybody can write: they are held against the
// limit before anything is allocated.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

namespace penstock {

/// Throws std::runtime_error where `what` would take more than `max_bytes`. Sizes are doubles because what a header
/// promises may be beyond any integer.
void require_memory(std::string_view what, double bytes, int64_t max_bytes);

/// The same with a function that makes the text, which is called only for the error.
template <std::invocable What>
void require_memory(const What& what, double bytes, int64_t max_bytes) {
  if (!(bytes <= static_cast<double>(max_bytes))) require_memory(std::string_view(what()), bytes, max_bytes);
}

}  // namespace penstock
