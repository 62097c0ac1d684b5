// The batches of a reader, one after the other. Most are whole, lie inside of one visit of the order, and consist of
// files of this machine that are in its memory and can be read. Those are read here without any Python code: after a
// batch has gone through the caches, what the interpreter needs has left them, and even a few functions take tens of
// microseconds with the interpreter lock held. All others are read by readers/core/prefetch.py.
#include <cstring>
#include <optional>

#include "bind/datasets/file_names.h"
#include "bind/runtime/collected.h"
#include "bind/runtime/items.h"
#include "bind/runtime/python_code.h"
#include "datasets/files/files.h"

namespace penstock {
namespace {

// The indices of the next batches of an order, as far as they are known.
class UpcomingBatches {
 public:
  using Matrix = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

  UpcomingBatches(Matrix indices, nb::list rows, nb::object position)
      : indices_(std::move(indices)), rows_(std::move(rows)), position_(std::move(position)) {
    if (rows_.size() != indices_.shape(0)) throw std::invalid_argument("a row for every batch");
  }

  /// The indices of the batch of so many samples that begins at this position; none where that is not known.
  std::span<const int64_t> at(nb::handle position, size_t count) const {
    if (taken_ == indices_.shape(0) || count != indices_.shape(1)) return {};
    if (!position.is(position_) && !position.equal(position_)) return {};
    return {indices_.data() + taken_ * count, count};
  }

  /// Moves behind the first of the batches, and returns the position there.
  nb::object advance() {
    const auto batch_size = static_cast<int64_t>(indices_.shape(1));
    const nb::int_ offset(nb::cast<int64_t>(position_[1]) + batch_size);
    position_ = named_tuple(position_.type(), position_[0], offset, position_[2]);
    ++taken_;
    return position_;
  }

  /// The indices as an array, and the position behind them; None where they are not known.
  nb::object take(nb::handle position, size_t count) {
    if (at(position, count).empty()) return nb::none();
    const nb::object row = rows_[taken_];
    return nb::make_tuple(row, advance());
  }

 private:
  Matrix indices_;
  nb::list rows_;        // the same, as arrays that may be written to
  nb::object position_;  // that of the next one, an `OrderPosition`
  size_t taken_ = 0;
};

// Files of this machine, with a row of numbers for each.
class ListedFiles {
 public:
  ListedFiles(nb::object pool, nb::bytes root, nb::bytes packed, Values<int64_t> ends, nb::object labels,
              int64_t max_bytes)
      : pool_(std::move(pool)),
        threads_(&nb::cast<Pool&>(pool_)),
        root_(std::move(root)),
        packed_(std::move(packed)),
        ends_(std::move(ends)),
        labels_(nb::cast<AnyArray>(labels, false)),
        max_bytes_(max_bytes) {
    require_contiguous(labels_);
    if (labels_.ndim() == 0 || labels_.shape(0) != ends_.size())
      throw std::invalid_argument("a row of labels for every file");
  }

  struct Batch {
    Samples files, labels;
    bool waited;  // some files were not in memory
  };

  /// Some of them; nothing where one cannot be read. Needs no interpreter lock.
  std::optional<Batch> read(std::span<const int64_t> indices) const {
    std::vector<std::string> names = pick(view_of(packed_), span_of(ends_), indices);
    std::vector<Piece> pieces(names.size());
    for (size_t i = 0; i < names.size(); ++i) pieces[i].path = path_of(view_of(root_), names[i]);
    Pieces read = read_pieces(*threads_, pieces, max_bytes_, nullptr, nullptr);
    for (const std::string& error : read.errors)
      if (!error.empty()) return std::nullopt;
    Batch batch{std::move(read.samples), labels_of(indices), read.waited};
    batch.files.sources = std::make_shared<const std::vector<std::string>>(std::move(names));
    batch.files.indices = batch.labels.indices =
        std::make_shared<const std::vector<int64_t>>(indices.begin(), indices.end());
    return batch;
  }

 private:
  Samples labels_of(std::span<const int64_t> indices) const {
    Samples made = Samples::empty(dtype_of(labels_.dtype()), indices.size(), shape_of(labels_, 1));
    const auto bytes = static_cast<size_t>(made.const_view(0).bytes());
    const auto* rows = static_cast<const std::byte*>(labels_.data());
    for (size_t k = 0; k < indices.size(); ++k)
      std::memcpy(made.data(k), rows + static_cast<size_t>(indices[k]) * bytes, bytes);
    return made;
  }

  nb::object pool_;
  Pool* threads_;
  nb::bytes root_, packed_;
  Values<int64_t> ends_;
  AnyArray labels_;
  int64_t max_bytes_;
};

class BatchReader {
 public:
  BatchReader(nb::object read_anew, nb::object order, nb::object files, nb::object storage, nb::list listeners,
              int64_t number, nb::object batch_class, nb::object fetched_class)
      : read_anew_(std::move(read_anew)),
        order_(std::move(order)),
        files_(std::move(files)),
        of_storage_(storage.attr("__dict__")),
        listeners_(std::move(listeners)),
        batch_class_(std::move(batch_class)),
        fetched_class_(std::move(fetched_class)),
        batch_size_(nb::cast<size_t>(order_.attr("batch_size"))),
        number_(number) {}

