// Batches joined, filled, rearranged and inflated, and arrays as text.
#include "runtime/assemble.h"

#include <nanobind/stl/pair.h>

#include "bind/convert.h"
#include "codecs/compression/inflate_step.h"
#include "kernels/array/one_hot.h"
#include "kernels/elements/decimal_text.h"
#include "runtime/split_merge.h"

namespace penstock {
namespace {

using Lists = Inflate::Lists;

Samples join_samples(Pool& pool, size_t n, const std::vector<const Samples*>& inputs, int axis, bool new_axis) {
  if (inputs.empty()) throw nb::value_error("nothing to join");
  const int ndim = inputs[0]->ndim() + new_axis;
  if (axis < 0 || axis >= ndim) throw nb::value_error("no such axis");
  if (ndim > kMaxDims) throw nb::value_error("at most 8 dimensions are supported");
  for (const Samples* input : inputs)
    if (input->size() != n && input->size() != 1) throw nb::value_error("inputs of different batch size");
  Samples out = join(pool, n, inputs, axis, new_axis ? Joint::along_new_axis : Joint::along_axis);
  out.enumeration = inputs[0]->enumeration;
  return out;
}

void fill_samples(Pool& pool, const Samples& out, const Samples& values) {
  if (values.dtype() != out.dtype()) throw nb::type_error("values have the element type of the result");
  if (values.size() != 1 && values.size() != out.size())
    throw nb::value_error("one value for every sample, or for all");
  for (size_t i = 0; i < out.size(); ++i) {
    const int64_t value = values.shape(values.size() == 1 ? 0 : i).volume(), all = out.shape(i).volume();
    if (value == 0 ? all != 0 : all % value != 0) throw nb::value_error("a value does not divide its sample");
    if (out.is_dense() && values.is_dense()) break;
  }
  GilRelease release;
  fill(pool, out, values);
}

Samples rearrange_samples(Pool& pool, const Samples& in, size_t n, const Lists& orders) {
  if (in.ndim() == 0) throw nb::value_error("a single number has no parts");
  if ((in.size() != n && in.size() != 1) || (orders.size() != n && orders.size() != 1))
    throw nb::value_error("one order for every sample, or for all");
  for (size_t i = 0; i < n; ++i) {
    const auto& order = orders[orders.size() == 1 ? 0 : i];
    const int64_t length = in.shape(in.size() == 1 ? 0 : i)[0];
    for (size_t k = 0; k < order.size(); ++k)
      if (order[k] < 0 || order[k] >= length)
        throw std::runtime_error("new_order[" + std::to_string(k) +
                                 "] must be between 0 and input_sequence_length = " + std::to_string(length) +
                                 " for sample " + std::to_string(i) + ", but it is: " + std::to_string(order[k]));
  }
  GilRelease release;
  Samples out = rearrange(pool, in, n, orders);
  out.enumeration = in.enumeration;
  return out;
}

void mark_classes(Pool& pool, const Samples& out, const Samples& in, int axis, const Samples& on, const Samples& off) {
  if (axis < 0 || axis >= out.ndim()) throw nb::value_error("no such axis");
  if (in.size() != out.size() && in.size() != 1) throw nb::value_error("one input for every result");
  for (const Samples* value : {&on, &off})
    if (value->size() != 1 || value->dtype() != out.dtype() || value->shape(0).volume() != 1)
      throw nb::value_error("on and off are single elements of the result's type");
  for (size_t i = 0; i < out.size(); ++i) {
    const int64_t classes = out.shape(i)[axis], elements = in.shape(in.size() == 1 ? 0 : i).volume();
    if (out.shape(i).volume() != classes * elements) throw nb::value_error("a place for every element and class");
  }
  constexpr int64_t kParallelFromBytes = 256 << 10;
  const auto one = [&](size_t i, Scratch&) {
    one_hot(out.view(i), in.const_view(in.size() == 1 ? 0 : i), axis, on.data(0), off.data(0));
  };
  GilRelease release;
  if (out.bytes() < kParallelFromBytes) {
    const ScratchUse scratch;
    for (size_t i = 0; i < out.size(); ++i) one(i, scratch);
  } else {
    pool.for_each(out.size(), one);
  }
}

int64_t decimals(const nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& out,
                 const Rows<uint8_t>& rows) {
  const auto n = static_cast<int64_t>(rows.shape(0)), columns = static_cast<int64_t>(rows.shape(1));
  if (static_cast<int64_t>(out.size()) < n * most_decimals(columns))
    throw nb::value_error("a number takes up to four bytes, and a row one more");
  char* text = reinterpret_cast<char*>(out.data());
  return put_decimals(text, rows.data(), n, columns) - text;
}

void make_inflate(Inflate* self, int dtype, const Lists& shapes, std::optional<Lists> offsets,
                  std::optional<Lists> sizes, int64_t max_bytes) {
  Inflate::Options options{dtype_from(dtype), {}, std::move(offsets), std::move(sizes), max_bytes};
  if (shapes.empty()) throw nb::value_error("one shape for every sample, or for all");
  for (const auto& extents : shapes) options.shapes.push_back(to_shape(extents));
  for (const Shape& shape : options.shapes)
    if (shape.ndim >= kMaxDims) throw nb::value_error("at most 8 dimensions are supported, one of them for the chunks");
  new (self) Inflate(std::move(options));
}

}  // namespace

void bind_assemble(nb::module_& m) {
  m.def("join", &join_samples, nb::arg("pool"), nb::arg("n"), nb::arg("inputs"), nb::arg("axis"), nb::arg("new_axis"),
        nb::call_guard<GilRelease>(), "Joins sample i of all inputs along an axis, or along a new one.");
  m.def("fill", &fill_samples, nb::arg("pool"), nb::arg("out"), nb::arg("values"),
        "Fills every sample with the elements of its value, over and over.");
  m.def("rearrange", &rearrange_samples, nb::arg("pool"), nb::arg("samples"), nb::arg("n"), nb::arg("orders"),
        "The parts of each sample along its first axis in another order.");
  m.def("split", &split, nb::arg("samples"), nb::arg("chosen"),
        nb::sig("def split(samples: Samples, chosen: Sequence[bool]) -> tuple[Samples, Samples]"),
        "The samples that are chosen, and the others. Small ones are copied.");
  m.def("merge", &merge, nb::arg("yes"), nb::arg("no"), nb::arg("chosen"),
        "The next sample of `yes` wherever `chosen` is set, else the next of `no`. Small ones are copied.");
  m.def("one_hot", &mark_classes, nb::arg("pool"), nb::arg("out"), nb::arg("samples"), nb::arg("axis"), nb::arg("on"),
        nb::arg("off"), "Marks the class of every element along `axis`.");
  m.def("decimals", &decimals, nb::arg("out").noconvert(), nb::arg("rows").noconvert(), nb::call_guard<GilRelease>(),
        "Writes rows of numbers as lines of text, a space after each number; returns the length.");
  nb::class_<Inflate, Step>(m, "Inflate")
      .def("__init__", &make_inflate, nb::arg("dtype"), nb::arg("shapes"), nb::arg("offsets").none(),
           nb::arg("sizes").none(), nb::arg("max_bytes"));
}

}  // namespace penstock
