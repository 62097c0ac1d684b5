// Arrays in files of their own: numpy.save, FITS.
#include "datasets/files/array_files.h"

#include <span>
#include <stdexcept>

#include "bind/convert.h"
#include "bind/datasets/file_names.h"
#include "bind/failures.h"
#include "bind/memory/sample_bytes.h"
#include "codecs/arrays/fits.h"
#include "codecs/arrays/npy.h"
#include "datasets/files/mapped_files.h"

namespace penstock {
namespace {

constexpr int64_t kUnknownSize = int64_t{1} << 62;

/// The first bytes of a file and another part of it.
class PartsOfFile : public ByteSource {
 public:
  PartsOfFile(std::span<const std::byte> head, bool is_all, std::span<const std::byte> part, int64_t offset)
      : head_(head), part_(part), offset_(offset), size_(is_all ? static_cast<int64_t>(head.size()) : kUnknownSize) {}

  int64_t size() const override { return size_; }
  const std::byte* bytes(int64_t offset, int64_t n, std::vector<std::byte>&) override { return find(offset, n); }

 private:
  const std::byte* find(int64_t offset, int64_t n) const {
    const auto within = [&](std::span<const std::byte> bytes, int64_t from) {
      return offset >= from && n <= static_cast<int64_t>(bytes.size()) - (offset - from);
    };
    if (within(head_, 0)) return head_.data() + offset;
    if (within(part_, offset_)) return part_.data() + (offset - offset_);
    throw std::runtime_error("at byte " + std::to_string(offset) + ": the header is longer than " +
                             std::to_string(head_.size()) + " bytes");
  }

