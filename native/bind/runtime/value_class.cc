#include "bind/runtime/value_class.h"

namespace penstock {

SlotMember::SlotMember(nb::handle type, const char* name) : member_(type.attr(name)) {
  PyTypeObject* const kind = Py_TYPE(member_.ptr());
  get_ = reinterpret_cast<descrgetfunc>(PyType_GetSlot(kind, Py_tp_descr_get));
  set_ = reinterpret_cast<descrsetfunc>(PyType_GetSlot(kind, Py_tp_descr_set));
  if (!get_ || !set_) throw nb::type_error("not a member of a class with slots");
}

ValueClass::ValueClass(nb::handle type)
    : type_(nb::borrow(type)),
      samples_(type, "_samples"),
      call_(type, "_call"),
      index_(type, "_index"),
      spec_(type, "_spec") {
  if (!nb::hasattr(type, "_size")) return;
  size_.emplace(type, "_size");
  tensors_.emplace(type, "_tensors");
}

nb::object ValueClass::of_samples(nb::handle samples) const {
  const nb::object size = size_ ? nb::object(nb::int_(nb::len(samples))) : nb::none();
  return made(samples, nb::none(), nb::int_(0), nb::none(), size);
}

nb::object ValueClass::of_call(nb::handle call, nb::handle index, nb::handle spec, nb::handle size) const {
  return made(nb::none(), call, index, spec, size);
}

nb::object ValueClass::of_call(nb::handle call, nb::handle index, nb::handle spec, nb::handle size,
                               nb::handle handles) const {
  nb::object made = of_call(call, index, spec, size);
  const nb::object handle = nb::steal(PyWeakref_NewRef(made.ptr(), nullptr));
  throw_if(!handle.is_valid() || PyList_Append(handles.ptr(), handle.ptr()) != 0);
  return made;
}

nb::object ValueClass::made(nb::handle samples, nb::handle call, nb::handle index, nb::handle spec,
                            nb::handle size) const {
  nb::object value = nb::steal(PyType_GenericAlloc(reinterpret_cast<PyTypeObject*>(type_.ptr()), 0));
  throw_if(!value.is_valid());
  samples_.set(value, samples);
  call_.set(value, call);
  index_.set(value, index);
  spec_.set(value, spec);
  if (size_) {
    size_->set(value, size);
    tensors_->set(value, nb::none());
  }
  return value;
}

}  // namespace penstock
