// Steps that move, cut, turn and cast elements.
#include <cstring>

#include "bind/convert.h"
#include "kernels/array/extract_step.h"
#include "kernels/array/flip_step.h"
#include "kernels/array/pass_step.h"
#include "kernels/array/reshape_step.h"
#include "kernels/array/transpose_step.h"
#include "kernels/array/window_rule.h"
#include "kernels/elements/cast_step.h"
#include "memory/per_sample.h"
#include "memory/samples.h"

namespace penstock {
namespace {

using OptionalRows = std::optional<Rows<double>>;

PerSampleRows<double> bounds_of(const OptionalRows& rows) { return rows ? rows_of(*rows) : PerSampleRows<double>(); }

void require_size(size_t given, size_t expected, const char* what) {
  if (given != expected) throw nb::value_error(what);
}

/// Indices must name axes there can be, since kernels use them unseen.
void require_axes(const std::vector<int>& axes) {
  for (const int axis : axes)
    if (axis < 0 || axis >= kMaxDims) throw nb::value_error("no such axis");
}

void make_crop(CropRule* self, const std::vector<int>& axes, const std::vector<Values<float>>& sizes,
               const std::vector<Values<float>>& positions, bool truncates) {
  require_axes(axes);
  require_size(sizes.size(), axes.size(), "a size for every axis");
  require_size(positions.size(), axes.size(), "a position for every axis");
  std::vector<CropRule::Axis> made;
  for (size_t k = 0; k < axes.size(); ++k) made.push_back({axes[k], to_vector(sizes[k]), to_vector(positions[k])});
  new (self) CropRule(std::move(made), truncates);
}

/// The size along axes[k] is the one in column columns[k] of `sizes`; 0, the whole axis, where that is -1.
CropRule crop_of_rows(const std::vector<int>& axes, const Rows<float>& sizes, const std::vector<int>& columns,
                      const std::vector<Values<float>>& positions, bool truncates) {
  require_axes(axes);
  require_size(columns.size(), axes.size(), "a column for every axis");
  require_size(positions.size(), axes.size(), "a position for every axis");
  std::vector<CropRule::Axis> made;
  for (size_t k = 0; k < axes.size(); ++k) {
    std::vector<float> own{0};
    if (columns[k] >= 0) {
      if (columns[k] >= static_cast<int>(sizes.shape(1))) throw nb::value_error("no such column");
      own.clear();
      for (size_t i = 0; i < sizes.shape(0); ++i) own.push_back(sizes.data()[i * sizes.shape(1) + columns[k]]);
    }
    made.push_back({axes[k], std::move(own), to_vector(positions[k])});
  }
  return CropRule(std::move(made), truncates);
}

void make_slice(SliceRule* self, const std::optional<Rows<int32_t>>& axes, const OptionalRows& start, Unit start_unit,
                const OptionalRows& end, Unit end_unit, bool end_is_extent) {
  for (const OptionalRows* bound : {&start, &end})
    if (axes && *bound) require_size((*bound)->shape(1), axes->shape(1), "a bound for every axis");
  SliceRule::Bounds bounds{{bounds_of(start), start_unit}, {bounds_of(end), end_unit}, end_is_extent};
  if (axes)
    new (self) SliceRule(rows_of(*axes), std::move(bounds));
  else
    new (self) SliceRule(std::move(bounds));
}

void make_pad(PadRule* self, const Rows<int32_t>& axes, const Rows<int32_t>& extent, const Rows<int32_t>& align) {
  require_size(extent.shape(1), axes.shape(1), "an extent for every axis");
  require_size(align.shape(1), axes.shape(1), "an alignment for every axis");
  new (self) PadRule(rows_of(axes), rows_of(extent), rows_of(align));
}

void make_extract(Extract* self, std::shared_ptr<WindowRule> rule, int dtype, Border border, const Rows<float>& fill,
                  int channel_axis) {
  Extract::Options options;
  options.border = border;
  options.channel_axis = channel_axis;
  options.dtype = dtype_from(dtype);
  options.fill = rows_of(fill);
  if (fill.shape(1) != 1 && (channel_axis < 0 || channel_axis >= kMaxDims)) throw nb::value_error("no such axis");
  new (self) Extract(std::move(rule), std::move(options));
}

Flip flip_of_columns(const std::vector<int>& axes, const std::vector<Values<int32_t>>& mirrored) {
  require_axes(axes);
  require_size(mirrored.size(), axes.size(), "a flag for every axis");
  size_t n = 1;
  for (const auto& flags : mirrored) n = std::max(n, flags.size());
  for (const auto& flags : mirrored)
    if (flags.size() != 1 && flags.size() != n) throw nb::value_error("a flag for every sample, or one for all");
  std::vector<int32_t> rows(n * axes.size());
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < axes.size(); ++k) rows[i * axes.size() + k] = of_sample(mirrored[k], i);
  return Flip(axes, std::move(rows));
}

void bind_rules(nb::module_& m) {
  nb::class_<WindowRule>(m, "WindowRule", "Tells which part of a sample is taken.");
  nb::class_<CropRule, WindowRule>(m, "CropRule")
      .def("__init__", &make_crop, nb::arg("axes"), nb::arg("sizes"), nb::arg("positions"), nb::arg("truncates"))
      .def_static("of_rows", &crop_of_rows, nb::arg("axes"), nb::arg("sizes"), nb::arg("columns"), nb::arg("positions"),
                  nb::arg("truncates"),
                  "The size along an axis is a column of `sizes`, or all of it where that is -1.");
  nb::enum_<Unit>(m, "Unit", "How the bounds of a slice are given.")
      .value("pixels", Unit::pixels)
      .value("share", Unit::share)
      .value("exact_share", Unit::exact_share);
  nb::class_<SliceRule, WindowRule>(m, "SliceRule")
      .def("__init__", &make_slice, nb::arg("axes").none(), nb::arg("start").none(), nb::arg("start_unit"),
           nb::arg("end").none(), nb::arg("end_unit"), nb::arg("end_is_extent"));
  nb::class_<PadRule, WindowRule>(m, "PadRule")
      .def("__init__", &make_pad, nb::arg("axes"), nb::arg("extent"), nb::arg("align"));
  nb::enum_<Border>(m, "Border", "What lies beyond the edges of a sample.")
      .value("error", Border::error)
      .value("pad", Border::pad)
      .value("trim", Border::trim)
      .value("edge", Border::edge)
      .value("reflect_1001", Border::reflect_1001)
      .value("reflect_101", Border::reflect_101)
      .value("wrap", Border::wrap);
}

}  // namespace

