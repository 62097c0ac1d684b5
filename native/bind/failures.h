// What went wrong with samples of a batch, told to Python. Included by bind/ only.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

namespace penstock {

// File names are bytes and may be no text at all; Python's own way of decoding them always gives a message.
inline nanobind::object text_of(const std::string& bytes) {
  return nanobind::steal(PyUnicode_DecodeFSDefaultAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size())));
}

/// The errors that are not empty, by the position of their sample.
inline nanobind::dict by_position(const std::vector<std::string>& errors) {
  nanobind::dict failures;
  for (size_t i = 0; i < errors.size(); ++i)
    if (!errors[i].empty()) failures[nanobind::int_(i)] = text_of(errors[i]);
  return failures;
}

}  // namespace penstock
