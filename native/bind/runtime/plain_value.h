// Constant arguments of calls, compared with those of later calls. Included by bind/ only.
#pragma once

#include <cmath>

#include "bind/runtime/items.h"

namespace penstock {

/// Whether two values are of the same type and, if they are floats, of the same sign: -0.0 equals 0.0 otherwise.
inline bool are_alike(PyObject* a, PyObject* b) {
  if (Py_TYPE(a) != Py_TYPE(b)) return false;
  return !PyFloat_CheckExact(a) || std::signbit(PyFloat_AsDouble(a)) == std::signbit(PyFloat_AsDouble(b));
}

/// Whether a value is of the same type as a number, a string or the like, or a list or tuple of them, and equal to it,
/// with items of the same types: True is no 1, and 1 no 1.0.
inline bool equals_plain(nb::handle given, nb::handle plain) {
  const auto value = compared(given);
  if (!are_alike(value.ptr(), plain.ptr())) return false;
  const bool are_lists = PyList_CheckExact(value.ptr());
  if (are_lists || PyTuple_CheckExact(value.ptr())) {
    const auto size = are_lists ? &PyList_Size : &PyTuple_Size;
    const auto item = are_lists ? &PyList_GetItem : &PyTuple_GetItem;
    const Py_ssize_t n = size(value.ptr());
    if (n != size(plain.ptr())) return false;
    for (Py_ssize_t k = 0; k < n; ++k)
      if (!are_alike(item(value.ptr(), k), item(plain.ptr(), k))) return false;
  }
  const int equal = PyObject_RichCompareBool(value.ptr(), plain.ptr(), Py_EQ);
  throw_if(equal < 0);
  return equal;
}

}  // namespace penstock
