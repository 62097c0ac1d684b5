#include "kernels/filter/correlate_spectra.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/array/transpose.h"
#include "kernels/elements/convert.h"
#include "kernels/fourier/fft.h"

namespace penstock {
namespace {

// Lengths that transforms are quick for. Those that are powers of two put many rows into the same sets of a cache.
constexpr int64_t kLengths[] = {32, 48, 64, 80, 96, 120, 144, 160, 240, 320, 480, 640, 960, 1280};
// Larger tiles than this by this leave the second-level cache, which makes up for less overlap.
constexpr int64_t kCachedLength = 160;
// A transform to the spectrum and back takes as long for two elements as so many weighted ones take to be added up.
constexpr int64_t kTapsForTransforms = 450;
// With more, sums of bytes are off by more than a hundredth.
constexpr float kLargestGain = 64;

/// Along one axis the image is cut into tiles, each of which makes `step` pixels of the result. They overlap by the
/// stencil.
struct Tiling {
  int64_t extent = 0, step = 0, count = 0;

  static Tiling of(int64_t made, int64_t stencil) {
    Tiling best;
    for (const int64_t extent : kLengths) {
      if (extent < stencil) continue;
      const int64_t step = extent - stencil + 1, count = (made + step - 1) / step;
      if (!best.count || count * extent < best.count * best.extent) best = {extent, step, count};
      if (extent >= kCachedLength && extent >= 3 * stencil) break;
    }
    return best;
  }
};

/// The first pixel that a tile makes.
struct Place {
  int64_t y, x, channel;
};

class SpectralCorrelation {
 public:
  SpectralCorrelation(const Volume& made, const Volume& volume, const Stencil& stencil, const Surroundings& around,
                      Scratch& scratch)
      : made_(made),
        volume_(volume),
        stencil_(stencil),
        rows_(Tiling::of(made.height, stencil.rows)),
        columns_(Tiling::of(made.width, stencil.columns)),
        down_(rows_.extent),
        across_(columns_.extent),
        fill_(around.fill) {
    const int64_t size = rows_.extent * columns_.extent;
    float* planes = scratch.array<float>(kStepTemp, 6 * size + columns_.extent);
    tile_ = {planes, planes + size};
    other_ = {planes + 2 * size, planes + 3 * size};
    spectrum_ = {planes + 4 * size, planes + 5 * size};
    row_ = reinterpret_cast<std::byte*>(planes + 6 * size);
    from_row_ = places(made.height + stencil.rows - 1, stencil.anchor_row, volume.height, around.border);
    from_column_ = places(made.width + stencil.columns - 1, stencil.anchor_column, volume.width, around.border);
    for (int64_t& column : from_column_) column *= column < 0 ? 1 : volume.channels;
    find_spectrum();
  }

  /// Frames are made one by one, so that each is what it would be alone.
  void run(uint8_t* out, const uint8_t* in) {
    for (int64_t k = 0; k < made_.outer * made_.depth; ++k) {
      run_frame(out, in);
      out += made_.height * made_.width * made_.channels;
      in += volume_.height * volume_.width * volume_.channels;
    }
  }

 private:
  /// Two tiles are one of complex numbers: the stencil is real, so they stay apart.
  void run_frame(uint8_t* out, const uint8_t* in) {
    const int64_t tiles = rows_.count * columns_.count * made_.channels;
    for (int64_t k = 0; k < tiles; k += 2) {
      load(tile_.re, in, place(k));
      if (k + 1 < tiles)
        load(tile_.im, in, place(k + 1));
      else
        std::fill_n(tile_.im, rows_.extent * columns_.extent, 0.0f);
      const Planes made = correlated();
      store(out, made.re, place(k));
      if (k + 1 < tiles) store(out, made.im, place(k + 1));
    }
  }

  /// For every pixel under a stencil its place in the input, negative where there is none.
  static std::vector<int64_t> places(int64_t n, int64_t anchor, int64_t size, Border border) {
    std::vector<int64_t> made(n);
    for (int64_t k = 0; k < n; ++k) {
      const int64_t i = k - anchor;
      made[k] = i >= 0 && i < size ? i : border == Border::pad ? -1 : repeated(i, size, border);
    }
    return made;
  }

  /// The conjugate, which makes a correlation of a convolution, over the number of elements, by which two transforms
  /// are too large.
  void find_spectrum() {
    const int64_t size = rows_.extent * columns_.extent;
    std::fill_n(tile_.re, size, 0.0f);
    std::fill_n(tile_.im, size, 0.0f);
    for (int64_t y = 0; y < stencil_.rows; ++y)
      std::copy_n(stencil_.weights + y * stencil_.columns, stencil_.columns, tile_.re + y * columns_.extent);
    const Planes spectrum = transformed();
    const float scale = 1.0f / static_cast<float>(size);
    for (int64_t k = 0; k < size; ++k) {
      spectrum_.re[k] = spectrum.re[k] * scale;
      spectrum_.im[k] = -spectrum.im[k] * scale;
    }
  }

  Place place(int64_t tile) const {
    const int64_t row = tile / made_.channels / columns_.count, column = tile / made_.channels % columns_.count;
    return {row * rows_.step, column * columns_.step, tile % made_.channels};
  }