void bind_array_steps(nb::module_& m) {
  bind_rules(m);
  nb::class_<Flip, Step>(m, "Flip")
      .def(
          "__init__",
          [](Flip* self, const std::vector<int>& axes, const Rows<int32_t>& mirrored) {
            require_axes(axes);
            require_size(mirrored.shape(1), axes.size(), "a flag for every axis");
            new (self) Flip(axes, to_vector(mirrored));
          },
          nb::arg("axes"), nb::arg("mirrored"))
      .def_static("of_columns", &flip_of_columns, nb::arg("axes"), nb::arg("mirrored"),
                  "The flags of each axis by themselves: one for all samples, or one for each.");
  nb::class_<Extract, Step>(m, "Extract")
      .def("__init__", &make_extract, nb::arg("rule"), nb::arg("dtype"), nb::arg("border"), nb::arg("fill"),
           nb::arg("channel_axis"));
  nb::class_<Cast, Step>(m, "Cast").def(
      "__init__", [](Cast* self, int dtype) { new (self) Cast(dtype_from(dtype)); }, nb::arg("dtype"));
  nb::class_<Transpose, Step>(m, "Transpose")
      .def(
          "__init__",
          [](Transpose* self, const std::vector<int>& order) {
            if (order.size() > kMaxDims) throw nb::value_error("at most 8 dimensions are supported");
            require_axes(order);
            new (self) Transpose(order);
          },
          nb::arg("order"));
  nb::class_<Pass, Step>(m, "Pass", "Hands samples on as they are.").def(nb::init<>());
  nb::class_<Reshape, Step>(m, "Reshape")
      .def(
          "__init__",
          [](Reshape* self, const Rows<int64_t>& shapes) {
            if (shapes.shape(1) > kMaxDims) throw nb::value_error("at most 8 dimensions are supported");
            new (self) Reshape(rows_of(shapes));
          },
          nb::arg("shapes"));
}

}  // namespace penstock
