#include "bind/convert.h"

#include <stdexcept>

namespace penstock {

DType dtype_of(nb::dlpack::dtype dtype) {
  using Code = nb::dlpack::dtype_code;
  for (int code = 0; code <= static_cast<int>(DType::boolean); ++code)
    if (dlpack_of(static_cast<DType>(code)) == dtype) return static_cast<DType>(code);
  if (dtype.code == static_cast<uint8_t>(Code::Complex)) throw nb::type_error("complex numbers are not supported");
  throw nb::type_error("this element type is not supported");
}

DType dtype_from(int code) {
  if (code < 0 || code > static_cast<int>(DType::boolean))
    throw std::runtime_error("there is no kernel for element type " + std::to_string(code));
  return static_cast<DType>(code);
}

nb::dlpack::dtype dlpack_of(DType dtype) {
  using Code = nb::dlpack::dtype_code;
  constexpr Code codes[] = {Code::UInt, Code::UInt, Code::UInt,  Code::UInt,  Code::Int,   Code::Int,
                            Code::Int,  Code::Int,  Code::Float, Code::Float, Code::Float, Code::Bool};
  const int index = static_cast<int>(dtype);
  return {static_cast<uint8_t>(codes[index]), static_cast<uint8_t>(8 * item_bytes(dtype)), 1};
}

void require_contiguous(const AnyArray& array) {
  if (array.size() == 0) return;
  int64_t expected = 1;
  for (size_t axis = array.ndim(); axis-- > 0;) {
    if (array.shape(axis) != 1 && array.stride(axis) != expected)
      throw std::runtime_error("Strided data not supported; make it contiguous, e.g. with numpy.ascontiguousarray");
    expected *= static_cast<int64_t>(array.shape(axis));
  }
}

Shape shape_of(const AnyArray& array, size_t from) {
  if (array.ndim() - from > kMaxDims)
    throw nb::value_error(("at most 8 dimensions are supported, got " + std::to_string(array.ndim() - from)).c_str());
  Shape shape;
  shape.ndim = static_cast<int>(array.ndim() - from);
  for (size_t axis = from; axis < array.ndim(); ++axis) shape[axis - from] = array.shape(axis);
  return shape;
}

Shape to_shape(const std::vector<int64_t>& extents) {
  if (extents.size() > kMaxDims) throw nb::value_error("at most 8 dimensions are supported");
  Shape shape;
  shape.ndim = static_cast<int>(extents.size());
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] < 0) throw nb::value_error("negative extent in a shape");
    shape[axis] = extents[axis];
  }
  return shape;
}

std::shared_ptr<void> keep(nb::object object) {
  return {object.release().ptr(), [](void* p) {
            if (!nb::is_alive()) return;
            const GilAcquire acquire;
            unless_ended([p] { Py_DECREF(static_cast<PyObject*>(p)); });
          }};
}

nb::tuple shape_tuple(const Shape& shape) {
  nb::list extents;
  for (int axis = 0; axis < shape.ndim; ++axis) extents.append(shape[axis]);
  return nb::tuple(extents);
}

}  // namespace penstock
