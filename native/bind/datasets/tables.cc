// Columns of tables.
#include <stdexcept>

#include "bind/convert.h"
#include "datasets/tables/slices.h"

namespace penstock {
namespace {

std::vector<ConstView> views_of(const std::vector<AnyArray>& arrays) {
  std::vector<ConstView> views;
  for (const AnyArray& array : arrays) {
    require_contiguous(array);
    if (array.ndim() != 1) throw std::invalid_argument("a column is an array of one axis");
    views.push_back({static_cast<const std::byte*>(array.data()), dtype_of(array.dtype()), shape_of(array, 0)});
    if (views.back().dtype != views[0].dtype) throw std::invalid_argument("the arrays are of different types");
  }
  return views;
}

Samples slices(Pool& pool, const std::vector<AnyArray>& arrays, const Values<int64_t>& which,
               const Values<int64_t>& begins, const Values<int64_t>& counts, const std::vector<int64_t>& row,
               bool varying) {
  const std::vector<ConstView> views = views_of(arrays);
  const Shape shape = to_shape(row);
  if (shape.ndim == kMaxDims) throw std::invalid_argument("too many axes");
  if (which.size() != begins.size() || which.size() != counts.size())
    throw std::invalid_argument("an array, a place and a number of rows for every sample");
  std::vector<Slice> wanted;
  for (size_t i = 0; i < which.size(); ++i) {
    const int64_t array = which.data()[i], begin = begins.data()[i], count = counts.data()[i];
    if (array < 0 || array >= static_cast<int64_t>(views.size())) throw nb::index_error("no such array");
    const int64_t volume = shape.volume(), rows = volume ? views[array].shape[0] / volume : 0;
    if (begin < 0 || count < 0 || (!varying && count != 1) || (volume && (begin > rows || count > rows - begin)))
      throw nb::index_error("rows that the array does not have");
    wanted.push_back({static_cast<size_t>(array), begin, count});
  }
  GilRelease release;
  return take_slices(pool, views, wanted, shape, varying);
}

}  // namespace

void bind_tables(nb::module_& m) {
  m.def("take_slices", &slices, nb::arg("pool"), nb::arg("arrays"), nb::arg("which"), nb::arg("begins"),
        nb::arg("counts"), nb::arg("row"), nb::arg("varying"),
        nb::sig("def take_slices(pool: Pool, arrays: list[NDArray[Any]], which: NDArray[numpy.int64], begins: "
                "NDArray[numpy.int64], counts: NDArray[numpy.int64], row: Sequence[int], varying: bool) -> Samples"),
        "Copies rows of arrays, each row with the shape `row`: for every sample the array, its first row and their "
        "number, which is 1 unless it is `varying`.");
}

}  // namespace penstock
