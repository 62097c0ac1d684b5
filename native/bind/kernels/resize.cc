// The resizing step, and the rule that gives the sizes.
#include "bind/convert.h"
#include "kernels/resize/resize_step.h"

namespace penstock {
namespace {

using FloatRows = Rows<float>;

std::vector<float> rows_or_none(const std::optional<FloatRows>& rows) {
  return rows ? to_vector(*rows) : std::vector<float>{};
}

ResizeRule make_resize_rule(size_t axes, const FloatRows& requested, ResizeMode mode,
                            const std::optional<FloatRows>& max_size, const std::optional<FloatRows>& region_start,
                            const std::optional<FloatRows>& region_end, bool region_is_relative,
                            bool keep_scale_exact) {
  return {axes,
          to_vector(requested),
          mode,
          rows_or_none(max_size),
          rows_or_none(region_start),
          rows_or_none(region_end),
          region_is_relative,
          keep_scale_exact};
}

std::vector<Interp> to_filters(const Values<int32_t>& codes) {
  std::vector<Interp> filters;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (codes.data()[i] < 0 || codes.data()[i] > static_cast<int>(Interp::gaussian))
      throw std::runtime_error("there is no interpolation type " + std::to_string(codes.data()[i]));
    filters.push_back(static_cast<Interp>(codes.data()[i]));
  }
  return filters;
}

nb::list targets(const ResizeRule& rule, const std::vector<int64_t>& extents) {
  if (extents.size() != rule.axes()) throw nb::value_error("one extent per axis is needed");
  Shape shape;
  std::vector<int> axes;
  for (const int64_t extent : extents) {
    shape[shape.ndim] = extent;
    axes.push_back(shape.ndim++);
  }
  AxisTarget found[kMaxDims];
  rule.apply(0, shape, axes, found);
  nb::list result;
  for (size_t axis = 0; axis < rule.axes(); ++axis)
    result.append(nb::make_tuple(found[axis].size, found[axis].lo, found[axis].hi));
  return result;
}

}  // namespace

void bind_resize(nb::module_& m) {
  nb::enum_<ResizeMode>(m, "ResizeMode")
      .value("standard", ResizeMode::standard)
      .value("stretch", ResizeMode::stretch)
      .value("not_larger", ResizeMode::not_larger)
      .value("not_smaller", ResizeMode::not_smaller);
  nb::enum_<SizeRounding>(m, "SizeRounding")
      .value("nearest", SizeRounding::nearest)
      .value("down", SizeRounding::down)
      .value("up", SizeRounding::up);
  nb::class_<ResizeRule>(m, "ResizeRule", "What size a resized sample gets, and which part of the input it shows.")
      .def(nb::new_(&make_resize_rule), nb::arg("axes"), nb::arg("requested"), nb::arg("mode"),
           nb::arg("max_size").none(), nb::arg("region_start").none(), nb::arg("region_end").none(),
           nb::arg("region_is_relative"), nb::arg("keep_scale_exact"))
      .def("set_window", &ResizeRule::set_window, nb::arg("window"), "Takes the region from a rule.")
      .def("set_scales", &ResizeRule::set_scales, "Takes the requested sizes as multiples of the input's extents.")
      .def(
          "set_rounding",
          [](ResizeRule& rule, SizeRounding rounding, const FloatRows& alignment) {
            rule.set_rounding(rounding, to_vector(alignment));
          },
          nb::arg("rounding"), nb::arg("alignment"))
      .def(
          "set_crop",
          [](ResizeRule& rule, std::shared_ptr<WindowRule> crop, const Values<int32_t>& mirror) {
            rule.set_crop(std::move(crop), to_vector(mirror));
          },
          nb::arg("crop"), nb::arg("mirror"), "Makes only a part of the result, mirrored along the axes in `mirror`.")
      .def("targets", &targets, nb::arg("extents"), "For each axis of the first sample: size, lo, hi.");
  nb::class_<Resize, Step>(m, "Resize")
      .def(
          "__init__",
          [](Resize* self, std::vector<int> axes, const ResizeRule& rule, const Values<int32_t>& min_filter,
             const Values<int32_t>& mag_filter, bool antialias, int dtype) {
            new (self) Resize(
                {std::move(axes), rule, to_filters(min_filter), to_filters(mag_filter), antialias, dtype_from(dtype)});
          },
          nb::arg("axes"), nb::arg("rule"), nb::arg("min_filter"), nb::arg("mag_filter"), nb::arg("antialias"),
          nb::arg("dtype"));
}

}  // namespace penstock
