#include "codecs/arrays/fits.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace penstock {
namespace {

constexpr int64_t kFitsBlock = 2880;
constexpr int64_t kCard = 80;
constexpr size_t kMostAxes = 999;

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// What the cards of a header say, as far as it concerns images.
class Header {
 public:
  Header(int hdu, int64_t offset) : hdu_(hdu), offset_(offset) {}

  /// Reads card after card up to the last one.
  void read(ByteSource& file) {
    std::vector<std::byte> buffer;
    for (end_ = offset_;;) {
      if (end_ > file.size() - kFitsBlock) fail(end_, "the header does not end");
      const char* block = reinterpret_cast<const char*>(file.bytes(end_, kFitsBlock, buffer));
      if (end_ == offset_) check_kind({block, kCard});
      end_ += kFitsBlock;
      for (int64_t at = 0; at < kFitsBlock; at += kCard)
        if (!take({block + at, kCard}, end_ - kFitsBlock + at)) return check();
    }
  }

  int64_t data() const { return end_; }
  int64_t next() const { return end_ + (data_bytes() + kFitsBlock - 1) / kFitsBlock * kFitsBlock; }

  StoredArray image() const {
    if (compressed_) fail(offset_, "the image is compressed");
    if (table_) fail(offset_, "there is a table here, no image");
    if (axes_.empty()) fail(offset_, "there is no data here");
    if (axes_.size() > kMaxDims)
      fail(offset_, "the image has " + std::to_string(axes_.size()) + " axes, at most " + std::to_string(kMaxDims) +
                        " can be read");
    StoredArray array;
    array.offset = end_;
    array.big_endian = true;
    array.shape.ndim = static_cast<int>(axes_.size());
    std::copy(axes_.rbegin(), axes_.rend(), array.shape.extent.begin());
    array.blank = blank_;
    set_types(array);
    return array;
  }

 private:
  [[noreturn]] void fail(int64_t at, const std::string& why) const {
    throw std::runtime_error("HDU " + std::to_string(hdu_) + " at byte " + std::to_string(at) + ": " + why);
  }

  void check_kind(std::string_view card) {
    const std::string_view wanted = hdu_ == 1 ? "SIMPLE  =" : "XTENSION=";
    if (!card.starts_with(wanted))
      fail(offset_, "not the header of a FITS file, which begins with " + std::string(wanted));
    table_ = hdu_ > 1 && card.find("'IMAGE") == std::string_view::npos;
  }

  /// Whether more cards follow.
  bool take(std::string_view card, int64_t at) {
    const std::string_view key = trimmed(card.substr(0, 8));
    if (key == "END") return false;
    if (card.substr(8, 2) != "= ") return true;
    const std::string_view value = trimmed(card.substr(10, card.find('/', 10) - 10));
    if (key == "BITPIX") {
      bits_ = integer(value, at);
    } else if (key == "NAXIS") {
      naxis_ = integer(value, at);
    } else if (key.starts_with("NAXIS")) {
      set_axis(key.substr(5), integer(value, at), at);
    } else if (key == "PCOUNT") {
      parameters_ = integer(value, at);
    } else if (key == "GCOUNT") {
      groups_ = integer(value, at);
    } else if (key == "BSCALE") {
      scale_ = number(value, at);
    } else if (key == "BZERO") {
      zero_ = number(value, at);
    } else if (key == "BLANK") {
      blank_ = integer(value, at);
    } else if (key == "ZIMAGE") {
      compressed_ = value == "T";
    }
    return true;
  }

  int64_t integer(std::string_view text, int64_t at) const {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + text.starts_with('+'), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) fail(at, "not a whole number: " + std::string(text));
    return value;
  }

