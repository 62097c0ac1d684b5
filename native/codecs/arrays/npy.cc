#include "codecs/arrays/npy.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <string_view>

namespace penstock {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr int64_t kUsualHeader = 128;
constexpr int64_t kLongestHeader = 10'000;  // larger ones describe records

[[noreturn]] void fail(int64_t at, const std::string& why) {
  throw std::runtime_error("at byte " + std::to_string(at) + ": " + why);
}

/// Reads the dictionary that describes an array, as Python writes it.
class Description {
 public:
  Description(std::string_view text, int64_t at) : text_(text), at_(at) {}

  void read(StoredArray& array) {
    unsigned seen = 0;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      const size_t which = std::find(std::begin(kKeys), std::end(kKeys), key) - std::begin(kKeys);
      if (which == std::size(kKeys) || seen >> which & 1) refuse();
      seen |= 1u << which;
      expect(':');
      which == 0 ? read_type(array) : which == 1 ? read_order(array) : read_shape(array);
      if (!accept(',') && peek() != '}') refuse();
    }
    if (seen != 7) refuse();
  }

 private:
  static constexpr std::string_view kKeys[] = {"descr", "fortran_order", "shape"};

  [[noreturn]] void refuse() const {
    const size_t shown = std::min<size_t>(text_.find_last_not_of(" \n") + 1, 100);
    fail(at_ + static_cast<int64_t>(next_),
         "the header does not describe an array of numbers: " + std::string(text_.substr(0, shown)));
  }

  char peek() {
    while (next_ < text_.size() && (text_[next_] == ' ' || text_[next_] == '\n')) ++next_;
    return next_ < text_.size() ? text_[next_] : '\0';
  }

  bool accept(char wanted) {
    if (peek() != wanted) return false;
    ++next_;
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) refuse();
  }

  std::string_view quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse();
    const size_t end = text_.find(quote, ++next_);
    if (end == std::string_view::npos) refuse();
    const std::string_view inside = text_.substr(next_, end - next_);
    next_ = end + 1;
    return inside;
  }

  void read_type(StoredArray& array) {
    struct Name {
      std::string_view text;
      DType dtype;
    };
    static constexpr Name kNames[] = {
        {"u1", DType::u8},  {"u2", DType::u16},     {"u4", DType::u32}, {"u8", DType::u64},   {"i1", DType::i8},
        {"i2", DType::i16}, {"i4", DType::i32},     {"i8", DType::i64}, {"f2", DType::f16},   {"f4", DType::f32},
        {"f8", DType::f64}, {"b1", DType::boolean}, {"B", DType::u8},   {"?", DType::boolean}};
    const std::string_view text = quoted();
    const bool marked = !text.empty() && std::string_view("<>|=").find(text[0]) != std::string_view::npos;
    const auto* name = std::find_if(std::begin(kNames), std::end(kNames),
                                    [&](const Name& known) { return known.text == text.substr(marked); });
    if (name == std::end(kNames))
      fail(at_, "Unknown Numpy type string: " + std::string(text) + "; arrays of numbers are read");
    array.stored = array.dtype = name->dtype;
    array.big_endian = text[0] == '>';
  }

  void read_order(StoredArray& array) {
    peek();
    const std::string_view rest = text_.substr(next_);
    array.columns_first = rest.starts_with("True");
    if (!array.columns_first && !rest.starts_with("False")) refuse();
    next_ += array.columns_first ? 4 : 5;
  }

  void read_shape(StoredArray& array) {
    expect('(');
    while (!accept(')')) {
      if (array.shape.ndim == kMaxDims)
        fail(at_ + static_cast<int64_t>(next_),
             "the array has more than " + std::to_string(kMaxDims) + " axes, which is the most there can be");
      array.shape[array.shape.ndim++] = extent();
      if (!accept(',') && peek() != ')') refuse();
    }
    if (!is_countable(array.shape)) fail(at_ + static_cast<int64_t>(next_), "Numpy array shape is too large");
  }

  int64_t extent() {
    if (!std::isdigit(static_cast<unsigned char>(peek()))) refuse();
    int64_t value = 0;
    for (; next_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[next_])); ++next_) {
      value = value * 10 + (text_[next_] - '0');
      if (value > kMostElements) fail(at_ + static_cast<int64_t>(next_), "Numpy array shape is too large");
    }
    accept('L');  // as Python 2 wrote it
    return value;
  }

  std::string_view text_;
  int64_t at_;
  size_t next_ = 0;
};

}  // namespace

StoredArray NpyFormat::find(ByteSource& file) const {
  static_assert(std::endian::native == std::endian::little, "elements are taken as they are unless they are swapped");
  std::vector<std::byte> buffer;
  const int64_t first = std::min(file.size(), kUsualHeader);
  std::string_view text(reinterpret_cast<const char*>(file.bytes(0, first, buffer)), first);
  if (!text.starts_with(kMagic))
    throw std::runtime_error(
        "Got bad magic string for numpy header at byte 0: not a file of numpy.save, which starts with \\x93NUMPY");
  const int major = text.size() > 6 ? text[6] : 0;
  if (major < 1 || major > 3) fail(6, "version " + std::to_string(major) + " of the format is not known, only 1 to 3");
  StoredArray array;
  const int64_t fixed = major == 1 ? 10 : 12;
  array.offset = fixed;
  for (int64_t i = 8; i < std::min(fixed, first); ++i)
    array.offset += static_cast<int64_t>(static_cast<unsigned char>(text[i])) << 8 * (i - 8);
  if (array.offset > file.size() || first < fixed)
    fail(8,
         "the header ends at byte " + std::to_string(array.offset) + ", the file has " + std::to_string(file.size()));
  if (array.offset > kLongestHeader)
    fail(8, "a header of " + std::to_string(array.offset) + " bytes does not describe an array of numbers");
  if (array.offset > first)
    text = {reinterpret_cast<const char*>(file.bytes(0, array.offset, buffer)), static_cast<size_t>(array.offset)};
  Description(text.substr(fixed, array.offset - fixed), fixed).read(array);
  const int64_t end = array.offset + array.bytes();
  if (to_the_end_ && end != file.size())
    throw std::runtime_error("Expected data numpy size " + std::to_string(end) +
                             " bytes does not match the actual size " + std::to_string(file.size()) + " bytes.");
  require_all_there(array, file.size());
  return array;
}

}  // namespace penstock
