#include "runtime/samples.h"

#include <algorithm>

#include "bind/convert.h"

namespace penstock {
namespace {

// Python objects may only be let go with the interpreter lock held, and a batch may die on any thread.
std::shared_ptr<void> keep(nb::object object) {
  return {object.release().ptr(), [](void* p) {
            if (!nb::is_alive()) return;
            nb::gil_scoped_acquire gil;
            nb::handle(static_cast<PyObject*>(p)).dec_ref();
          }};
}

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

Shape to_shape(const std::vector<int64_t>& extents) {
  if (extents.size() > kMaxDims) throw nb::value_error("at most 8 dimensions are supported");
  Shape shape;
  shape.ndim = static_cast<int>(extents.size());
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] < 0) throw nb::value_error("negative extent in a shape");
    shape[axis] = extents[axis];
  }
  return shape;
}

Samples empty(int dtype, size_t n, const std::vector<int64_t>& extents) {
  return Samples::empty(static_cast<DType>(dtype), n, to_shape(extents));
}

Samples empty_ragged(int dtype, int ndim, const std::vector<std::vector<int64_t>>& extents) {
  std::vector<Shape> shapes;
  for (const auto& each : extents) shapes.push_back(to_shape(each));
  return Samples::empty(static_cast<DType>(dtype), ndim, std::move(shapes));
}

nb::object array_over(std::byte* data, DType dtype, const size_t* shape, size_t ndim, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy>(data, ndim, shape, owner, nullptr, dlpack_of(dtype)), nb::rv_policy::reference);
}

size_t checked(const Samples& s, int64_t i) {
  if (i < 0 || i >= static_cast<int64_t>(s.size()))
    throw nb::index_error(("sample " + std::to_string(i) + " of " + std::to_string(s.size())).c_str());
  return static_cast<size_t>(i);
}

nb::object sample(nb::handle self, int64_t i) {
  const auto& s = nb::cast<const Samples&>(self);
  const Shape& shape = s.shape(checked(s, i));
  size_t extents[kMaxDims];
  std::copy_n(shape.extent.begin(), shape.ndim, extents);
  return array_over(s.data(i), s.dtype(), extents, shape.ndim, self);
}

nb::object array(nb::handle self) {
  const auto& s = nb::cast<const Samples&>(self);
  if (!s.is_dense()) throw nb::value_error("the samples do not lie in one block");
  size_t extents[kMaxDims + 1] = {s.size()};
  const Shape& shape = s.shape(0);
  std::copy_n(shape.extent.begin(), shape.ndim, extents + 1);
  return array_over(s.data(0), s.dtype(), extents, shape.ndim + 1, self);
}

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

// A batch of some of the samples, over the same memory.
Samples select(nb::handle self, const std::vector<int64_t>& indices) {
  const auto& s = nb::cast<const Samples&>(self);
  std::vector<Shape> picked;
  std::vector<std::byte*> data;
  auto sources = std::make_shared<std::vector<std::string>>();
  bool consecutive = s.is_dense();
  for (size_t k = 0; k < indices.size(); ++k) {
    const size_t i = checked(s, indices[k]);
    consecutive = consecutive && (k == 0 || indices[k] == indices[k - 1] + 1);
    picked.push_back(s.shape(i));
    data.push_back(s.data(i));
    if (s.sources) sources->push_back((*s.sources)[i]);
  }
  Samples result = consecutive && !data.empty()
                       ? Samples::dense(s.dtype(), data.size(), s.shape(indices[0]), data[0], s.owner())
                   : data.empty() ? Samples::empty(s.dtype(), s.ndim(), {})
                                  : Samples::scattered(s.dtype(), s.ndim(), std::move(picked), std::move(data), s.owner());
  result.layout = s.layout;
  result.external = s.external;
  if (s.sources) result.sources = sources;
  return result;
}

// The same memory under another name; what differs is given.
Samples relabelled(const Samples& s, const std::string& layout) {
  Samples result = s;
  result.layout = layout;
  return result;
}

// The same memory seen with other shapes of equal volume, one per sample or one for all.
Samples reshaped(const Samples& s, const std::vector<std::vector<int64_t>>& extents, const std::string& layout) {
  std::vector<Shape> shapes;
  std::vector<std::byte*> data;
  bool equal = true;
  for (size_t i = 0; i < s.size(); ++i) {
    shapes.push_back(to_shape(extents[extents.size() == 1 ? 0 : i]));
    if (shapes[i].volume() != s.shape(i).volume())
      throw std::runtime_error("Input and output samples must occupy the same size in bytes: sample " +
                               std::to_string(i) + " has " + std::to_string(s.shape(i).volume()) +
                               " elements, its new shape " + std::to_string(shapes[i].volume()));
    equal = equal && shapes[i] == shapes[0];
    data.push_back(s.data(i));
  }
  const bool dense = s.is_dense() && equal && s.size() > 0;
  Samples result = dense ? Samples::dense(s.dtype(), s.size(), shapes[0], s.data(0), s.owner())
                         : Samples::scattered(s.dtype(), shapes.empty() ? 0 : shapes[0].ndim, shapes, data, s.owner());
  result.layout = layout;
  result.external = s.external;
  result.sources = s.sources;
  return result;
}

nb::object sources(const Samples& s) { return s.sources ? nb::cast(*s.sources) : nb::none(); }

void set_sources(Samples& s, std::optional<std::vector<std::string>> sources) {
  s.sources = sources ? std::make_shared<const std::vector<std::string>>(std::move(*sources)) : nullptr;
}

void take_sources(Samples& s, const Samples& from) { s.sources = from.sources; }

}  // namespace

void bind_samples(nb::module_& m) {
  nb::class_<Samples>(m, "Samples", "The storage of a batch: samples of one dtype and rank.")
      .def_static("wrap", &wrap, nb::arg("array"), "The samples along the first axis of an array, not copied.")
      .def_static("wrap_one", &wrap_one, nb::arg("array"), "A batch of one: the whole array, not copied.")
      .def_static("gather", &gather, nb::arg("arrays"), "One sample per array, not copied.")
      .def_static("empty", &empty, nb::arg("dtype"), nb::arg("n"), nb::arg("shape"), "Pooled memory, not cleared.")
      .def_static("empty_ragged", &empty_ragged, nb::arg("dtype"), nb::arg("ndim"), nb::arg("shapes"))
      .def("__len__", &Samples::size)
      .def("array", &array, "All samples as one array; only when `dense`.")
      .def("sample", &sample, nb::arg("i"))
      .def("shapes", &shapes)
      .def("shape", [](const Samples& s, int64_t i) { return shape_tuple(s.shape(checked(s, i))); }, nb::arg("i"))
      .def("select", &select, nb::arg("indices"))
      .def("relabelled", &relabelled, nb::arg("layout"))
      .def("reshaped", &reshaped, nb::arg("shapes"), nb::arg("layout"))
      .def("take_sources", &take_sources, nb::arg("of"))
      .def_prop_ro("dense", &Samples::is_dense)
      .def_prop_ro("uniform", &Samples::is_uniform)
      .def_prop_ro("code", [](const Samples& s) { return static_cast<int>(s.dtype()); })
      .def_prop_ro("ndim", &Samples::ndim)
      .def_prop_ro("nbytes", &Samples::bytes)
      .def_prop_rw("sources", &sources, &set_sources, nb::arg("sources").none())
      .def_rw("layout", &Samples::layout)
      .def_rw("external", &Samples::external);
}

}  // namespace penstock
