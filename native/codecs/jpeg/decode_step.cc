#include "codecs/jpeg/decode_step.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "kernels/resize/resize_step.h"
#include "kernels/resize/row_resampler.h"
#include "kernels/step_clock.h"
#include "memory/memory_limit.h"

namespace penstock {
namespace {

std::span<const std::byte> bytes_of(ConstView in) { return {in.data, static_cast<size_t>(in.bytes())}; }

void crop_decoded(View out, const ConstView& image, const Rect& window) {
  const int64_t pixel = image.shape[2] * item_bytes(image.dtype);
  const int64_t in_row = image.shape[1] * pixel, out_row = window.width * pixel;
  const std::byte* from = image.data + window.y * in_row + window.x * pixel;
  for (int64_t y = 0; y < window.height; ++y) std::memcpy(out.data + y * out_row, from + y * in_row, out_row);
}

}  // namespace

Decode::Decode(JpegOptions options, DType dtype, bool adjust_orientation, int64_t max_bytes, Window window,
               std::optional<Size> min_size)
    : options_(options),
      dtype_(dtype),
      adjust_orientation_(adjust_orientation),
      max_bytes_(max_bytes),
      window_(std::move(window)),
      min_size_(min_size) {
  require_pixel_type(dtype);
}

void Decode::set_decoded(size_t sample, ConstView image, std::shared_ptr<void> owner) {
  if (image.shape.ndim != 3 || image.dtype != dtype_)
    throw std::invalid_argument("a decoded image has the axes H, W, C and the dtype of the others");
  decoded_[sample] = {image, std::move(owner)};
}

Decode::Source Decode::source_of(size_t sample, ConstView in) const {
  if (const auto found = failed_.find(sample); found != failed_.end()) throw std::runtime_error(found->second);
  Source source;
  JpegHeader header;
  int64_t height, width;
  if (const auto found = decoded_.find(sample); found != decoded_.end()) {
    source.decoded = &found->second.image;
    height = source.decoded->shape[0];
    width = source.decoded->shape[1];
    source.channels = static_cast<int>(source.decoded->shape[2]);
  } else {
    if (in.dtype != DType::u8 || in.shape.ndim != 1)
      throw std::runtime_error("expected the bytes of a file: a 1-D array of uint8");
    header = read_jpeg_header(bytes_of(in));
    require_enough_data(header);
    height = header.height;
    width = header.width;
    source.channels = channels_of(options_.color, header.components);
    if (adjust_orientation_) source.orientation = Orientation(header.orientation);
  }
  const int64_t upright_height = source.orientation.transposed ? width : height;
  const int64_t upright_width = source.orientation.transposed ? height : width;
  source.window = window_ ? window_(sample, upright_height, upright_width) : Rect{0, 0, upright_height, upright_width};
  require_inside(source.window, upright_height, upright_width);
  source.stored_window = stored_window(source.window, source.orientation, height, width);
  if (source.decoded) return source;
  choose_size(source);
  require_affordable(source, header);
  return source;
}

void Decode::choose_size(Source& source) const {
  if (!min_size_) return;
  const auto is_enough = [&](int eighths) {
    return scaled_extent(source.window.height, eighths) >= (*min_size_)[0] &&
           scaled_extent(source.window.width, eighths) >= (*min_size_)[1];
  };
  source.eighths = is_enough(1) ? 1 : is_enough(2) ? 2 : is_enough(4) ? 4 : 8;
  const Rect full = source.stored_window;
  Rect& stored = source.stored_window;
  stored.y = full.y * source.eighths / 8;
  stored.x = full.x * source.eighths / 8;
  stored.height = scaled_extent(full.y + full.height, source.eighths) - stored.y;
  stored.width = scaled_extent(full.x + full.width, source.eighths) - stored.x;
  source.window = source.orientation.transposed ? Rect{stored.x, stored.y, stored.width, stored.height} : stored;
}

// What `run` takes: the result, the pixels it is converted from and those that are turned, and the coefficients of a
// JPEG in several scans. `run_through` takes less, but what is refused must not depend on the step behind.
void Decode::require_affordable(const Source& source, const JpegHeader& header) const {
  const int64_t pixels = source.window.height * source.window.width * source.channels;
  const int64_t copies = (dtype_ != DType::u8) + !source.orientation.upright();
  const int64_t bytes = pixels * (item_bytes(dtype_) + copies) + header.coefficient_bytes;
  const auto what = [&] {
    return "decoding the JPEG of " + std::to_string(header.height) + "x" + std::to_string(header.width) + "x" +
           std::to_string(header.components);
  };
  require_memory(what, static_cast<double>(bytes), max_bytes_);
}

Spec Decode::infer(size_t sample, const Spec&, ConstView data) const {
  const Source source = source_of(sample, data);
  return {dtype_, Shape{3, {source.window.height, source.window.width, source.channels}}};
}

void Decode::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  const Source source = source_of(sample, in);
  if (source.decoded) return crop_decoded(out, *source.decoded, source.window);
  const bool stretched = dtype_ != DType::u8;
  const bool late_ycbcr = stretched && options_.color == ColorType::ycbcr;
  JpegOptions options = options_;
  if (late_ycbcr) options.color = ColorType::rgb;
  options.eighths = source.eighths;
  options.fast_idct = options.fast_idct && source.orientation.upright();  // as the reference library does

