// Samples that are the bytes of files, records or messages. Included by bind/ only.
#pragma once

#include <nanobind/nanobind.h>

#include <span>
#include <string>

#include "memory/samples.h"

namespace penstock {

/// Refuses samples that are not; `what` says what they are meant to be.
inline void require_bytes(const Samples& samples, const std::string& what) {
  if (samples.dtype() != DType::u8 || samples.ndim() != 1)
    throw nanobind::type_error((what + " are vectors of uint8").c_str());
}

inline std::span<const std::byte> bytes_of(const Samples& samples, size_t i) {
  return {samples.data(i), static_cast<size_t>(samples.shape(i).volume())};
}

}  // namespace penstock
