#include "codecs/jpeg/row_decoder.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "codecs/jpeg/upsample.h"
#include "codecs/jpeg/ycc_to_rgb.h"

namespace penstock {

#ifdef PENSTOCK_JPEG_VECTORS
namespace {

// Before and behind each row: the neighbours of its ends, and what vector loads and stores take along.
constexpr int64_t kBeside = 64;

// One thread takes 0.13 ms for so many, two take 0.11: a thread that is woken comes late.
constexpr int64_t kBandsFromPixels = 64 << 10;
// In rows of MCUs, of which bands decode one more than they show: in a good band that does not count.
constexpr int64_t kGoodBand = 16, kLeastBand = 4;
// Bands for each thread, where they are good: one that comes late takes fewer.
constexpr int64_t kMostTurns = 4;

int64_t units(int64_t extent, int64_t unit) { return (extent + unit - 1) / unit; }

// Whether the first scan has all components, in their order.
bool is_of_one_scan(const jpeg_decompress_struct& info) {
  if (info.progressive_mode || info.comps_in_scan != info.num_components) return false;
  for (int k = 0; k < info.num_components; ++k)
    if (info.cur_comp_info[k] != &info.comp_info[k]) return false;
  return true;
}

bool is_plain(const jpeg_decompress_struct& info) {
  if (info.num_components == 1) return info.jpeg_color_space == JCS_GRAYSCALE;
  if (info.num_components != 3 || info.jpeg_color_space != JCS_YCbCr) return false;
  const jpeg_component_info& luma = info.comp_info[0];
  for (int k = 0; k < 3; ++k) {
    const jpeg_component_info& component = info.comp_info[k];
    if (k > 0 && (component.h_samp_factor != 1 || component.v_samp_factor != 1)) return false;
  }
  // Chroma of one or two columns is not smoothed.
  const bool is_wide = info.image_width > 4 || luma.h_samp_factor == 1;
  return luma.h_samp_factor <= 2 && luma.v_samp_factor <= luma.h_samp_factor && is_wide;
}

// Samples along a side of a block, which libjpeg has chosen for the size of its output; 0 where the sides differ.
int block_size(const jpeg_component_info& component) {
#if JPEG_LIB_VERSION >= 70
  return component.DCT_h_scaled_size == component.DCT_v_scaled_size ? component.DCT_h_scaled_size : 0;
#else
  return component.DCT_scaled_size;
#endif
}

}  // namespace

bool RowDecoder::begin(j_decompress_ptr info, HuffmanScan& scan, const Rect& window, Pixels pixels, int max_scans) {
  if (!has_jpeg_vectors() || !is_plain(*info)) return false;
  is_progressive_ = info->progressive_mode;
  if (!is_progressive_ && !is_of_one_scan(*info)) return false;
  components_ = info->num_components;
  is_reduced_ = block_size(info->comp_info[0]) != DCTSIZE;
  if (is_reduced_ && is_progressive_) return false;
  for (int k = 0; k < components_; ++k) {
    const jpeg_component_info& component = info->comp_info[k];
    const JQUANT_TBL* table =
        component.quant_tbl_no < NUM_QUANT_TBLS ? info->quant_tbl_ptrs[component.quant_tbl_no] : nullptr;
    if (!table) return false;
    std::copy_n(table->quantval, DCTSIZE2, planes_[k].factors.begin());
    planes_[k].across = components_ == 1 ? 1 : component.h_samp_factor;
    planes_[k].down = components_ == 1 ? 1 : component.v_samp_factor;
    planes_[k].size = block_size(component);
    if (!can_take(planes_[k])) return false;
    planes_[k].width = units(static_cast<int64_t>(info->image_width) * planes_[k].across * planes_[k].size,
                             int64_t{planes_[0].across} * DCTSIZE);
    planes_[k].height = units(static_cast<int64_t>(info->image_height) * planes_[k].down * planes_[k].size,
                              int64_t{planes_[0].down} * DCTSIZE);
  }
  upsampling_across_ = is_reduced_ ? 1 : planes_[0].across;
  upsampling_down_ = is_reduced_ ? 1 : planes_[0].down;
  pixels_ = pixels;
  return is_progressive_ ? begin_progressive(*info, window, max_scans) : begin_baseline(info, scan, window);
}

bool RowDecoder::can_take(const Plane& plane) const {
  if (!is_reduced_) return plane.size == DCTSIZE;
  const Plane& luma = planes_[0];
  const bool has_full_size =
      plane.across * plane.size == luma.across * luma.size && plane.down * plane.size == luma.down * luma.size;
  return has_full_size && (plane.size == 1 || plane.size == 2);
}

bool RowDecoder::begin_baseline(j_decompress_ptr info, HuffmanScan& scan, const Rect& window) {
  if (!scan.begin(info)) return false;
  lay_out(window);
  // Where only means are needed the AC coefficients of all blocks are stepped over.
  const int64_t rows = mcu_row_for(window.y + window.height - 1) + 1 - first_mcu_row_;
  const int64_t reduced = is_reduced_ ? rows * (end_mcu_ - first_mcu_) : 0;
  scan.expect_skips(mcus_stepped_over(scan.restart_interval()) + reduced);
  rows_.begin(scan);
  return true;
}

bool RowDecoder::begin_progressive(const jpeg_decompress_struct& info, const Rect& window, int max_scans) {
  lay_out(window);
  const int end_row = static_cast<int>(mcu_row_for(window.y + window.height - 1)) + 1;
  const ProgressiveDecoder::Mcus mcus{first_mcu_, end_mcu_, mcus_across_, static_cast<int>(first_mcu_row_), end_row};
  return progressive_.begin(info, mcus, pixels_ == Pixels::gray ? 1 : components_, max_scans);
}

void RowDecoder::lay_out(const Rect& window) {
  const int64_t across = planes_[0].across * planes_[0].size, down = planes_[0].down * planes_[0].size;
  // A chroma sample reaches to the pixels beside its own: two to the left, or to the right, and one row.
  const int64_t reach_across = upsampling_across_ > 1 ? 2 : 0, reach_down = upsampling_down_ > 1 ? 1 : 0;
  window_ = window;
  next_row_ = window.y;
  mcus_across_ = static_cast<int>(units(planes_[0].width, across));
  first_mcu_ = static_cast<int>(std::max<int64_t>(window.x - reach_across, 0) / across);
  end_mcu_ = static_cast<int>(std::min<int64_t>(units(window.x + window.width + reach_across, across), mcus_across_));
  first_mcu_row_ = std::max<int64_t>(window.y - reach_down, 0) / down;
  mcu_rows_ = 0;

  int64_t bytes = 0;
  for (int k = 0; k < components_; ++k) {
    Plane& plane = planes_[k];
    plane.stride = (end_mcu_ - first_mcu_) * plane.across * plane.size + 2 * kBeside;
    plane.rows = plane.down * plane.size * (upsampling_down_ > 1 ? 2 : 1);
    bytes += plane.rows * plane.stride;
  }
  const int64_t row = planes_[0].stride + 2 * kBeside;
  memory_.resize(std::max<size_t>(memory_.size(), bytes + 2 * row + kBeside));
  uint8_t* free = memory_.data();
  for (int k = 0; k < components_; ++k) {
    planes_[k].samples = free + kBeside;
    free += planes_[k].rows * planes_[k].stride;
  }
  for (uint8_t*& upsampled : upsampled_) {
    upsampled = free;
    free += row;
  }
  if (components_ == 1) std::memset(upsampled_[0], CENTERJSAMPLE, row);  // the chroma of a gray picture
}

// How many of the MCUs outside of the window have to be read: those behind the last restart marker before the window,
// and in each row beside it.
int64_t RowDecoder::mcus_stepped_over(int64_t restart_interval) const {
  const int64_t most = restart_interval > 0 ? restart_interval - 1 : std::numeric_limits<int64_t>::max();
  const int64_t rows = units(window_.y + window_.height, planes_[0].down * planes_[0].size) - first_mcu_row_;
  return std::min(first_mcu_row_ * mcus_across_, most) +
         rows * std::min<int64_t>(mcus_across_ - (end_mcu_ - first_mcu_), most);
}

std::vector<Rect> RowDecoder::bands(int threads) const {
  const int64_t interval = is_progressive_ ? 0 : rows_.scan().restart_interval();
  const int64_t reduction = DCTSIZE / planes_[0].size;
  const int64_t stored_pixels = window_.height * window_.width * reduction * reduction;
  if (interval == 0 || threads < 2 || stored_pixels < kBandsFromPixels) return {window_};
  // Bands begin at a row of MCUs that a restart marker stands before.
  const int64_t unit = interval / std::gcd(interval, int64_t{mcus_across_});
  const int64_t rows = mcu_row_for(window_.y + window_.height - 1) + 1 - first_mcu_row_;
  const int64_t turns = std::clamp<int64_t>(rows / (kGoodBand * threads), 1, kMostTurns);
  const int64_t height = units(std::max(units(rows, turns * threads), kLeastBand), unit) * unit;
  // Where chroma is smoothed between rows, the first row of pixels needs the MCUs above. It is left to the band above,
  // which decodes one more row of MCUs for it; otherwise both bands would.
  const int64_t down = planes_[0].down * planes_[0].size;
  const auto first_pixel_row = [&](int64_t mcu_row) { return mcu_row * down + (upsampling_down_ > 1); };

  std::vector<Rect> bands;
  const int64_t end = window_.y + window_.height;
  for (int64_t y = window_.y, mcu_row = first_mcu_row_ / unit * unit; y < end;) {
    mcu_row += height;
    const int64_t next = std::min(first_pixel_row(mcu_row), end);
    bands.push_back({y, window_.x, next - y, window_.width});
    y = next;
  }
  return bands;
}

void RowDecoder::begin_band(const RowDecoder& image, const Rect& band) {
  is_progressive_ = false;
  pixels_ = image.pixels_;
  planes_ = image.planes_;
  components_ = image.components_;
  is_reduced_ = image.is_reduced_;
  upsampling_across_ = image.upsampling_across_;
  upsampling_down_ = image.upsampling_down_;
  lay_out(band);
  rows_.begin(image.rows_.scan());
}

uint8_t* RowDecoder::row_of(const Plane& plane, int64_t row) const {
  return plane.samples + (row & (plane.rows - 1)) * plane.stride;
}

bool RowDecoder::decode_row_of_mcus() {
  McuRow row{first_mcu_, end_mcu_, mcus_across_, is_reduced_, {}};
  int at = 0;
  for (int k = 0; k < components_; ++k) {
    const Plane& plane = planes_[k];
    const bool wanted = mcu_rows_ >= first_mcu_row_ && (k == 0 || pixels_ != Pixels::gray);
    for (int y = 0; y < plane.down; ++y)
      for (int x = 0; x < plane.across; ++x) {
        uint8_t* samples = row_of(plane, (mcu_rows_ * plane.down + y) * plane.size) + x * plane.size;
        row.blocks[at++] = {wanted ? samples : nullptr, plane.stride, plane.across * plane.size, plane.size,
                            plane.factors.data()};
      }
  }
  if (is_progressive_)
    progressive_.transform(row, static_cast<int>(mcu_rows_));
  else if (!rows_.decode(row))
    return false;
  if (!is_reduced_)
    for (int k = 1; k < components_; ++k) repeat_edges(planes_[k]);
  ++mcu_rows_;
  return true;
}

// The first and the last sample of a row are their own neighbours.
void RowDecoder::repeat_edges(Plane& plane) {
  const int64_t last = plane.width - 1 - first_mcu_ * DCTSIZE;
  const bool has_last = last < (end_mcu_ - first_mcu_) * DCTSIZE;
  for (int y = 0; y < DCTSIZE; ++y) {
    uint8_t* row = row_of(plane, mcu_rows_ * DCTSIZE + y);
    row[-1] = row[0];
    if (has_last) row[last + 1] = row[last];
  }
}

const uint8_t* RowDecoder::chroma_row(const Plane& plane, uint8_t* upsampled) {
  const int64_t across = upsampling_across_, down = upsampling_down_;
  const int64_t first_pixel = first_mcu_ * planes_[0].across * planes_[0].size, row = next_row_ / down;
  if (across == 1) return row_of(plane, row) + window_.x - first_pixel;
  const int64_t first = window_.x / 2, samples = (window_.x + window_.width + 1) / 2 - first;
  const int64_t at = first - first_mcu_ * DCTSIZE;
  const uint8_t* near = row_of(plane, row) + at;
  if (down == 1) {
    upsample_columns(upsampled, near, samples);
  } else {
    const int64_t beside = std::clamp<int64_t>(next_row_ % 2 == 0 ? row - 1 : row + 1, 0, plane.height - 1);
    upsample_both(upsampled, near, row_of(plane, beside) + at, samples);
  }
  return upsampled + window_.x % 2;
}

// The last row of MCUs that a row of pixels is made of.
int64_t RowDecoder::mcu_row_for(int64_t row) const {
  const bool is_smoothed = upsampling_down_ > 1;
  const int64_t needed = is_smoothed ? std::min(row / 2 + row % 2, units(planes_[0].height, 2) - 1) * 2 : row;
  return needed / (planes_[0].down * planes_[0].size);
}

bool RowDecoder::read_row(uint8_t* out) {
  for (const int64_t last = mcu_row_for(next_row_); mcu_rows_ <= last;)
    if (!decode_row_of_mcus()) return false;
  const uint8_t* luma = row_of(planes_[0], next_row_) + window_.x - first_mcu_ * planes_[0].across * planes_[0].size;
  if (pixels_ == Pixels::gray) {
    std::memcpy(out, luma, window_.width);
  } else {
    const bool has_chroma = components_ > 1;
    const uint8_t* cb = has_chroma ? chroma_row(planes_[1], upsampled_[0]) : upsampled_[0];
    const uint8_t* cr = has_chroma ? chroma_row(planes_[2], upsampled_[1]) : upsampled_[0];
    ycc_to_rgb(out, luma, cb, cr, window_.width, pixels_ == Pixels::bgr);
  }
  ++next_row_;
  return true;
}

void RowDecoder::give_back_large() { progressive_.give_back_large(); }
#else
void RowDecoder::give_back_large() {}
bool RowDecoder::begin(j_decompress_ptr, HuffmanScan&, const Rect&, Pixels, int) { return false; }
std::vector<Rect> RowDecoder::bands(int) const { return {window_}; }
void RowDecoder::begin_band(const RowDecoder&, const Rect&) {}
bool RowDecoder::read_row(uint8_t*) { return false; }
#endif

}  // namespace penstock
