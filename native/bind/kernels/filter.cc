// Steps that look at the surroundings of every pixel.
#include "bind/convert.h"
#include "codecs/jpeg/jpeg_distortion_step.h"
#include "kernels/filter/correlate_step.h"
#include "kernels/filter/gaussian_blur_step.h"
#include "kernels/filter/laplacian_step.h"
#include "kernels/filter/median_blur_step.h"
#include "kernels/filter/morphology_step.h"

namespace penstock {
namespace {

/// Axes there can be, and a value for each of them in every row.
template <typename... Arrays>
SpatialAxes spatial_axes(int first, int count, const Arrays&... rows) {
  if (first < 0 || count < 1 || count > 3 || first + count > kMaxDims) throw nb::value_error("no such axes");
  if (((rows.shape(1) != static_cast<size_t>(count)) || ...)) throw nb::value_error("a value for every axis");
  return {first, count};
}

/// Sizes of windows; memory is laid out by them.
PerSampleRows<int32_t> window_sizes(const Rows<int32_t>& rows, int32_t smallest) {
  for (const int32_t size : to_vector(rows))
    if (size < smallest || size % 2 == 0 || size > 0xFFFF) throw nb::value_error("no such window");
  return rows_of(rows);
}

void make_gaussian_blur(GaussianBlur* self, int first, int count, const Rows<float>& sigma, const Rows<int32_t>& size,
                        int dtype) {
  const SpatialAxes axes = spatial_axes(first, count, sigma, size);
  new (self) GaussianBlur(axes, rows_of(sigma), window_sizes(size, 1), dtype_from(dtype));
}

void make_laplacian(Laplacian* self, int first, int count, const Rows<int32_t>& window,
                    const std::optional<Rows<int32_t>>& smoothing, const Rows<float>& scale, bool normalizes,
                    int dtype) {
  const SpatialAxes axes = spatial_axes(first, count, window, scale, smoothing ? *smoothing : window);
  Laplacian::Options options;
  options.window = window_sizes(window, 3);
  if (smoothing) options.smoothing = window_sizes(*smoothing, 1);
  options.scale = rows_of(scale);
  options.normalizes = normalizes;
  options.dtype = dtype_from(dtype);
  new (self) Laplacian(axes, std::move(options));
}

using Filters = std::vector<nb::ndarray<const float, nb::c_contig, nb::device::cpu>>;

void make_filter(Filter* self, int first, int count, const Filters& filters, const Rows<int32_t>& anchor,
                 const Values<float>& fill, Border border, bool whole_only, int dtype) {
  const SpatialAxes axes = spatial_axes(first, count, anchor);
  Filter::Options options;
  for (const auto& array : filters) {
    if (array.ndim() != static_cast<size_t>(count) || array.size() == 0) throw nb::value_error("no such filter");
    options.filters.push_back({{array.data(), array.data() + array.size()}, shape_of(AnyArray(array), 0)});
  }
  options.anchor = rows_of(anchor);
  options.fill = to_vector(fill);
  options.border = border;
  options.whole_only = whole_only;
  options.dtype = dtype_from(dtype);
  new (self) Filter(axes, std::move(options));
}

void make_morphology(Morphology* self, int first, Extreme extreme, const Rows<int32_t>& mask,
                     const Rows<int32_t>& anchor, Border border) {
  spatial_axes(first, 2, mask, anchor);
  if (mask.shape(0) != anchor.shape(0)) throw nb::value_error("an anchor for every mask");
  for (size_t i = 0; i < mask.size(); ++i)
    if (mask.data()[i] > 0xFFFF || anchor.data()[i] < 0 || anchor.data()[i] >= mask.data()[i])
      throw nb::value_error("no such mask");
  new (self) Morphology(first, extreme, rows_of(mask), rows_of(anchor), border);
}

void make_median_blur(MedianBlur* self, int first, const Values<int32_t>& size) {
  spatial_axes(first, 2);
  for (const int32_t side : to_vector(size))
    if (side != 1 && side != 3 && side != 5) throw nb::value_error("no such window");
  new (self) MedianBlur(first, to_vector(size));
}

}  // namespace

void bind_filter_steps(nb::module_& m) {
  nb::class_<GaussianBlur, Step>(m, "GaussianBlur")
      .def("__init__", &make_gaussian_blur, nb::arg("first_axis"), nb::arg("axes"), nb::arg("sigma"), nb::arg("size"),
           nb::arg("dtype"));
  nb::class_<Laplacian, Step>(m, "Laplacian")
      .def("__init__", &make_laplacian, nb::arg("first_axis"), nb::arg("axes"), nb::arg("window"),
           nb::arg("smoothing").none(), nb::arg("scale"), nb::arg("normalizes"), nb::arg("dtype"));
  nb::class_<Filter, Step>(m, "Filter")
      .def("__init__", &make_filter, nb::arg("first_axis"), nb::arg("axes"), nb::arg("filters"), nb::arg("anchor"),
           nb::arg("fill"), nb::arg("border"), nb::arg("whole_only"), nb::arg("dtype"));
  nb::enum_<Extreme>(m, "Extreme", "Which pixel of a surrounding is taken.")
      .value("smallest", Extreme::smallest)
      .value("largest", Extreme::largest);
  nb::class_<Morphology, Step>(m, "Morphology")
      .def("__init__", &make_morphology, nb::arg("first_axis"), nb::arg("extreme"), nb::arg("mask"), nb::arg("anchor"),
           nb::arg("border"));
  nb::class_<MedianBlur, Step>(m, "MedianBlur")
      .def("__init__", &make_median_blur, nb::arg("first_axis"), nb::arg("size"));
  nb::class_<JpegDistortion, Step>(m, "JpegDistortion")
      .def(
          "__init__",
          [](JpegDistortion* self, const Values<int32_t>& quality) { new (self) JpegDistortion(to_vector(quality)); },
          nb::arg("quality"));
}

}  // namespace penstock