  nb::object next() {
    const nb::int_ number(number_++);
    nb::object read = files_.is_none() ? nb::object() : read_files(number);
    return read.is_valid() ? read : call_python(read_anew_, number);
  }

  int traverse(visitproc visit, void* arg) const {
    return visit_all({&read_anew_, &order_, &files_, &of_storage_, &listeners_, &batch_class_, &fetched_class_}, visit,
                     arg);
  }
  void clear() {
    for (nb::object* each : {&read_anew_, &order_, &files_, &of_storage_, &listeners_, &batch_class_, &fetched_class_})
      each->reset();
  }

 private:
  // Whether a batch is neither announced nor fetched from a disk, which Python code does.
  bool is_usual() const {
    if (PyList_Size(listeners_.ptr())) return false;
    const auto from_disk = find_item(of_storage_, from_disk_.text);
    return from_disk.is_valid() && from_disk.is(nb::handle(Py_False));
  }

  // Not valid where Python code has to read the batch. The order has not moved then: its files are read again.
  nb::object read_files(const nb::int_& number) const {
    if (!is_usual()) return {};
    const nb::object known = upcoming_.of(order_);
    auto& upcoming = nb::cast<UpcomingBatches&>(known);
    const std::span<const int64_t> indices = upcoming.at(position_.of(order_), batch_size_);
    if (indices.empty()) return {};
    std::optional<ListedFiles::Batch> read;
    const auto& files = nb::cast<const ListedFiles&>(files_);
    try {
      GilRelease release;
      read = files.read(indices);
    } catch (const std::exception&) {  // such as too little memory: Python code tells of it
    }
    if (!read) return {};
    if (read->waited) throw_if(PyDict_SetItem(of_storage_.ptr(), from_disk_.text.ptr(), Py_True) != 0);
    const nb::object outputs = nb::make_tuple(nb::cast(std::move(read->files)), nb::cast(std::move(read->labels)));
    const nb::object position = upcoming.advance();
    position_.set(order_, position);
    const nb::object batch = named_tuple(batch_class_, outputs, nb::int_(batch_size_), nb::list(), nb::int_(0));
    return named_tuple(fetched_class_, batch, position, number, outputs, nb::none(), nb::bool_(false));
  }

  nb::object read_anew_, order_, files_;
  nb::object of_storage_;  // its attributes
  nb::object listeners_;
  nb::object batch_class_, fetched_class_;
  size_t batch_size_;
  int64_t number_;
  AttributeName upcoming_{"upcoming"}, position_{"position"}, from_disk_{"from_disk"};
};

}  // namespace

void bind_batch_reader(nb::module_& m) {
  nb::class_<UpcomingBatches>(m, "UpcomingBatches", "The indices of the next batches of an order.")
      .def(
          nb::init<UpcomingBatches::Matrix, nb::list, nb::object>(), nb::arg("indices"), nb::arg("rows"),
          nb::arg("position"),
          nb::sig("def __init__(self, indices: NDArray[numpy.int64], rows: list[NDArray[numpy.int64]], position: "
                  "tuple[int, int, int]) -> None"),
          "A row of `indices` for each batch, which `rows` has as arrays of their own; `position` is where they begin.")
      .def("take", &UpcomingBatches::take, nb::arg("position"), nb::arg("count"),
           nb::sig("def take(self, position: tuple[int, int, int], count: int) -> tuple[NDArray[numpy.int64], "
                   "typing.Any] | None"),
           "The indices of the batch of so many samples that begins at this position, and the position behind it; None "
           "where they are not known.");
  nb::class_<ListedFiles>(m, "ListedFiles", "Files of this machine, with a label each.")
      .def(nb::init<nb::object, nb::bytes, nb::bytes, Values<int64_t>, nb::object, int64_t>(), nb::arg("pool"),
           nb::arg("root"), nb::arg("packed"), nb::arg("ends"), nb::arg("labels"), nb::arg("max_bytes"),
           nb::sig("def __init__(self, pool: Pool, root: bytes, packed: bytes, ends: NDArray[numpy.int64], labels: "
                   "numpy.typing.NDArray[typing.Any], max_bytes: int) -> None"),
           "Names as for `read_files`; a row of `labels` for each.");
  nb::class_<BatchReader>(m, "BatchReader", nb::type_slots(kCollected<BatchReader>),
                          "Reads one batch of an order after the other.")
      .def(nb::init<nb::object, nb::object, nb::object, nb::object, nb::list, int64_t, nb::object, nb::object>(),
           nb::arg("read_anew"), nb::arg("order"), nb::arg("files").none(), nb::arg("storage"), nb::arg("listeners"),
           nb::arg("number"), nb::arg("batch_class"), nb::arg("fetched_class"),
           nb::sig("def __init__(self, read_anew: Callable[[int], typing.Any], order: object, files: ListedFiles | "
                   "None, storage: object, listeners: list[typing.Any], number: int, batch_class: type, fetched_class: "
                   "type) -> None"),
           "`read_anew` is given the number of a batch, which counts from `number` on, that is not one of `files`, or "
           "does not lie inside of a visit, or is fetched from a disk, or cannot be read; and of all while one of the "
           "`listeners` wants to be told.")
      .def("__call__", &BatchReader::next, nb::sig("def __call__(self) -> typing.Any"));
}

}  // namespace penstock
