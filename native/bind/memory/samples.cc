// Batches: made of arrays, handed to arrays, and what is asked of them.
#include "memory/samples.h"

#include <algorithm>
#include <cstring>

#include "bind/convert.h"
#include "bind/failures.h"
#include "bind/memory/sample_views.h"
#include "memory/pinned.h"

namespace penstock {
namespace {

std::byte* data_of(const AnyArray& array) {
  return static_cast<std::byte*>(const_cast<void*>(static_cast<const void*>(array.data())));
}

Samples wrap(nb::object object) {
  const auto array = nb::cast<AnyArray>(object, false);
  require_contiguous(array);
  if (array.ndim() == 0) throw nb::value_error("a batch needs an array with at least one axis");
  return Samples::dense(dtype_of(array.dtype()), array.shape(0), shape_of(array, 1), data_of(array), keep(object));
}

Samples wrap_one(nb::object object) {
  const auto array = nb::cast<AnyArray>(object, false);
  require_contiguous(array);
  return Samples::dense(dtype_of(array.dtype()), 1, shape_of(array, 0), data_of(array), keep(object));
}

Samples copy_rows(nb::object object, const Values<int64_t>& indices) {
  const auto array = nb::cast<AnyArray>(object, false);
  require_contiguous(array);
  if (array.ndim() == 0) throw nb::value_error("rows are taken of an array with at least one axis");
  Samples made = Samples::empty(dtype_of(array.dtype()), indices.size(), shape_of(array, 1));
  const size_t bytes = array.shape(0) ? array.nbytes() / array.shape(0) : 0;
  for (size_t k = 0; k < indices.size(); ++k) {
    if (indices(k) < 0 || static_cast<size_t>(indices(k)) >= array.shape(0)) throw nb::index_error("no such row");
    if (bytes) std::memcpy(made.data(k), data_of(array) + static_cast<size_t>(indices(k)) * bytes, bytes);
  }
  return made;
}

Samples gather(nb::list objects) {
  if (objects.size() == 0) throw nb::value_error("no arrays to gather");
  std::vector<Shape> shapes;
  std::vector<std::byte*> data;
  std::optional<DType> dtype;
  for (nb::handle object : objects) {
    const auto array = nb::cast<AnyArray>(object, false);
    require_contiguous(array);
    if (dtype && *dtype != dtype_of(array.dtype())) throw nb::type_error("the samples of a batch have one dtype");
    dtype = dtype_of(array.dtype());
    shapes.push_back(shape_of(array, 0));
    if (shapes.back().ndim != shapes[0].ndim)
      throw std::runtime_error("Sample must have the same sample dimensionality as the others: " +
                               std::to_string(shapes.back().ndim) + " and " + std::to_string(shapes[0].ndim));
    data.push_back(data_of(array));
  }
  const int ndim = shapes[0].ndim;
  return Samples::scattered(*dtype, ndim, std::move(shapes), std::move(data), keep(objects));
}

Samples empty(int code, size_t n, const std::vector<int64_t>& extents) {
  return coded(Samples::empty(storage(code), n, to_shape(extents)), code);
}

Samples empty_ragged(int code, int ndim, const std::vector<std::vector<int64_t>>& extents) {
  std::vector<Shape> shapes;
  for (const auto& each : extents) shapes.push_back(to_shape(each));
  return coded(Samples::empty(storage(code), ndim, std::move(shapes)), code);
}

// The samples of an accelerator, for a Python class that adds where they lie.
void elsewhere(Samples* self, int code, int ndim, const std::vector<std::vector<int64_t>>& extents, int device) {
  std::vector<Shape> shapes;
  for (const auto& each : extents) shapes.push_back(to_shape(each));
  new (self) Samples(coded(Samples::elsewhere(storage(code), ndim, std::move(shapes), device), code));
}

template <typename Array>
nb::object array_over(std::byte* data, DType dtype, const size_t* shape, size_t ndim, nb::handle owner) {
  return nb::cast(Array(data, ndim, shape, owner, nullptr, dlpack_of(dtype)), nb::rv_policy::reference);
}

nb::object array_over(const Samples& s, size_t i, const size_t* shape, size_t ndim, nb::handle owner) {
  return s.read_only ? array_over<nb::ndarray<nb::numpy, nb::ro>>(s.data(i), s.dtype(), shape, ndim, owner)
                     : array_over<nb::ndarray<nb::numpy>>(s.data(i), s.dtype(), shape, ndim, owner);
}

nb::object sample(nb::handle self, int64_t i) {
  const auto& s = nb::cast<const Samples&>(self);
  const Shape& shape = s.shape(checked(s, i));
  size_t extents[kMaxDims];
  std::copy_n(shape.extent.begin(), shape.ndim, extents);
  return array_over(s, i, extents, shape.ndim, self);
}

nb::object array(nb::handle self) {
  const auto& s = nb::cast<const Samples&>(self);
  if (!s.is_dense()) throw nb::value_error("the samples do not lie in one block");
  size_t extents[kMaxDims + 1] = {s.size()};
  const Shape& shape = s.shape(0);
  std::copy_n(shape.extent.begin(), shape.ndim, extents + 1);
  return array_over(s, 0, extents, shape.ndim + 1, self);
}

/// Single numbers of this type as an array with one axis; None for other samples, and where one of them is NaN.
nb::object numbers(nb::handle self, int code) {
  const auto& s = nb::cast<const Samples&>(self);
  if (s.size() == 0 || s.is_elsewhere() || !s.is_dense() || s.shape(0).volume() != 1 || s.enumeration ||
      static_cast<int>(s.dtype()) != code)
    return nb::none();
  const size_t n = s.size();
  const auto has_nan = [&](const auto* values) {
    return std::any_of(values, values + n, [](auto value) { return value != value; });
  };
  if (s.dtype() == DType::f32 ? has_nan(s.view(0).as<float>())
                              : s.dtype() == DType::f64 && has_nan(s.view(0).as<double>()))
    return nb::none();
  return array_over(s, 0, &n, 1, self);
}

// Samples of different shapes lie so that each begins at a cache line.
constexpr int64_t kLargestGap = 64;

/// The elements from the first sample to the last, and where each begins among them.
nb::object span(nb::handle self) {
  const auto& s = nb::cast<const Samples&>(self);
  const int64_t item = item_bytes(s.dtype());
  if (!s.size() || (!s.is_dense() && !block_of(s.owner()))) return nb::none();
  nb::list offsets;
  const std::byte* base = s.data(0);
  int64_t end = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    const int64_t start = s.data(i) - base;
    if (start < end || start - end >= kLargestGap || start % item) return nb::none();
    offsets.append(start / item);
    end = start + s.const_view(i).bytes();
  }
  const size_t extent = end / item;
  return nb::make_tuple(array_over(s, 0, &extent, 1, self), offsets);
}

nb::tuple shape(const Samples& s, int64_t i) { return shape_tuple(s.shape(checked(s, i))); }

nb::list shapes(const Samples& s) {
  nb::list result;
  if (s.is_dense()) {
    const nb::tuple one = shape_tuple(s.shape(0));
    for (size_t i = 0; i < s.size(); ++i) result.append(one);
  } else {
    for (size_t i = 0; i < s.size(); ++i) result.append(shape_tuple(s.shape(i)));
  }
  return result;
}

nb::object sources(const Samples& s) {
  if (!s.sources) return nb::none();
  nb::list made;
  for (const std::string& source : *s.sources) made.append(text_of(source));
  return made;
}

void set_sources(Samples& s, std::optional<nb::list> sources) {
  s.sources = nullptr;
  if (!sources) return;
  std::vector<std::string> made;
  for (nb::handle source : *sources) {
    const auto bytes = nb::steal<nb::bytes>(PyUnicode_EncodeFSDefault(source.ptr()));
    if (!bytes.is_valid()) throw nb::python_error();
    made.emplace_back(bytes.c_str(), bytes.size());
  }
  s.sources = std::make_shared<const std::vector<std::string>>(std::move(made));
}

nb::object indices(const Samples& s) { return s.indices ? nb::cast(*s.indices) : nb::none(); }

void set_indices(Samples& s, const Values<int64_t>& indices) {
  if (indices.size() != s.size()) throw std::invalid_argument("a number for every sample");
  s.indices = std::make_shared<const std::vector<int64_t>>(to_vector(indices));
}

void number_all(nb::sequence outputs, const Values<int64_t>& indices) {
  const auto shared = std::make_shared<const std::vector<int64_t>>(to_vector(indices));
  for (nb::handle output : outputs) {
    auto& samples = nb::cast<Samples&>(output);
    if (samples.size() != shared->size()) throw std::invalid_argument("a number for every sample");
    samples.indices = shared;
  }
}

// Specs are Python objects, one for each element type, rank and layout that has come up: every call asks for those of
// its inputs, and finding one is much faster than making it.
constexpr size_t kMostSpecs = 256;
struct KnownSpec {
  int code, ndim;
  std::string layout;
  PyObject* spec;
};
std::vector<KnownSpec>& known_specs() {
  static auto* specs = new std::vector<KnownSpec>;
  return *specs;
}
PyObject* spec_maker = nullptr;
nb::ft_mutex specs_mutex;

nb::object known_spec(int code, int ndim, const std::string& layout) {
  for (const KnownSpec& known : known_specs())
    if (known.code == code && known.ndim == ndim && known.layout == layout) return nb::borrow(known.spec);
  return {};
}

nb::object shared_spec(int code, int ndim, const std::string& layout) {
  {
    const nb::ft_lock_guard lock(specs_mutex);
    if (nb::object known = known_spec(code, ndim, layout); known.is_valid()) return known;
  }
  if (!spec_maker) throw std::runtime_error("nobody has said how specs are made");
  nb::object made = nb::handle(spec_maker)(code, ndim, layout);
  std::vector<KnownSpec> dropped;
  {
    const nb::ft_lock_guard lock(specs_mutex);
    // Another thread may have made it meanwhile.
    if (nb::object known = known_spec(code, ndim, layout); known.is_valid()) return known;
    if (known_specs().size() == kMostSpecs) dropped.swap(known_specs());
    known_specs().push_back({code, ndim, layout, nb::object(made).release().ptr()});
  }
  for (const KnownSpec& known : dropped) Py_DECREF(known.spec);
  return made;
}

}  // namespace

