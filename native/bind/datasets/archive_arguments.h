// What the bindings of archives share: lists of names, arrays of numbers, errors. Included by bind/ only.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "bind/convert.h"
#include "bind/datasets/file_names.h"
#include "bind/failures.h"

namespace penstock {

inline std::vector<std::string> to_strings(const nb::list& names) {
  std::vector<std::string> strings;
  for (nb::handle name : names) strings.emplace_back(view_of(nb::cast<nb::bytes>(name)));
  return strings;
}

inline nb::object array_of(const std::vector<int64_t>& values) {
  return nb::cast(nb::ndarray<nb::numpy, const int64_t, nb::ndim<1>>(values.data(), {values.size()}),
                  nb::rv_policy::copy);
}

// Messages have names of files in them, which are bytes and may be no text at all.
template <typename Work>
void without_gil(const Work& work) {
  std::string problem;
  try {
    GilRelease release;
    work();
    return;
  } catch (const std::runtime_error& error) {
    problem = error.what();
  }
  PyErr_SetObject(PyExc_RuntimeError, text_of(problem).ptr());
  throw nb::python_error();
}

}  // namespace penstock