  double number(std::string_view text, int64_t at) const {
    std::string digits(text.substr(text.starts_with('+')));
    std::replace_if(
        digits.begin(), digits.end(), [](char c) { return c == 'D' || c == 'd'; }, 'E');
    char* end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);
    if (digits.empty() || *end != '\0' || !std::isfinite(value)) fail(at, "not a number: " + std::string(text));
    return value;
  }

  void set_axis(std::string_view number, int64_t extent, int64_t at) {
    const int64_t axis = integer(number, at);
    if (axis < 1 || axis > static_cast<int64_t>(kMostAxes)) fail(at, "there is no axis " + std::to_string(axis));
    if (extent < 0) fail(at, "an axis of " + std::to_string(extent) + " elements");
    if (static_cast<int64_t>(axes_.size()) < axis) axes_.resize(axis, -1);
    axes_[axis - 1] = extent;
  }

  void check() {
    constexpr int64_t kKnown[] = {8, 16, 32, 64, -32, -64};
    if (std::find(std::begin(kKnown), std::end(kKnown), bits_) == std::end(kKnown))
      fail(offset_, "BITPIX is " + std::to_string(bits_) + ", it can be 8, 16, 32, 64, -32 or -64");
    if (naxis_ < 0 || naxis_ > static_cast<int64_t>(kMostAxes))
      fail(offset_, "NAXIS is " + std::to_string(naxis_) + ", it can be 0 to 999");
    if (static_cast<int64_t>(axes_.size()) < naxis_ ||
        std::find(axes_.begin(), axes_.begin() + naxis_, -1) != axes_.begin() + naxis_)
      fail(offset_, "NAXIS is " + std::to_string(naxis_) + ", but not all of these axes have an extent");
    axes_.resize(naxis_);
    int64_t elements = 1;
    for (const int64_t extent : axes_) {
      if (extent > 1 && elements > kMostElements / extent) fail(offset_, "the data is larger than any file");
      elements *= std::max<int64_t>(extent, 1);
    }
    if (parameters_ < 0 || parameters_ > kMostElements || groups_ < 1 || groups_ > kMostElements / elements ||
        groups_ > kMostElements / (parameters_ + 1))
      fail(offset_, "PCOUNT is " + std::to_string(parameters_) + " and GCOUNT " + std::to_string(groups_) +
                        ", which no file can have");
  }

  /// Random groups have a first axis of 0 that does not count.
  int64_t data_bytes() const {
    if (axes_.empty()) return 0;
    const bool in_groups = hdu_ == 1 && axes_[0] == 0 && axes_.size() > 1;
    int64_t elements = 1;
    for (size_t axis = in_groups; axis < axes_.size(); ++axis) elements *= axes_[axis];
    return std::abs(bits_) / 8 * groups_ * (parameters_ + elements);
  }

  void set_types(StoredArray& array) const {
    switch (bits_) {
      case 8:
        return set_types(array, DType::u8, DType::i8, -0x1p7, DType::f32);
      case 16:
        return set_types(array, DType::i16, DType::u16, 0x1p15, DType::f32);
      case 32:
        return set_types(array, DType::i32, DType::u32, 0x1p31, DType::f64);
      case 64:
        return set_types(array, DType::i64, DType::u64, 0x1p63, DType::f64);
      case -32:
        return set_types(array, DType::f32, DType::f32, 0, DType::f32);
      default:
        return set_types(array, DType::f64, DType::f64, 0, DType::f64);
    }
  }

  /// FITS has no other way to write unsigned numbers, and signed bytes, than by a BZERO of half their range.
  void set_types(StoredArray& array, DType stored, DType other_sign, double half, DType real) const {
    array.stored = array.dtype = stored;
    if (scale_ == 1 && zero_ == 0) return;
    const bool is_half = scale_ == 1 && zero_ == half;
    array.meaning = is_half ? Meaning::offset_by_half : Meaning::scaled;
    array.dtype = is_half ? other_sign : real;
    array.scale = scale_;
    array.zero = zero_;
  }

  int hdu_;
  int64_t offset_, end_ = 0;
  int64_t bits_ = 0, naxis_ = -1, parameters_ = 0, groups_ = 1;
  std::vector<int64_t> axes_;
  double scale_ = 1, zero_ = 0;
  std::optional<int64_t> blank_;
  bool table_ = false, compressed_ = false;
};

}  // namespace

StoredArray FitsFormat::find(ByteSource& file) const {
  int64_t offset = 0;
  for (int hdu = 1;; ++hdu) {
    Header header(hdu, offset);
    header.read(file);
    if (hdu == hdu_) {
      const StoredArray image = header.image();
      require_all_there(image, file.size());
      return image;
    }
    offset = header.next();
    if (offset >= file.size())
      throw std::runtime_error("there is no HDU " + std::to_string(hdu_) + ", the file ends at byte " +
                               std::to_string(file.size()) + " after " + std::to_string(hdu));
  }
}

}  // namespace penstock
