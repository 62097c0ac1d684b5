// Items of lists and dicts that a program has given. Without an interpreter lock other threads may change these at any
// time, so items are owned and lists are compared as copies; with it, both would only take time. Included by bind/
// only.
#pragma once

#include "bind/runtime/value_class.h"

namespace penstock {

/// A value that nobody changes: a list is copied.
inline nb::object unchanging(nb::handle value) {
  if (!PyList_CheckExact(value.ptr())) return nb::borrow(value);
  nb::object copy = nb::steal(PyList_GetSlice(value.ptr(), 0, PyList_Size(value.ptr())));
  throw_if(!copy.is_valid());
  return copy;
}

#ifdef Py_GIL_DISABLED

using Item = nb::object;

/// A value whose items can be looked at one after the other.
inline nb::object compared(nb::handle value) { return unchanging(value); }

inline Item list_item(nb::handle list, Py_ssize_t k) {
  PyObject* const found = PyList_GetItemRef(list.ptr(), k);
  throw_if(!found);
  return nb::steal(found);
}

/// Not valid where there is none.
inline Item find_item(nb::handle dict, nb::handle key) {
  PyObject* found = nullptr;
  throw_if(PyDict_GetItemRef(dict.ptr(), key.ptr(), &found) < 0);
  return nb::steal(found);
}

#else

using Item = nb::handle;

inline nb::handle compared(nb::handle value) { return value; }

inline Item list_item(nb::handle list, Py_ssize_t k) {
  PyObject* const found = PyList_GetItem(list.ptr(), k);
  throw_if(!found);
  return found;
}

inline Item find_item(nb::handle dict, nb::handle key) {
  PyObject* const found = PyDict_GetItemWithError(dict.ptr(), key.ptr());
  throw_if(!found && PyErr_Occurred());
  return found;
}

#endif

}  // namespace penstock
