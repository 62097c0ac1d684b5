// Steps that take pixels from anywhere.
#include <nanobind/stl/array.h>

#include <algorithm>

#include "bind/convert.h"
#include "kernels/warp/affine_step.h"
#include "kernels/warp/displace_step.h"
#include "kernels/warp/perspective_step.h"
#include "kernels/warp/remap_step.h"
#include "memory/samples.h"

namespace penstock {
namespace {

PerSampleRows<float> rows_of_width(const Rows<float>& rows, size_t width, const char* what) {
  if (rows.shape(0) == 0 || rows.shape(1) != width) throw nb::value_error(what);
  return {to_vector(rows), width};
}

template <typename T>
PerSample<T> values_of(const Values<T>& values) {
  if (values.size() == 0) throw nb::value_error("a value for every sample");
  return to_vector(values);
}

void make_options(WarpOptions* self, int dtype, int interp, Border border, const std::vector<float>& fill,
                  const std::optional<Rows<int64_t>>& size, int channel_axis) {
  if (interp < 0 || interp > static_cast<int>(Lookup::lanczos3)) throw nb::value_error("no such interpolation");
  if (fill.empty()) throw nb::value_error("at least one fill value");
  if (size && (size->shape(0) == 0 || *std::min_element(size->data(), size->data() + size->size()) < 0))
    throw nb::value_error("a size for every sample, none of them negative");
  new (self) WarpOptions{static_cast<Lookup>(interp), border, fill, dtype_from(dtype), channel_axis, {}};
  if (size) self->size = {to_vector(*size), size->shape(1)};
}

const WarpOptions& of_axes(const WarpOptions& options, size_t axes) {
  if (options.size.width() != 0 && options.size.width() != axes) throw nb::value_error("a size for every axis");
  return options;
}

void make_affine(AffineWarp* self, const WarpOptions& options, const Rows<float>& matrices) {
  new (self) AffineWarp(of_axes(options, 2), rows_of_width(matrices, 6, "matrices of 2 x 3 numbers"));
}

void make_affine_volume(AffineVolumeWarp* self, const WarpOptions& options, const Rows<float>& matrices) {
  new (self) AffineVolumeWarp(of_axes(options, 3), rows_of_width(matrices, 12, "matrices of 3 x 4 numbers"));
}

void make_rotate(Rotate* self, const WarpOptions& options, const Values<float>& angles, bool keeps_size) {
  new (self) Rotate(of_axes(options, 2), values_of(angles), keeps_size);
}

void make_rotate_volume(RotateVolume* self, const WarpOptions& options, const Values<float>& angles,
                        const Rows<float>& axes, bool keeps_size) {
  new (self)
      RotateVolume(of_axes(options, 3), values_of(angles), rows_of_width(axes, 3, "axes of 3 numbers"), keeps_size);
}

void make_perspective(PerspectiveWarp* self, const WarpOptions& options, const Rows<float>& matrices, double origin,
                      float grid) {
  new (self)
      PerspectiveWarp(of_axes(options, 2), rows_of_width(matrices, 9, "matrices of 3 x 3 numbers"), origin, grid);
}

void make_remap(Remap* self, const WarpOptions& options, const Samples& map_x, const Samples& map_y, float shift,
                bool rounds) {
  for (const Samples* map : {&map_x, &map_y})
    if (map->size() == 0 || map->dtype() != DType::f32 || (map->ndim() != 2 && map->ndim() != 3))
      throw nb::value_error("maps of float32, H, W or H, W, 1");
  new (self) Remap(of_axes(options, 0), map_x, map_y, shift, rounds);
}

std::vector<float> jitter_shifts(const std::array<uint32_t, 7>& words, size_t sample, size_t pixels, uint32_t reach) {
  std::vector<float> shifts(2 * pixels);
  for (size_t first = 0; first < pixels; first += kSampleBlock) {
    const int n = static_cast<int>(std::min<size_t>(kSampleBlock, pixels - first));
    JitterShifts{words, reach}.draw(&shifts[first], &shifts[pixels + first], sample, static_cast<int64_t>(first), n);
  }
  return shifts;
}

void bind_rotations(nb::module_& m) {
  nb::class_<Rotation>(m, "Rotation", "The way from a turned image or volume back to the upright one.")
      .def(
          "__init__",
          [](Rotation* self, float degrees, std::array<float, 3> axis) { new (self) Rotation(degrees, axis.data()); },
          nb::arg("degrees"), nb::arg("axis"))
      .def("canvas", &Rotation::canvas, nb::arg("box"), "The smallest box around a turned box; widths along x, y, z.")
      .def("between", &Rotation::between, nb::arg("out"), nb::arg("in_"),
           "Rows of x, y and z: from places in `out` to places in `in_`.");
  nb::class_<Rotate, Step>(m, "Rotate")
      .def("__init__", &make_rotate, nb::arg("options"), nb::arg("angles"), nb::arg("keeps_size"));
  nb::class_<RotateVolume, Step>(m, "RotateVolume")
      .def("__init__", &make_rotate_volume, nb::arg("options"), nb::arg("angles"), nb::arg("axes"),
           nb::arg("keeps_size"));
}

void bind_displacements(nb::module_& m) {
  nb::class_<Wave>(m, "Wave").def(nb::init<float, float, float>(), nb::arg("amplitude"), nb::arg("frequency"),
                                  nb::arg("phase"));
  nb::class_<Water, Step>(m, "Water")
      .def(
          "__init__",
          [](Water* self, const WarpOptions& options, const Values<int32_t>& mask, Wave across, Wave down) {
            new (self) Water(of_axes(options, 0), values_of(mask), across, down);
          },
          nb::arg("options"), nb::arg("mask"), nb::arg("across"), nb::arg("down"));
  nb::class_<Sphere, Step>(m, "Sphere")
      .def(
          "__init__",
          [](Sphere* self, const WarpOptions& options, const Values<int32_t>& mask) {
            new (self) Sphere(of_axes(options, 0), values_of(mask));
          },
          nb::arg("options"), nb::arg("mask"));
  nb::class_<Jitter, Step>(m, "Jitter")
      .def(
          "__init__",
          [](Jitter* self, const WarpOptions& options, const Values<int32_t>& mask, std::array<uint32_t, 7> words,
             uint32_t reach) {
            new (self) Jitter(of_axes(options, 0), values_of(mask), {words, reach});
          },
          nb::arg("options"), nb::arg("mask"), nb::arg("words"), nb::arg("reach"));
  m.def("jitter_shifts", &jitter_shifts, nb::arg("words"), nb::arg("sample"), nb::arg("pixels"), nb::arg("reach"),
        "How far `Jitter` moves the pixels of a sample: all shifts across, then all shifts down.");
}

}  // namespace

void bind_warp_steps(nb::module_& m) {
  nb::class_<WarpOptions>(m, "WarpOptions", "How pixels are looked up.")
      .def("__init__", &make_options, nb::arg("dtype"), nb::arg("interp"), nb::arg("border"), nb::arg("fill"),
           nb::arg("size").none(), nb::arg("channel_axis"));
  nb::class_<AffineWarp, Step>(m, "AffineWarp").def("__init__", &make_affine, nb::arg("options"), nb::arg("matrices"));
  nb::class_<AffineVolumeWarp, Step>(m, "AffineVolumeWarp")
      .def("__init__", &make_affine_volume, nb::arg("options"), nb::arg("matrices"));
  nb::class_<PerspectiveWarp, Step>(m, "PerspectiveWarp")
      .def("__init__", &make_perspective, nb::arg("options"), nb::arg("matrices"), nb::arg("origin"), nb::arg("grid"));
  nb::class_<Remap, Step>(m, "Remap")
      .def("__init__", &make_remap, nb::arg("options"), nb::arg("map_x"), nb::arg("map_y"), nb::arg("shift"),
           nb::arg("rounds"));
  bind_rotations(m);
  bind_displacements(m);
}

}  // namespace penstock
