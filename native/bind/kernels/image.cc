// Steps that crop, mirror and normalize images, and put constants or parts of other samples into them.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bind/convert.h"
#include "kernels/image/crop_mirror_normalize_step.h"
#include "kernels/image/erase_step.h"
#include "kernels/image/grid_mask_step.h"
#include "kernels/image/multi_paste_step.h"
#include "kernels/image/paste_rule.h"

namespace penstock {
namespace {

template <typename T>
PerSampleLists<T> lists_of(const Values<T>& values, const std::vector<int64_t>& counts) {
  int64_t all = 0;
  for (const int64_t count : counts) all += count;
  if (all != static_cast<int64_t>(values.size()) || counts.empty()) throw nb::value_error("counts that do not add up");
  return {to_vector(values), counts};
}

void require_axis(int axis) {
  if (axis < 0 || axis >= kMaxDims) throw nb::value_error("no such axis");
}

void make_crop_mirror_normalize(CropMirrorNormalize* self, std::shared_ptr<WindowRule> rule, int dtype, Border border,
                                const std::vector<float>& fill, const Values<int32_t>& mirror, const Rows<float>& mean,
                                const Rows<float>& std, float scale, float shift, bool pads_channels, int width_axis,
                                int channel_axis, const std::vector<int>& order) {
  for (const int axis : order) require_axis(axis);
  require_axis(width_axis);
  require_axis(channel_axis);
  CropMirrorNormalize::Options options;
  options.border = border;
  options.fill = fill;
  options.mirror = to_vector(mirror);
  options.mean = rows_of(mean);
  options.std = rows_of(std);
  options.scale = scale;
  options.shift = shift;
  options.pads_channels = pads_channels;
  options.width_axis = width_axis;
  options.channel_axis = channel_axis;
  options.order = order;
  options.dtype = dtype_from(dtype);
  new (self) CropMirrorNormalize(std::move(rule), std::move(options));
}

void make_erase(Erase* self, const std::vector<int>& axes, const Values<float>& anchor,
                const std::vector<int64_t>& anchors, const Values<float>& shape, const std::vector<int64_t>& shapes,
                bool anchor_is_share, bool shape_is_share, bool centered, const Rows<float>& fill, int channel_axis) {
  for (const int axis : axes) require_axis(axis);
  if (axes.empty() || fill.shape(1) == 0) throw nb::value_error("axes and a value are needed");
  if (fill.shape(1) != 1) require_axis(channel_axis);
  new (self) Erase({axes,
                    lists_of(anchor, anchors),
                    lists_of(shape, shapes),
                    anchor_is_share,
                    shape_is_share,
                    centered,
                    {to_vector(fill), fill.shape(1)},
                    channel_axis});
}

/// Values, how many each sample has, and whether they are shares.
using Sides = std::optional<std::tuple<Values<float>, std::vector<int64_t>, bool>>;

RegionSides sides_of(const Sides& sides) {
  if (!sides) return {};
  const auto& [values, counts, is_share] = *sides;
  return {lists_of(values, counts), is_share};
}

using Ids = std::optional<std::pair<Values<int32_t>, std::vector<int64_t>>>;

void make_multi_paste(MultiPaste* self, const std::vector<Samples>& inputs, const Ids& ids,
                      const std::optional<Rows<int32_t>>& size, const Sides& in, const Sides& shape, const Sides& out,
                      size_t batch, int dtype) {
  for (const Samples& input : inputs)
    if (input.ndim() != 3 && input.ndim() != 4) throw nb::value_error("samples have axes H, W, C or F, H, W, C");
  MultiPaste::Arguments arguments;
  arguments.inputs = inputs;
  if (ids) arguments.ids = lists_of(ids->first, ids->second);
  if (size && size->shape(1) < 2) throw nb::value_error("a canvas has a height and a width");
  if (size) arguments.size = {to_vector(*size), size->shape(1)};
  arguments.in = sides_of(in);
  arguments.shape = sides_of(shape);
  arguments.out = sides_of(out);
  arguments.batch = batch;
  arguments.dtype = dtype_from(dtype);
  new (self) MultiPaste(std::move(arguments));
}

}  // namespace

void bind_image_steps(nb::module_& m) {
  nb::class_<CropMirrorNormalize, Step>(m, "CropMirrorNormalize")
      .def("__init__", &make_crop_mirror_normalize, nb::arg("rule"), nb::arg("dtype"), nb::arg("border"),
           nb::arg("fill"), nb::arg("mirror"), nb::arg("mean"), nb::arg("std"), nb::arg("scale"), nb::arg("shift"),
           nb::arg("pads_channels"), nb::arg("width_axis"), nb::arg("channel_axis"), nb::arg("order"));
  nb::class_<PasteRule, WindowRule>(m, "PasteRule")
      .def(
          "__init__",
          [](PasteRule* self, const Values<float>& ratio, const Values<float>& least, const Values<float>& y,
             const Values<float>& x) {
            new (self) PasteRule({to_vector(ratio), to_vector(least), to_vector(y), to_vector(x)});
          },
          nb::arg("ratio"), nb::arg("least"), nb::arg("y"), nb::arg("x"));
  nb::class_<Erase, Step>(m, "Erase")
      .def("__init__", &make_erase, nb::arg("axes"), nb::arg("anchor"), nb::arg("anchors"), nb::arg("shape"),
           nb::arg("shapes"), nb::arg("anchor_is_share"), nb::arg("shape_is_share"), nb::arg("centered"),
           nb::arg("fill"), nb::arg("channel_axis"));
  nb::class_<GridMask, Step>(m, "GridMask")
      .def(
          "__init__",
          [](GridMask* self, int row_axis, const Values<int32_t>& tile, const Values<float>& ratio,
             const Values<float>& angle, const Values<float>& shift_x, const Values<float>& shift_y) {
            require_axis(row_axis + 1);
            new (self) GridMask(row_axis, {to_vector(tile), to_vector(ratio), to_vector(angle), to_vector(shift_x),
                                           to_vector(shift_y)});
          },
          nb::arg("row_axis"), nb::arg("tile"), nb::arg("ratio"), nb::arg("angle"), nb::arg("shift_x"),
          nb::arg("shift_y"));
  nb::class_<MultiPaste, Step>(m, "MultiPaste")
      .def("__init__", &make_multi_paste, nb::arg("inputs"), nb::arg("ids").none(), nb::arg("size").none(),
           nb::arg("in_anchors").none(), nb::arg("shapes").none(), nb::arg("out_anchors").none(), nb::arg("batch"),
           nb::arg("dtype"));
}

}  // namespace penstock
