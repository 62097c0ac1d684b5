// Calls of Python functions and look-ups of attributes, in which the interpreter may end the calling thread, see
// bind/gil.h. Included by bind/ only.
#pragma once

#include "bind/runtime/value_class.h"

namespace penstock {

template <typename... Arguments>
nb::object call_python(const nb::object& function, const Arguments&... arguments) {
  PyObject* const given[] = {arguments.ptr()..., nullptr};
  PyObject* const result =
      unless_ended([&] { return PyObject_Vectorcall(function.ptr(), given, sizeof...(arguments), nullptr); });
  throw_if(!result);
  return nb::steal(result);
}

/// An interned name, by which attributes are found faster.
struct AttributeName {
  explicit AttributeName(const char* name) : text(nb::steal(PyUnicode_InternFromString(name))) {
    throw_if(!text.is_valid());
  }

  nb::object of(nb::handle object) const {
    PyObject* const found = unless_ended([&] { return PyObject_GetAttr(object.ptr(), text.ptr()); });
    throw_if(!found);
    return nb::steal(found);
  }
  void set(nb::handle object, nb::handle value) const {
    throw_if(PyObject_SetAttr(object.ptr(), text.ptr(), value.ptr()) != 0);
  }

  nb::object text;
};

/// An object of a class that `typing.NamedTuple` has made.
template <typename... Members>
nb::object named_tuple(nb::handle type, const Members&... members) {
  static const nb::handle make =
      nb::object(nb::handle(reinterpret_cast<PyObject*>(&PyTuple_Type)).attr("__new__")).release();
  return call_python(nb::borrow(make), type, nb::make_tuple(members...));
}

}  // namespace penstock
