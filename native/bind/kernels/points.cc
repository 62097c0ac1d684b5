// Steps that move points.
#include "bind/convert.h"
#include "kernels/boxes/points_step.h"

namespace penstock {
namespace {

void make_map_points(MapPoints* self, const Rows<float>& matrix, int64_t columns, bool moves, const Rows<float>& shift,
                     int dtype) {
  if (columns < 0) throw nb::value_error("a matrix cannot have less than no columns");
  if (columns && matrix.shape(1) % columns != 0) throw nb::value_error("matrices are rectangular");
  new (self) MapPoints({rows_of(matrix), columns, moves, rows_of(shift), dtype_from(dtype)});
}

}  // namespace

void bind_point_steps(nb::module_& m) {
  nb::class_<MapPoints, Step>(m, "MapPoints")
      .def("__init__", &make_map_points, nb::arg("matrix"), nb::arg("columns"), nb::arg("moves"), nb::arg("shift"),
           nb::arg("dtype"));
  nb::class_<ScalePoints, Step>(m, "ScalePoints")
      .def(
          "__init__",
          [](ScalePoints* self, const Rows<float>& factor, const Rows<float>& shift, bool spare, int dtype) {
            new (self) ScalePoints({rows_of(factor), rows_of(shift), spare, dtype_from(dtype)});
          },
          nb::arg("factor"), nb::arg("shift"), nb::arg("spare"), nb::arg("dtype"));
}

}  // namespace penstock
