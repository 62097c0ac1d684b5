// Random words, and arrays of numbers made of them.

#include "bind/convert.h"
#include "bind/kernels/random_call.h"
#include "kernels/random/distributions.h"
#include "kernels/random/permutation.h"
#include "memory/samples.h"
#include "runtime/pool.h"

namespace penstock {
namespace {

nb::tuple philox_words(uint64_t key, uint64_t high, uint64_t low, uint32_t phase, size_t n) {
  PhiloxReader next(Philox{key, low, high, phase});
  nb::object words = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(n)));
  if (!words.is_valid()) throw nb::python_error();
  for (size_t i = 0; i < n; ++i)
    if (PyTuple_SetItem(words.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromUnsignedLong(next())) != 0)
      throw nb::python_error();
  return nb::borrow<nb::tuple>(words);
}

// Fewer numbers are drawn in less time than it takes to hand the interpreter lock to another thread.
constexpr int64_t kWorkFromBytes = 8 << 10;

// Fills every sample by `fill(sample, view, tiles)`; big batches are shared among the threads. Single numbers that are
// `alike`, made with the same arguments, are filled as if they were one array.
template <typename Fill>
void fill_samples(Pool& pool, const Samples& out, const RandomCall& call, bool alike, const Fill& fill) {
  constexpr int64_t kParallelFromBytes = 256 << 10;
  const auto sequence = [&](size_t i) { return Philox::of_sample(call.first, call.second + i); };
  const auto one = [&](size_t i, Scratch&) {
    PhiloxTiles tiles(sequence(i));
    fill(i, out.view(i), tiles);
  };
  std::optional<GilRelease> release;
  if (out.bytes() >= kWorkFromBytes) release.emplace();
  if (alike && out.size() > 0 && out.is_dense() && out.shape(0).volume() == 1) {
    PhiloxTiles tiles(sequence(0), PhiloxTiles::Elements::of_a_sample_each);
    fill(0, View{out.data(0), out.dtype(), Shape{1, {static_cast<int64_t>(out.size())}}}, tiles);
  } else if (out.bytes() < kParallelFromBytes) {
    const ScratchUse scratch;
    for (size_t i = 0; i < out.size(); ++i) one(i, scratch);
  } else {
    pool.for_each(out.size(), one);
  }
}

void uniform(Pool& pool, const Samples& out, const RandomCall& call, const Rows<float>& range) {
  fill_samples(pool, out, call, range.shape(0) == 1, [&](size_t i, View view, PhiloxTiles& tiles) {
    const float* bounds = range.data() + (range.shape(0) == 1 ? 0 : 2 * i);
    fill_uniform(view, tiles, bounds[0], bounds[1]);
  });
}

void from_values(Pool& pool, const Samples& out, const RandomCall& call, const Samples& values) {
  if (values.dtype() != DType::f32) throw nb::type_error("values are float32");
  fill_samples(pool, out, call, values.size() == 1, [&](size_t i, View view, PhiloxTiles& tiles) {
    const ConstView mine = values.const_view(values.size() == 1 ? 0 : i);
    fill_from_values(view, tiles, {mine.as<float>(), static_cast<size_t>(mine.shape.volume())});
  });
}

using FillPair = void (*)(View, PhiloxTiles&, float, float);

void pair(Pool& pool, const Samples& out, const RandomCall& call, const Values<float>& first,
          const Values<float>& second, FillPair fill) {
  const bool alike = first.size() == 1 && second.size() == 1;
  fill_samples(pool, out, call, alike, [&](size_t i, View view, PhiloxTiles& tiles) {
    fill(view, tiles, of_sample(first, i), of_sample(second, i));
  });
}

void coin_flip(Pool& pool, const Samples& out, const RandomCall& call, const Values<float>& probability) {
  fill_samples(pool, out, call, probability.size() == 1, [&](size_t i, View view, PhiloxTiles& tiles) {
    fill_coin_flip(view, tiles, of_sample(probability, i));
  });
}

