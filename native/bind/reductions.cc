// Sums, averages and extremes over axes.
#include "bind/convert.h"
#include "kernels/reduce/reduce_step.h"

namespace penstock {
namespace {

void make_reduce(Reduce* self, int kind, unsigned mask, bool keep_dims, int dtype, int ddof, const Samples* means) {
  if (kind < 0 || kind > static_cast<int>(Reduction::max)) throw nb::value_error("no such reduction");
  if (means && means->dtype() != DType::f32) throw nb::type_error("means are float32");
  const auto reduction = static_cast<Reduction>(kind);
  const bool is_about_mean = reduction == Reduction::variance || reduction == Reduction::std_dev;
  if (is_about_mean != (means != nullptr)) throw nb::value_error("means go with variance and std_dev, and only those");
  Reduce::Options options{reduction, mask, keep_dims, dtype_from(dtype), ddof, {}};
  if (means) options.means = *means;
  new (self) Reduce(std::move(options));
}

}  // namespace

void bind_reduction_steps(nb::module_& m) {
  nb::class_<Reduce, Step>(m, "Reduce", "One number for all elements along chosen axes.")
      .def("__init__", &make_reduce, nb::arg("kind"), nb::arg("mask"), nb::arg("keep_dims"), nb::arg("dtype"),
           nb::arg("ddof") = 0, nb::arg("means").none() = nb::none());
}

}  // namespace penstock
