// Objects of Python classes with slots that are made again and again with mostly the same members. Included by bind/
// only.
#pragma once

#include <string_view>

#include "bind/runtime/value_class.h"

namespace penstock {

/// Makes objects like a given one. Members in `own` are left unset: each object gets its own.
class ObjectTemplate {
 public:
  ObjectTemplate(nb::handle object, std::initializer_list<std::string_view> own);

  nb::object make() const {
    nb::object made = nb::steal(PyType_GenericAlloc(reinterpret_cast<PyTypeObject*>(type_.ptr()), 0));
    throw_if(!made.is_valid());
    for (const Member& member : members_) member.slot.set(made, unshared(member.value));
    return made;
  }

  nb::handle type() const { return type_; }

  int traverse(visitproc visit, void* arg) const {
    for (const Member& member : members_) Py_VISIT(member.value.ptr());
    return 0;
  }

 private:
  struct Member {
    SlotMember slot;
    nb::object value;
  };

  // Empty lists and dicts are the object's own, since others may add to them. Full ones are shared.
  static nb::object unshared(const nb::object& value) {
    if (PyList_CheckExact(value.ptr()) && !PyList_Size(value.ptr())) return nb::list();
    if (PyDict_CheckExact(value.ptr()) && !PyDict_Size(value.ptr())) return nb::dict();
    return value;
  }

  nb::object type_;
  std::vector<Member> members_;
};

}  // namespace penstock
