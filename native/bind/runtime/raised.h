// The exception that Python code has raised, as an object. Included by bind/ only.
#pragma once

#include "bind/convert.h"

namespace penstock {

/// The exception that has just been raised, which is not set any more. Before Python 3.12 it may not be an object yet,
/// and nanobind 2 does not make one of it.
inline nb::object raised() {
#if PY_VERSION_HEX >= 0x030C0000
  return nb::steal(PyErr_GetRaisedException());
#else
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return nb::steal(value);
#endif
}

}  // namespace penstock
