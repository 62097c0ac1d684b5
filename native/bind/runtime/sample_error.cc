// The exception that names the sample in which something went wrong.
#include "bind/convert.h"
#include "runtime/each_sample.h"

namespace penstock {
namespace {

/// Raises `_native.SampleError(sample, message)`.
void translate(const std::exception_ptr& thrown, void* type) {
  try {
    std::rethrow_exception(thrown);
  } catch (const SampleError& error) {
    const nb::object arguments = nb::make_tuple(error.sample, error.what());
    PyErr_SetObject(static_cast<PyObject*>(type), arguments.ptr());
  }
}

}  // namespace

void bind_sample_error(nb::module_& m) {
  const nb::object type = nb::steal(PyErr_NewExceptionWithDoc(
      "penstock._native.SampleError", "Raised with the number of a sample and what went wrong there.",
      PyExc_RuntimeError, nullptr));
  m.attr("SampleError") = type;
  nb::register_exception_translator(&translate, type.ptr());
}

}  // namespace penstock