  const size_t values = static_cast<size_t>(out.shape.volume());
  uint8_t* pixels = stretched ? scratch.array<uint8_t>(kStepTemp, values) : out.as<uint8_t>();
  decode_jpeg(pixels, bytes_of(in), options, source.stored_window, source.orientation,
              scratch.past_caches && !stretched, scratch);
  if (late_ycbcr)
    rgb_to_ycbcr_stretched(dtype_, out.data, pixels, values / 3);
  else if (stretched)
    stretch_to(dtype_, out.data, pixels, values);
}

bool Decode::run_through(size_t sample, const Step& next, View out, ConstView in, Scratch& scratch) const {
  const auto* resize = dynamic_cast<const Resize*>(&next);
  if (!resize || dtype_ != DType::u8) return false;
  const Source source = source_of(sample, in);
  if (source.decoded || !source.orientation.upright()) return false;
  const Shape image{3, {source.window.height, source.window.width, source.channels}};
  if (image.volume() == 0 || out.shape.volume() == 0) return false;
  const std::vector<ResampledAxis> axes = resize->plan(sample, image);
  if (axes[0].axis != 0 || !resamples_by_rows(out.dtype, image, DType::u8, axes)) return false;

  RowResampler& resampler = thread_row_resampler();
  resampler.begin(out.as<uint8_t>(), axes[0].spec, axes[1].spec, source.channels, scratch);
  const int64_t first_row = resampler.next_row(), first_column = resampler.first_column();
  const Rect needed{source.window.y + first_row, source.window.x + first_column, resampler.end_row() - first_row,
                    resampler.end_column() - first_column};
  JpegOptions options = options_;
  options.eighths = source.eighths;
  JpegRows rows(bytes_of(in), options, needed);
  const size_t stride = rows.row_bytes() + kRowPadding;
  if (const std::vector<Rect> bands = rows.bands(scratch); bands.size() > 1) {
    const size_t bytes = needed.height * stride;
    uint8_t* const whole = scratch.array<uint8_t>(kDecodeImage, bytes);
    if (rows.read_in_bands({whole, stride, false}, bands, scratch)) {
      const NextStep resizing(scratch);
      resampler.push({whole, static_cast<int64_t>(stride), first_row, needed.height, first_column, whole + bytes});
      return true;
    }
  }
  uint8_t* strip = scratch.array<uint8_t>(kDecodeRows, stride * JpegRows::kStrip);
  uint8_t* pointers[JpegRows::kStrip];
  for (int i = 0; i < JpegRows::kStrip; ++i) pointers[i] = strip + i * stride;
  for (int64_t row = 0; row < needed.height;) {
    const int count = static_cast<int>(std::min<int64_t>(JpegRows::kStrip, needed.height - row));
    rows.read(pointers, count);
    const NextStep resizing(scratch);
    resampler.push(
        {strip, static_cast<int64_t>(stride), first_row + row, count, first_column, strip + stride * JpegRows::kStrip});
    row += count;
  }
  return true;
}

}  // namespace penstock
