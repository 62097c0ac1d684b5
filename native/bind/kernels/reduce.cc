// Sums, averages and extremes over axes, and elements normalized by them.
#include "bind/convert.h"
#include "kernels/reduce/moments.h"
#include "kernels/reduce/normalize_step.h"
#include "kernels/reduce/reduce_step.h"
#include "memory/samples.h"

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

using Parameters = std::vector<nb::ndarray<const float, nb::c_contig, nb::device::cpu>>;

std::vector<Normalize::Parameter> parameters_of(const Parameters& arrays) {
  std::vector<Normalize::Parameter> result;
  for (const auto& array : arrays)
    result.push_back({{array.data(), array.data() + array.size()}, shape_of(AnyArray(array), 0)});
  return result;
}

void make_normalize(Normalize* self, unsigned mask, int dtype, const Parameters& mean, const Parameters& stddev,
                    int ddof, float epsilon, float scale, float shift) {
  new (self)
      Normalize({mask, parameters_of(mean), parameters_of(stddev), ddof, epsilon, scale, shift, dtype_from(dtype)});
}

/// The sums of all samples together over the axes in `mask`: of their elements, or of squared distances from `mean`.
std::vector<double> batch_sums(const Samples& samples, unsigned mask, const std::vector<double>& mean) {
  GilRelease release;
  std::vector<double> sums;
  for (size_t i = 0; i < samples.size(); ++i) {
    const ConstView view = samples.const_view(i);
    const size_t places = static_cast<size_t>(reduced_shape(view.shape, mask).volume());
    if (i == 0) sums.resize(places);
    if (places != sums.size() || (!mean.empty() && mean.size() != places))
      throw std::invalid_argument("samples differ in the axes that are kept");
    mean.empty() ? add_sums(sums.data(), view, mask) : add_squares(sums.data(), view, mask, mean.data());
  }
  return sums;
}

}  // namespace

void bind_reduce_steps(nb::module_& m) {
  nb::class_<Reduce, Step>(m, "Reduce", "One number for all elements along chosen axes.")
      .def("__init__", &make_reduce, nb::arg("kind"), nb::arg("mask"), nb::arg("keep_dims"), nb::arg("dtype"),
           nb::arg("ddof") = 0, nb::arg("means").none() = nb::none());
  nb::class_<Normalize, Step>(m, "Normalize")
      .def("__init__", &make_normalize, nb::arg("mask"), nb::arg("dtype"), nb::arg("mean"), nb::arg("stddev"),
           nb::arg("ddof"), nb::arg("epsilon"), nb::arg("scale"), nb::arg("shift"));
  m.def(
      "batch_sums", &batch_sums, nb::arg("samples"), nb::arg("mask"), nb::arg("mean"),
      "Sums over all samples and the axes in `mask`: of elements, or of squared distances from `mean` if it is given.");
}

}  // namespace penstock
