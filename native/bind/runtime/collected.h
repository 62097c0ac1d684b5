// Bound classes that hold Python objects which may refer back to them. Included by bind/ only.
#pragma once

#include <initializer_list>

#include "bind/convert.h"

namespace penstock {

template <typename T>
int traverse_bound(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? nb::inst_ptr<T>(self)->traverse(visit, arg) : 0;
}
template <typename T>
int clear_bound(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<T>(self)->clear();
  return 0;
}

/// What `traverse` returns for a class that holds these objects.
inline int visit_all(std::initializer_list<const nb::object*> held, visitproc visit, void* arg) {
  for (const nb::object* each : held) Py_VISIT(each->ptr());
  return 0;
}

/// Has the garbage collector see through a class: `traverse` visits the Python objects that it holds, `clear` lets go.
template <typename T>
inline PyType_Slot kCollected[] = {{Py_tp_traverse, reinterpret_cast<void*>(&traverse_bound<T>)},
                                   {Py_tp_clear, reinterpret_cast<void*>(&clear_bound<T>)},
                                   {0, nullptr}};

}  // namespace penstock