  void load(float* tile, const uint8_t* in, const Place& at) const {
    const int64_t row = volume_.width * volume_.channels;
    const int64_t height = std::min<int64_t>(rows_.extent, std::ssize(from_row_) - at.y);
    const int64_t width = std::min<int64_t>(columns_.extent, std::ssize(from_column_) - at.x);
    const int64_t* const columns = from_column_.data() + at.x;
    for (int64_t y = 0; y < rows_.extent; ++y, tile += columns_.extent) {
      const int64_t from = y < height ? from_row_[at.y + y] : -1;
      if (from < 0) {
        std::fill_n(tile, width, y < height ? fill_ : 0.0f);
      } else {
        const uint8_t* const line = in + from * row + at.channel;
        for (int64_t x = 0; x < width; ++x) tile[x] = columns[x] < 0 ? fill_ : line[columns[x]];
      }
      std::fill(tile + width, tile + columns_.extent, 0.0f);
    }
  }

  void store(uint8_t* out, const float* tile, const Place& at) const {
    const ConvertRow convert = rounding_conversion(DType::u8, DType::f32);
    const int64_t height = std::min(rows_.step, made_.height - at.y);
    const int64_t width = std::min(columns_.step, made_.width - at.x), c = made_.channels;
    for (int64_t y = 0; y < height; ++y, tile += columns_.extent) {
      convert(row_, reinterpret_cast<const std::byte*>(tile), width);
      uint8_t* const to = out + ((at.y + y) * made_.width + at.x) * c + at.channel;
      for (int64_t x = 0; x < width; ++x) to[x * c] = std::to_integer<uint8_t>(row_[x]);
    }
  }

  /// The spectrum of the tile; its columns are rows.
  Planes transformed() {
    const Planes columns = down_.run(tile_, other_, columns_.extent);
    const Planes rest = columns.re == tile_.re ? other_ : tile_;
    turn(rest, columns, rows_.extent, columns_.extent);
    return across_.run(rest, columns, rows_.extent);
  }

  Planes correlated() {
    const Planes spectrum = transformed();
    const int64_t size = rows_.extent * columns_.extent;
    run_wide([re = spectrum.re, im = spectrum.im, by = spectrum_, size]() PENSTOCK_INLINE {
      PENSTOCK_INDEPENDENT
      for (int64_t k = 0; k < size; ++k) {
        const float real = re[k] * by.re[k] - im[k] * by.im[k];
        im[k] = re[k] * by.im[k] + im[k] * by.re[k];
        re[k] = real;
      }
    });
    // With real and imaginary parts exchanged, before and after, the transform is its own inverse.
    const Planes data{spectrum.im, spectrum.re};
    const Planes free = spectrum.re == tile_.re ? other_ : tile_;
    const Planes rows = across_.run(data, {free.im, free.re}, rows_.extent);
    const Planes rest = rows.im == tile_.re ? Planes{other_.im, other_.re} : Planes{tile_.im, tile_.re};
    turn(rest, rows, columns_.extent, rows_.extent);
    const Planes made = down_.run(rest, rows, columns_.extent);
    return {made.im, made.re};
  }

  static void turn(Planes out, Planes in, int64_t rows, int64_t columns) {
    const Shape from{2, {rows, columns}}, to{2, {columns, rows}};
    for (const auto& [target, source] : {std::pair{out.re, in.re}, std::pair{out.im, in.im}})
      transpose({reinterpret_cast<std::byte*>(target), DType::f32, to},
                {reinterpret_cast<const std::byte*>(source), DType::f32, from}, {1, 0});
  }

  Volume made_, volume_;
  Stencil stencil_;
  Tiling rows_, columns_;
  Fft down_, across_;
  float fill_;
  Planes tile_, other_, spectrum_;
  std::byte* row_;
  std::vector<int64_t> from_row_, from_column_;
};

}  // namespace

bool spectra_are_quicker(const Volume& made, const Stencil& stencil) {
  if (stencil.depth > 1) return false;
  int64_t taps = 0;
  float gain = 0;
  for (int64_t k = 0; k < stencil.volume(); ++k) {
    taps += stencil.weights[k] != 0;
    gain += std::abs(stencil.weights[k]);
  }
  if (!(gain <= kLargestGain)) return false;
  const Tiling rows = Tiling::of(made.height, stencil.rows), columns = Tiling::of(made.width, stencil.columns);
  // Of one frame: tiles are made in pairs, and the stencil has a spectrum, too.
  const int64_t pairs = (made.channels * rows.count * columns.count + 1) / 2 + 1;
  const int64_t size = pairs * rows.extent * columns.extent;
  return size > 0 && size < made.height * made.width * made.channels * taps / kTapsForTransforms;
}

void correlate_spectra(View out, const Volume& made, ConstView in, const Volume& volume, const Stencil& stencil,
                       const Surroundings& around, Scratch& scratch) {
  SpectralCorrelation(made, volume, stencil, around, scratch)
      .run(reinterpret_cast<uint8_t*>(out.data), reinterpret_cast<const uint8_t*>(in.data));
}

}  // namespace penstock
