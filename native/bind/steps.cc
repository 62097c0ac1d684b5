#include "bind/convert.h"
#include "steps/flip.h"

namespace penstock {

void bind_steps(nb::module_& m) {
  nb::class_<Flip, Step>(m, "Flip")
      .def("__init__",
           [](Flip* self, const std::vector<int>& axes, const Rows<int32_t>& mirrored) {
             new (self) Flip(axes, to_vector(mirrored));
           }, nb::arg("axes"), nb::arg("mirrored"));
}

}  // namespace penstock
