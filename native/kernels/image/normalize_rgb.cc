#include "kernels/image/normalize_rgb.h"

#include <algorithm>

#include "kernels/bytes/copy_row.h"
#include "kernels/image/normalize_rgb_x86.h"

namespace penstock {

#ifdef PENSTOCK_X86

namespace {

// Shorter rows are laid behind one another first: copying one takes less time than what is left of it when the vectors
// are full, and than vectors of the result that lie across two cache lines.
constexpr int64_t kGatheredRgbBelow = 96;
constexpr int64_t kRgbBytes = 3, kGatheredRgbBytes = 4 << 10;

void normalize_rows(float* out, int64_t plane, const RgbRows& rows, const float* mean, const float* inverse) {
  if (kHasAvx512 && rows.width >= kAvx512RgbLanes) return normalize_rgb_avx512(out, plane, rows, mean, inverse);
  normalize_rgb_avx2(out, plane, rows, mean, inverse);
}

}  // namespace

int64_t narrowest_rgb_row() { return kHasAvx2 ? kAvx2RgbLanes : -1; }

void normalize_rgb(float* out, int64_t plane, const RgbRows& rows, const float* mean, const float* inverse) {
  const auto& [first, stride, count, width, mirrored] = rows;
  const int64_t row_bytes = width * kRgbBytes;
  if (!mirrored && stride == row_bytes)
    return normalize_rows(out, plane, {first, 0, 1, count * width, false}, mean, inverse);
  if (count == 1 || width >= kGatheredRgbBelow) return normalize_rows(out, plane, rows, mean, inverse);
  alignas(64) std::byte gathered[kGatheredRgbBytes];
  const int64_t at_once = kGatheredRgbBytes / row_bytes;
  for (int64_t done = 0; done < count; done += at_once) {
    const int64_t n = std::min(at_once, count - done);
    // In the opposite order if they are mirrored: as one row, they are mirrored together.
    for (int64_t i = 0; i < n; ++i)
      copy_row(gathered + (mirrored ? n - 1 - i : i) * row_bytes, first + (done + i) * stride, row_bytes);
    normalize_rows(out + done * width, plane, {gathered, 0, 1, n * width, mirrored}, mean, inverse);
  }
}

#else

int64_t narrowest_rgb_row() { return -1; }

void normalize_rgb(float*, int64_t, const RgbRows&, const float*, const float*) {}

#endif

}  // namespace penstock
