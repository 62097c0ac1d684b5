#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

#include "bind/convert.h"
#include "steps/random_rule.h"

namespace penstock {
namespace {

using Words = std::array<uint32_t, 7>;
using Bounds = std::pair<float, float>;

RandomWindow window_of(const Words& words, Bounds area, Bounds aspect_ratio, int attempts) {
  return RandomWindow(words, {area.first, area.second}, {aspect_ratio.first, aspect_ratio.second}, attempts);
}

nb::tuple random_window(const Words& words, size_t sample, int64_t height, int64_t width, Bounds area,
                        Bounds aspect_ratio, int attempts) {
  const Rect window = window_of(words, area, aspect_ratio, attempts)(sample, height, width);
  return nb::make_tuple(window.y, window.x, window.height, window.width);
}

void make_rule(RandomRule* self, const Words& words, Bounds area, Bounds aspect_ratio, int attempts, int height_axis,
               int width_axis) {
  for (const int axis : {height_axis, width_axis})
    if (axis < 0 || axis >= kMaxDims) throw nb::value_error("no such axis");
  new (self) RandomRule(window_of(words, area, aspect_ratio, attempts), height_axis, width_axis);
}

}  // namespace

void bind_random_window(nb::module_& m) {
  m.def("random_window", &random_window, nb::arg("words"), nb::arg("sample"), nb::arg("height"), nb::arg("width"),
        nb::arg("area"), nb::arg("aspect_ratio"), nb::arg("attempts"),
        "Top, left, height and width of the window that `RandomRule` takes of a picture.");
  nb::class_<RandomRule, WindowRule>(m, "RandomRule")
      .def("__init__", &make_rule, nb::arg("words"), nb::arg("area"), nb::arg("aspect_ratio"), nb::arg("attempts"),
           nb::arg("height_axis"), nb::arg("width_axis"));
}

}  // namespace penstock