nb::object spec(const Samples& s) { return shared_spec(code(s), s.ndim(), s.layout); }

namespace {

nb::tuple kind_of(nb::tuple outputs, bool single) {
  nb::list kinds;
  for (nb::handle output : outputs) {
    const auto& samples = nb::cast<const Samples&>(output);
    kinds.append(nb::make_tuple(spec(samples), single ? nb::none() : nb::object(nb::int_(samples.size()))));
  }
  return nb::tuple(kinds);
}

void make_specs_by(nb::object maker) { spec_maker = maker.release().ptr(); }

}  // namespace

void bind_samples(nb::module_& m) {
  nb::class_<Samples>(m, "Samples", "The storage of a batch: samples of one dtype and rank.")
      .def_static("wrap", &wrap, nb::arg("array"), "The samples along the first axis of an array, not copied.")
      .def_static("wrap_one", &wrap_one, nb::arg("array"), "A batch of one: the whole array, not copied.")
      .def_static(
          "copy_rows", &copy_rows, nb::arg("array"), nb::arg("indices"),
          nb::sig("def copy_rows(array: numpy.typing.NDArray[typing.Any], indices: NDArray[numpy.int64]) -> Samples"),
          "The rows of an array with these numbers, copied: a sample each.")
      .def_static("gather", &gather, nb::arg("arrays"),
                  nb::sig("def gather(arrays: list[numpy.typing.NDArray[typing.Any]]) -> Samples"),
                  "One sample per array, not copied.")
      .def_static("empty", &empty, nb::arg("code"), nb::arg("n"), nb::arg("shape"), "Pooled memory, not cleared.")
      .def_static("empty_ragged", &empty_ragged, nb::arg("code"), nb::arg("ndim"), nb::arg("shapes"))
      .def("__init__", &elsewhere, nb::arg("code"), nb::arg("ndim"), nb::arg("shapes"), nb::arg("device"),
           "Samples in the memory of an accelerator, which is kept by a subclass.")
      .def("__len__", &Samples::size)
      .def("array", &array, nb::sig("def array(self) -> numpy.typing.NDArray[typing.Any]"),
           "All samples as one array; only when `dense`.")
      .def("numbers", &numbers, nb::arg("code"),
           nb::sig("def numbers(self, code: int) -> numpy.typing.NDArray[typing.Any] | None"),
           "Single numbers of this type as an array with one axis; None for other samples, and where one is NaN.")
      .def(
          "span", &span, nb::sig("def span(self) -> tuple[numpy.typing.NDArray[typing.Any], list[int]] | None"),
          "Samples that lie in one piece, in order, as an array with one axis, and where in it each begins; else None.")
      .def("sample", &sample, nb::arg("i"), nb::sig("def sample(self, i: int) -> numpy.typing.NDArray[typing.Any]"))
      .def("shapes", &shapes, nb::sig("def shapes(self) -> list[tuple[int, ...]]"))
      .def("shape", &shape, nb::arg("i"), nb::sig("def shape(self, i: int) -> tuple[int, ...]"))
      .def("select", &select, nb::arg("indices"))
      .def("relabelled", &relabelled, nb::arg("layout"))
      .def("coded", &coded, nb::arg("code"), "The same memory as another element type that is kept alike.")
      .def("reshaped", &reshaped, nb::arg("shapes"), nb::arg("layout"), nb::arg("code") = nb::none(),
           "The same memory with other shapes and, if told, as another element type; copied only where misaligned.")
      .def("copied", &copied, "The same samples in memory of their own.")
      .def("on_device", &on_device, nb::arg("device"), "The same memory, said to be on another device.")
      .def(
          "host", [](nb::object self) { return self; }, nb::sig("def host(self) -> Samples"),
          "The samples where the CPU can read them; a subclass whose memory is elsewhere copies them.")
      .def("part", &part, nb::arg("index"), "One part of every sample along its first axis, not copied.")
      .def("take_origin", &Samples::take_origin, nb::arg("of"),
           "Where samples that do not know it came from is where `of` did.")
      .def_prop_ro("dense", &Samples::is_dense)
      .def_prop_ro("uniform", &Samples::is_uniform)
      .def_prop_ro("code", &code, "The element type's code in `types.DALIDataType`.")
      .def_prop_ro("ndim", &Samples::ndim)
      .def_prop_ro("spec", &spec, nb::sig("def spec(self, /) -> penstock.values.spec.Spec"),
                   "Element type, rank and layout; the same object for all samples that agree in them.")
      .def_prop_ro("nbytes", &Samples::bytes)
      .def_prop_ro("elsewhere", &Samples::is_elsewhere, "Whether they are where the CPU cannot read them.")
      .def_prop_rw("sources", &sources, &set_sources, nb::arg("sources").none(),
                   nb::for_getter(nb::sig("def sources(self, /) -> list[str] | None")),
                   nb::for_setter(nb::sig("def sources(self, sources: list[str] | None, /) -> None")))
      .def_prop_ro("indices", &indices, nb::sig("def indices(self, /) -> list[int] | None"),
                   "The numbers of the samples in their data set.")
      .def_prop_ro(
          "batch_key",
          [](const Samples& s) { return static_cast<int64_t>(reinterpret_cast<intptr_t>(s.indices.get())); },
          "A number that a batch of a reader and all that is made of its samples share while any of it lives; 0 for "
          "others.")
      .def("set_indices", &set_indices, nb::arg("indices"),
           nb::sig("def set_indices(self, indices: NDArray[numpy.int64]) -> None"))
      .def_rw("layout", &Samples::layout)
      .def_ro("device", &Samples::device, "The number of the accelerator that they are on; -1 on the CPU.")
      .def_rw("external", &Samples::external)
      .def_rw("read_only", &Samples::read_only);
  m.def("number_all", &number_all, nb::arg("outputs"), nb::arg("indices"),
        nb::sig("def number_all(outputs: Sequence[Samples], indices: NDArray[numpy.int64]) -> None"),
        "Sets the numbers of the samples of all outputs of a reader.");
  m.def("kind_of", &kind_of, nb::arg("outputs"), nb::arg("single"),
        nb::sig("def kind_of(outputs: tuple[Samples, ...], single: bool) -> tuple[tuple[penstock.values.spec.Spec, int "
                "| None], ...]"),
        "Spec and number of samples of each output of a source; None instead of the number for single samples.");
  m.def("shared_spec", &shared_spec, nb::arg("code"), nb::arg("ndim"), nb::arg("layout"),
        nb::sig("def shared_spec(code: int, ndim: int, layout: str) -> penstock.values.spec.Spec"),
        "The spec of samples of this element type, rank and layout, the object that `Samples.spec` is.");
  m.def("make_specs_by", &make_specs_by, nb::arg("maker"),
        nb::sig("def make_specs_by(maker: typing.Callable[[int, int, str], penstock.values.spec.Spec]) -> None"),
        "Sets the function of code, rank and layout that makes the specs of samples.");
}

}  // namespace penstock