/// Indices below counts[i], or with the probabilities of sample i.
void indices(Pool& pool, const Samples& out, const RandomCall& call, const Values<int64_t>& counts,
             const Samples* probabilities, bool in_a_row) {
  const Draws draws = in_a_row ? Draws::in_a_row : Draws::apart;
  if (out.dtype() >= DType::f16) throw nb::type_error("indices are whole numbers");
  if (probabilities && probabilities->dtype() != DType::f32) throw nb::type_error("probabilities are float32");
  const bool alike = !in_a_row && counts.size() == 1 && (!probabilities || probabilities->size() == 1);
  fill_samples(pool, out, call, alike, [&](size_t i, View view, PhiloxTiles& tiles) {
    if (!probabilities) return fill_indices(view, tiles, of_sample(counts, i), draws);
    const ConstView mine = probabilities->const_view(probabilities->size() == 1 ? 0 : i);
    const std::span<const float> p{mine.as<float>(), static_cast<size_t>(mine.shape.volume())};
    fill_indices(view, tiles, cumulative(p), draws);
  });
}

// Numbers drawn with the same constants, one a sample.
class NumberSource {
 public:
  using Fill = std::function<void(View, PhiloxTiles&)>;

  NumberSource(DType dtype, Fill fill) : dtype_(dtype), fill_(std::move(fill)) {}

  Samples draw(const RandomWords& words, size_t n) const {
    Samples out = Samples::empty(dtype_, n, Shape{});
    if (n == 0) return out;
    std::optional<GilRelease> release;
    if (out.bytes() >= kWorkFromBytes) release.emplace();
    PhiloxTiles tiles(Philox::of_sample(words, 0), PhiloxTiles::Elements::of_a_sample_each);
    fill_(View{out.data(0), dtype_, Shape{1, {static_cast<int64_t>(n)}}}, tiles);
    return out;
  }

 private:
  DType dtype_;
  Fill fill_;
};

NumberSource uniform_numbers(int code, float low, float high) {
  return {dtype_from(code), [=](View out, PhiloxTiles& tiles) { fill_uniform(out, tiles, low, high); }};
}

NumberSource coin_flips(int code, float probability) {
  return {dtype_from(code), [=](View out, PhiloxTiles& tiles) { fill_coin_flip(out, tiles, probability); }};
}

void permutation(const Samples& out, const RandomCall& call, bool repeats, bool moves_all) {
  if (out.dtype() != DType::i32 || !out.is_dense() || out.ndim() != 0) throw nb::type_error("places are int32 numbers");
  const std::span<int32_t> places{reinterpret_cast<int32_t*>(out.data(0)), out.size()};
  const Philox sequence = Philox::of_sample(call.first, call.second);
  repeats ? fill_choices(places, sequence, moves_all) : fill_permutation(places, sequence, moves_all);
}

}  // namespace

void bind_random(nb::module_& m) {
  m.def("philox_words", &philox_words, nb::arg("key"), nb::arg("high"), nb::arg("low"), nb::arg("phase"), nb::arg("n"),
        "The first n words of a sequence.");
  nb::class_<NumberSource>(m, "NumberSource", "Numbers drawn with the same constants, one a sample.")
      .def_static("uniform", &uniform_numbers, nb::arg("code"), nb::arg("low"), nb::arg("high"))
      .def_static("coin_flip", &coin_flips, nb::arg("code"), nb::arg("probability"))
      .def("draw", &NumberSource::draw, nb::arg("words"), nb::arg("n"),
           nb::sig("def draw(self, words: Sequence[int], n: int) -> Samples"),
           "The numbers of n samples, from the words that a call took.");
  m.def("random_uniform", &uniform, nb::arg("pool"), nb::arg("out"), nb::arg("draw"), nb::arg("range"));
  m.def("random_from_values", &from_values, nb::arg("pool"), nb::arg("out"), nb::arg("draw"), nb::arg("values"));
  m.def("random_coin_flip", &coin_flip, nb::arg("pool"), nb::arg("out"), nb::arg("draw"), nb::arg("probability"));
  m.def("random_indices", &indices, nb::arg("pool"), nb::arg("out"), nb::arg("draw"), nb::arg("counts"),
        nb::arg("probabilities").none(), nb::arg("in_a_row"));
  m.def("random_permutation", &permutation, nb::arg("out"), nb::arg("draw"), nb::arg("repeats"), nb::arg("moves_all"));
  const auto pair_of = [&](const char* name, FillPair fill, const char* first, const char* second) {
    m.def(
        name,
        [fill](Pool& pool, const Samples& out, const RandomCall& call, const Values<float>& a, const Values<float>& b) {
          pair(pool, out, call, a, b, fill);
        },
        nb::arg("pool"), nb::arg("out"), nb::arg("draw"), nb::arg(first), nb::arg(second));
  };
  pair_of("random_normal", &fill_normal, "mean", "stddev");
  pair_of("random_beta", &fill_beta, "alpha", "beta");
}

}  // namespace penstock
