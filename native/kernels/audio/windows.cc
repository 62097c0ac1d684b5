#include "kernels/audio/windows.h"

#include <algorithm>

#include "cpu/newest.h"
#include "cpu/vectorize.h"
#include "kernels/fourier/lines.h"

namespace penstock {
namespace {

/// The signal from a window's begin on, cut into rows of a step: windows begin at the first element of each row.
struct Rows {
  int64_t count, columns;
};

// Matrices are turned four rows at a time.
constexpr int64_t kTurnedRows = 4;

Rows rows_of(const Windows& windows, int64_t lanes) {
  const int64_t seen = lanes - 1 + (windows.size() + windows.step - 1) / windows.step;
  return {(seen + kTurnedRows - 1) / kTurnedRows * kTurnedRows, std::min(windows.step, windows.size())};
}

/// The index in [0, n) that mirroring at the first and the last element brings i to.
int64_t mirrored(int64_t i, int64_t n) {
  if (n == 1) return 0;
  const int64_t period = 2 * (n - 1), wrapped = ((i % period) + period) % period;
  return wrapped < n ? wrapped : period - wrapped;
}

float sample_at(const float* signal, int64_t n, int64_t i, bool reflects) {
  if (i >= 0 && i < n) return signal[i];
  return reflects ? signal[mirrored(i, n)] : 0.0F;
}

// Element i of all windows is a stretch of one row of the transposed signal, so it is transposed only once, though
// windows overlap.
PENSTOCK_INLINE inline void weigh(float* work, const PowerFft& fft, const float* turned, const Rows& rows,
                                  const Windows& windows, int64_t lanes) {
  int64_t row = 0, column = 0;
  for (int64_t i = 0; i < windows.size(); ++i) {
    float* to = fft.row(work, i, lanes);
    const float* from = turned + column * rows.count + row;
    const float weight = windows.weights[i];
    if (lanes == kLanes)
      *reinterpret_cast<AllLanes*>(to) = *reinterpret_cast<const AllLanes*>(from) * weight;
    else
      for (int64_t l = 0; l < lanes; ++l) to[l] = from[l] * weight;
    if (++column == windows.step) {
      column = 0;
      ++row;
    }
  }
}

/// Elements `begin` to `begin + count` of a signal that goes on beyond its ends.
void copy_extended(float* out, const float* signal, int64_t length, int64_t begin, int64_t count, bool reflects) {
  const int64_t inside = std::clamp<int64_t>(-begin, 0, count),
                behind = std::clamp<int64_t>(length - begin, inside, count);
  for (int64_t i = 0; i < inside; ++i) out[i] = sample_at(signal, length, begin + i, reflects);
  std::copy(signal + begin + inside, signal + begin + behind, out + inside);
  for (int64_t i = behind; i < count; ++i) out[i] = sample_at(signal, length, begin + i, reflects);
}

/// Where window number `first` begins, which may be before the signal does.
int64_t begin_of(const Windows& windows, int64_t first) {
  return first * windows.step - (windows.centered ? windows.size() / 2 : 0);
}

/// The signal from window `first` on, transposed.
void turn_rows(float* own_work, const float* signal, int64_t length, const Windows& windows, int64_t first,
               const Rows& rows) {
  const int64_t begin = begin_of(windows, first);
  if (begin >= 0 && begin + (rows.count - 1) * windows.step + rows.columns <= length)
    return turn_matrix(own_work, rows.count, signal + begin, windows.step, rows.count, rows.columns);
  const bool reflects = windows.centered && windows.reflects;
  float* padded = own_work + rows.count * rows.columns + kLanes;
  for (int64_t row = 0; row < rows.count; ++row)
    copy_extended(padded + row * rows.columns, signal, length, begin + row * windows.step, rows.columns, reflects);
  turn_matrix(own_work, rows.count, padded, rows.columns, rows.count, rows.columns);
}

}  // namespace

int64_t Windows::count(int64_t length) const {
  if (centered) return length / step + 1;
  return length - size() > -step ? (length - size()) / step + 1 : 0;
}

int64_t Windows::work_floats(int64_t lanes) const {
  const Rows rows = rows_of(*this, lanes);
  return 2 * rows.count * rows.columns + kLanes;
}

void load_windows(float* work, const PowerFft& fft, const float* signal, int64_t length, const Windows& windows,
                  int64_t first, int64_t lanes, float* own_work) {
  const Rows rows = rows_of(windows, lanes);
  turn_rows(own_work, signal, length, windows, first, rows);
  newest<weigh>(work, fft, own_work, rows, windows, lanes);
  for (int64_t i = windows.size(); i < fft.size(); ++i) std::fill_n(fft.row(work, i, lanes), lanes, 0.0F);
}

Upcoming upcoming_windows(const float* signal, int64_t length, const Windows& windows, int64_t first, int64_t lanes) {
  constexpr int64_t kLine = 64 / sizeof(float);
  const Rows rows = rows_of(windows, lanes);
  const int64_t before = begin_of(windows, first - lanes) + rows.count * windows.step;
  const int64_t from = std::clamp<int64_t>(before, 0, length);
  const int64_t to = std::clamp<int64_t>(before + lanes * windows.step, from, length);
  return {signal + from, kLine, (to - from + kLine - 1) / kLine};
}

std::vector<WeightedRow> window_rows(const Windows& windows, int64_t size) {
  const Rows rows = rows_of(windows, kLanes);
  const auto place = [](int64_t offset) { return static_cast<int32_t>(offset); };  // of a block that is in the cache
  std::vector<WeightedRow> list(size, {place(rows.count * rows.columns), 0.0F});
  for (int64_t i = 0; i < windows.size(); ++i)
    list[i] = {place(i % windows.step * rows.count + i / windows.step), windows.weights[i]};
  return list;
}

const float* turn_signal(float* own_work, const float* signal, int64_t length, const Windows& windows, int64_t first) {
  const Rows rows = rows_of(windows, kLanes);
  turn_rows(own_work, signal, length, windows, first, rows);
  std::fill_n(own_work + rows.count * rows.columns, kLanes, 0.0F);
  return own_work;
}

}  // namespace penstock
