#include "bind/runtime/object_template.h"

#include <algorithm>

namespace penstock {

ObjectTemplate::ObjectTemplate(nb::handle object, std::initializer_list<std::string_view> own)
    : type_(nb::borrow(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())))) {
  for (nb::handle base : type_.attr("__mro__")) {
    const nb::object slots = base.attr("__dict__").attr("get")("__slots__", nb::tuple());
    for (nb::handle name : slots) {
      const char* const text = nb::cast<const char*>(name);
      // libc++ 14 has no std::ranges::find.
      if (std::find(own.begin(), own.end(), std::string_view(text)) != own.end()) continue;
      SlotMember member(type_, text);
      nb::object value = member.get(object);
      members_.push_back({std::move(member), std::move(value)});
    }
  }
}

}  // namespace penstock