  std::span<const std::byte> head_, part_;
  int64_t offset_, size_;
};

nb::tuple arrays_and_errors(ArrayBatch batch, std::shared_ptr<const std::vector<std::string>> sources) {
  batch.samples.sources = std::move(sources);
  return nb::make_tuple(std::move(batch.samples), by_position(batch.errors));
}

nb::tuple read_files(Pool& pool, MappedFiles* mapped, const nb::bytes& root, const nb::bytes& packed,
                     const Values<int64_t>& ends, const Values<int64_t>& indices, const ArrayFormat& format,
                     const ArrayOptions& options) {
  auto names = std::make_shared<const std::vector<std::string>>(pick(view_of(packed), span_of(ends), span_of(indices)));
  const std::string folder(view_of(root));
  const auto open = [&](size_t i, bool again) { return open_file(mapped, path_of(folder, (*names)[i]), again); };
  ArrayBatch made;
  {
    GilRelease release;
    made = read_arrays(pool, names->size(), open, format, options);
  }
  for (size_t i = 0; i < names->size(); ++i)
    if (!made.errors[i].empty()) made.errors[i] = path_of(folder, (*names)[i]) + ": " + made.errors[i];
  return arrays_and_errors(std::move(made), names);
}

nb::tuple within_files(Pool& pool, const Samples& files, const ArrayFormat& format, const ArrayOptions& options) {
  require_bytes(files, "files");
  ArrayBatch made;
  {
    GilRelease release;
    made = arrays_within(pool, files, format, options);
  }
  made.samples.external = files.external;
  made.samples.read_only = files.read_only;
  made.samples.indices = files.indices;
  return arrays_and_errors(std::move(made), files.sources);
}

/// Heads shorter than they were asked for are whole files.
nb::tuple extents(const Samples& heads, int64_t head_bytes, const ArrayFormat& format, const ArrayOptions& options) {
  require_bytes(heads, "files");
  std::vector<int64_t> offsets(heads.size()), lengths(heads.size());
  std::vector<std::string> errors(heads.size());
  for (size_t i = 0; i < heads.size(); ++i) {
    const std::span<const std::byte> head = bytes_of(heads, i);
    const int64_t size = static_cast<int64_t>(head.size());
    try {
      PartsOfFile file(head, size < head_bytes, {}, 0);
      const Extent extent = extent_of(format.find(file), options, i);
      const bool is_there = extent.offset + extent.bytes <= size;
      offsets[i] = is_there ? 0 : extent.offset;
      lengths[i] = is_there ? 0 : extent.bytes;
    } catch (const std::exception& error) {
      errors[i] = error.what();
    }
  }
  return nb::make_tuple(std::move(offsets), std::move(lengths), by_position(errors));
}

nb::tuple within_parts(Pool& pool, const Samples& heads, int64_t head_bytes, const Samples& parts,
                       const Values<int64_t>& offsets, const ArrayFormat& format, const ArrayOptions& options) {
  require_bytes(heads, "files");
  require_bytes(parts, "files");
  if (parts.size() != heads.size() || offsets.size() != heads.size())
    throw std::invalid_argument("a part and its offset for every file");
  const auto open = [&](size_t i, bool) {
    const std::span<const std::byte> head = bytes_of(heads, i);
    const bool is_all = static_cast<int64_t>(head.size()) < head_bytes;
    return std::make_unique<PartsOfFile>(head, is_all, bytes_of(parts, i), offsets.data()[i]);
  };
  ArrayBatch made;
  {
    GilRelease release;
    made = read_arrays(pool, heads.size(), open, format, options);
  }
  return arrays_and_errors(std::move(made), heads.sources);
}

void make_options(ArrayOptions* self, int64_t max_bytes, std::shared_ptr<WindowRule> rule, Border border, float fill,
                  std::optional<int> dtype) {
  if (dtype && (*dtype < 0 || *dtype > static_cast<int>(DType::boolean))) throw nb::value_error("no such element type");
  new (self) ArrayOptions{std::move(rule), border, fill, {}, max_bytes};
  if (dtype) self->dtype = dtype_from(*dtype);
}

}  // namespace

void bind_array_files(nb::module_& m) {
  nb::class_<ArrayFormat>(m, "ArrayFormat", "Finds the array in a file.");
  nb::class_<NpyFormat, ArrayFormat>(m, "NpyFormat")
      .def(nb::init<bool>(), nb::arg("to_the_end"), "Whether nothing may follow the array.");
  nb::class_<FitsFormat, ArrayFormat>(m, "FitsFormat").def(nb::init<int>(), nb::arg("hdu"));
  nb::class_<ArrayOptions>(m, "ArrayOptions", "Which part of arrays is read, and as what.")
      .def("__init__", &make_options, nb::arg("max_bytes"), nb::arg("rule") = nb::none(),
           nb::arg("border") = Border::error, nb::arg("fill") = 0.0f, nb::arg("dtype") = nb::none());
  m.def("read_array_files", &read_files, nb::arg("pool"), nb::arg("mapped").none(), nb::arg("root"), nb::arg("packed"),
        nb::arg("ends"), nb::arg("indices"), nb::arg("format"), nb::arg("options"),
        nb::sig("def read_array_files(pool: Pool, mapped: MappedFiles | None, root: bytes, packed: bytes, ends: "
                "NDArray[numpy.int64], "
                "indices: NDArray[numpy.int64], format: ArrayFormat, options: ArrayOptions) -> "
                "tuple[Samples, dict[int, str]]"),
        "The arrays in files, named as for read_files, and why some cannot be read, by position.");
  m.def("arrays_in_files", &within_files, nb::arg("pool"), nb::arg("files"), nb::arg("format"), nb::arg("options"),
        nb::sig("def arrays_in_files(pool: Pool, files: Samples, format: ArrayFormat, options: ArrayOptions) -> "
                "tuple[Samples, dict[int, str]]"),
        "The arrays in the contents of files, over the same memory where possible.");
  m.def("array_extents", &extents, nb::arg("heads"), nb::arg("head_bytes"), nb::arg("format"), nb::arg("options"),
        nb::sig("def array_extents(heads: Samples, head_bytes: int, format: ArrayFormat, options: ArrayOptions) -> "
                "tuple[list[int], list[int], dict[int, str]]"),
        "Offset and length of what is needed besides the first `head_bytes` of files, which are given.");
  m.def("arrays_in_parts", &within_parts, nb::arg("pool"), nb::arg("heads"), nb::arg("head_bytes"), nb::arg("parts"),
        nb::arg("offsets"), nb::arg("format"), nb::arg("options"),
        nb::sig("def arrays_in_parts(pool: Pool, heads: Samples, head_bytes: int, parts: Samples, "
                "offsets: NDArray[numpy.int64], format: ArrayFormat, options: ArrayOptions) -> "
                "tuple[Samples, dict[int, str]]"),
        "The same from the first bytes of files and the parts that `array_extents` asks for.");
}

}  // namespace penstock
