// The Python classes of Tensors and Batches, whose objects every call makes: their members are read and written without
// looking up a name. Included by bind/ only.
#pragma once

#include <optional>

#include "bind/convert.h"

namespace penstock {

/// Throws the Python exception that is set, where a function of the interpreter says that there is one.
inline void throw_if(bool failed) {
  if (failed) throw nb::python_error();
}

/// A member in the `__slots__` of a Python class.
class SlotMember {
 public:
  SlotMember(nb::handle type, const char* name);

  nb::object get(nb::handle object) const {
    PyObject* const found = get_(member_.ptr(), object.ptr(), reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())));
    throw_if(!found);
    return nb::steal(found);
  }
  void set(nb::handle object, nb::handle value) const { throw_if(set_(member_.ptr(), object.ptr(), value.ptr()) != 0); }

 private:
  nb::object member_;
  descrgetfunc get_;
  descrsetfunc set_;
};

/// `Tensor` or `Batch`, or a class derived from one of them.
class ValueClass {
 public:
  explicit ValueClass(nb::handle type);

  bool is(nb::handle type) const { return type_.is(type); }
  bool is_class_of(nb::handle value) const { return type_.ptr() == reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())); }
  bool is_batch() const { return size_.has_value(); }

  // Members of an object of this very class.
  nb::object samples(nb::handle value) const { return samples_.get(value); }
  nb::object call(nb::handle value) const { return call_.get(value); }
  nb::object index(nb::handle value) const { return index_.get(value); }
  nb::object spec(nb::handle value) const { return spec_.get(value); }
  nb::object size(nb::handle value) const { return size_->get(value); }

  nb::object of_samples(nb::handle samples) const;

  /// A result of a call that may not have run yet; `size` is the number of samples of a Batch.
  nb::object of_call(nb::handle call, nb::handle index, nb::handle spec, nb::handle size) const;
  /// The same; a weak reference to it is added to `handles`, so that a result which nobody can ask for need not be
  /// stored.
  nb::object of_call(nb::handle call, nb::handle index, nb::handle spec, nb::handle size, nb::handle handles) const;

 private:
  nb::object made(nb::handle samples, nb::handle call, nb::handle index, nb::handle spec, nb::handle size) const;

  nb::object type_;
  SlotMember samples_, call_, index_, spec_;
  std::optional<SlotMember> size_, tensors_;  // of Batches
};

}  // namespace penstock
