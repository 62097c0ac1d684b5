// Random windows of random_resized_crop.
#include "bind/convert.h"
#include "bind/kernels/random_call.h"
#include "kernels/image/random_window_rule.h"

namespace penstock {
namespace {

using Range = std::pair<float, float>;

RandomWindow window_of(const RandomWords& words, Range area, Range aspect_ratio, int attempts) {
  return RandomWindow(words, {area.first, area.second}, {aspect_ratio.first, aspect_ratio.second}, attempts);
}

/// Top, left, height and width of a window for every row of `sizes`, which are heights and widths; sample `first` is
/// the one of the first row.
nb::ndarray<nb::numpy, int32_t> random_windows(const RandomWords& words, size_t first, const Rows<int64_t>& sizes,
                                               Range area, Range aspect_ratio, int attempts) {
  if (sizes.shape(1) != 2) throw nb::value_error("a height and a width in every row");
  const RandomWindow window = window_of(words, area, aspect_ratio, attempts);
  const size_t n = sizes.shape(0);
  auto made = std::make_unique<int32_t[]>(n * 4);
  for (size_t i = 0; i < n; ++i) {
    const Rect rect = window(first + i, sizes(i, 0), sizes(i, 1));
    const int64_t found[] = {rect.y, rect.x, rect.height, rect.width};
    std::copy(found, found + 4, made.get() + i * 4);
  }
  nb::capsule owner(made.get(), [](void* memory) noexcept { delete[] static_cast<int32_t*>(memory); });
  return nb::ndarray<nb::numpy, int32_t>(made.release(), {n, 4}, owner);
}

void make_random_rule(RandomRule* self, const RandomWords& words, Range area, Range aspect_ratio, int attempts,
                      int height_axis, int width_axis) {
  for (const int axis : {height_axis, width_axis})
    if (axis < 0 || axis >= kMaxDims) throw nb::value_error("no such axis");
  new (self) RandomRule(window_of(words, area, aspect_ratio, attempts), height_axis, width_axis);
}

}  // namespace

void bind_random_window(nb::module_& m) {
  m.def("random_windows", &random_windows, nb::arg("words"), nb::arg("first"), nb::arg("sizes"), nb::arg("area"),
        nb::arg("aspect_ratio"), nb::arg("attempts"),
        "Top, left, height and width of the windows that `RandomRule` takes of pictures of these sizes.");
  nb::class_<RandomRule, WindowRule>(m, "RandomRule")
      .def("__init__", &make_random_rule, nb::arg("words"), nb::arg("area"), nb::arg("aspect_ratio"),
           nb::arg("attempts"), nb::arg("height_axis"), nb::arg("width_axis"));
}

}  // namespace penstock
