// Arrays and shapes between Python and the core. Included by bind/ only.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bind/gil.h"
#include "memory/per_sample.h"
#include "memory/view.h"

namespace penstock {

namespace nb = nanobind;

using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;

/// Throws TypeError for element types the library does not have (complex, structured, big-endian).
DType dtype_of(nb::dlpack::dtype dtype);
nb::dlpack::dtype dlpack_of(DType dtype);

/// The element type with that code. Throws RuntimeError for codes of enumerations, which kernels do not compute with.
DType dtype_from(int code);

/// Refuses arrays that are not row-major without gaps.
void require_contiguous(const AnyArray& array);

/// Shape of axes [from, ndim) of an array.
Shape shape_of(const AnyArray& array, size_t from);

/// Keeps a Python object for as long as native code needs it; may be let go on any thread.
std::shared_ptr<void> keep(nb::object object);

nb::tuple shape_tuple(const Shape& shape);

/// Refuses more axes than there can be and negative extents.
Shape to_shape(const std::vector<int64_t>& extents);

/// One value per sample, or one for all of them.
template <typename T>
using Values = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// One row per sample, or one for all of them.
template <typename T>
using Rows = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> span_of(const Values<T>& values) {
  return {values.data(), values.size()};
}
template <typename T>
std::vector<T> to_vector(const Values<T>& values) {
  return {values.data(), values.data() + values.size()};
}
template <typename T>
std::vector<T> to_vector(const Rows<T>& rows) {
  return {rows.data(), rows.data() + rows.size()};
}

/// The row of every sample, to be kept by a step.
template <typename T>
PerSampleRows<T> rows_of(const Rows<T>& rows) {
  return {to_vector(rows), rows.shape(1)};
}

/// The value of one sample.
template <typename T>
T of_sample(const Values<T>& values, size_t sample) {
  return values.data()[values.size() == 1 ? 0 : sample];
}

void bind_samples(nb::module_& m);
void bind_chain(nb::module_& m);
void bind_machine(nb::module_& m);
void bind_jpeg(nb::module_& m);
void bind_resize(nb::module_& m);
void bind_files(nb::module_& m);
void bind_records(nb::module_& m);
void bind_tar(nb::module_& m);
void bind_coco(nb::module_& m);
void bind_array_files(nb::module_& m);
void bind_lmdb(nb::module_& m);
void bind_tables(nb::module_& m);
void bind_zip(nb::module_& m);
void bind_random(nb::module_& m);
void bind_array_steps(nb::module_& m);
void bind_color_steps(nb::module_& m);
void bind_image_steps(nb::module_& m);
void bind_noise_steps(nb::module_& m);
void bind_random_window(nb::module_& m);
void bind_assemble(nb::module_& m);
void bind_reduce_steps(nb::module_& m);
void bind_point_steps(nb::module_& m);
void bind_warp_steps(nb::module_& m);
void bind_filter_steps(nb::module_& m);
void bind_sample_error(nb::module_& m);
void bind_sampling(nb::module_& m);
void bind_step_calls(nb::module_& m);
void bind_recent_calls(nb::module_& m);
void bind_call_maker(nb::module_& m);
void bind_call_chain(nb::module_& m);
void bind_result_queue(nb::module_& m);
void bind_graph_replay(nb::module_& m);
void bind_step_maker(nb::module_& m);
void bind_batch_reader(nb::module_& m);
void bind_batch_queue(nb::module_& m);
void bind_boxes(nb::module_& m);
void bind_masks(nb::module_& m);
void bind_arithmetic_steps(nb::module_& m);
void bind_planar_yuv(nb::module_& m);
void bind_audio_steps(nb::module_& m);
void bind_sound(nb::module_& m);

}  // namespace penstock
