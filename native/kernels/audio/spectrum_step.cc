#include "kernels/audio/spectrum_step.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/audio/mel_step.h"

namespace penstock {
namespace {

// As vector lanes, so few lines leave most of a register empty.
constexpr int64_t kFewLines = 4;

/// Where the last elements of lines will be stored: the others of a block are mostly in the same pieces of memory, or
/// in those that the block before has left in the cache.
Upcoming upcoming_lines(const float* out, const Lines& lines, int64_t first, int64_t lanes) {
  constexpr int64_t kLine = 64 / sizeof(float);
  if (lines.inner == 1) return {out + first * lines.length, kLine, lanes * lines.length / kLine};
  return {out + first + lanes - 1, lines.inner, lines.length};
}

void require_floats(DType dtype) {
  if (dtype != DType::f32) throw std::runtime_error("a signal is float32; cast it first");
}

}  // namespace

Spectrogram::Spectrogram(Options options) : options_(std::move(options)), fft_(options_.nfft) {
  if (fft_.takes_rows()) rows_ = fft_.in_order(window_rows(options_.windows, options_.nfft));
}

Lines Spectrogram::lines(int64_t windows) const {
  return options_.frequencies_last ? Lines{windows, fft_.bins(), 1} : Lines{1, fft_.bins(), windows};
}

Spec Spectrogram::infer(size_t, const Spec& in, ConstView) const {
  require_floats(in.dtype);
  const int64_t length = in.shape.volume();
  if (length == 0) throw std::runtime_error("an empty signal has no spectrogram");
  for (int axis = 0; axis < in.shape.ndim; ++axis)
    if (in.shape[axis] != 1 && in.shape[axis] != length)
      throw std::runtime_error("a signal has one axis that is longer than 1; mix several channels down first");
  const int64_t windows = options_.windows.count(length);
  if (windows < 1)
    throw std::runtime_error("a signal of " + std::to_string(length) + " samples is too short for a window of " +
                             std::to_string(options_.windows.size()) + "; center_windows=True pads it");
  const Lines made = lines(windows);
  return {DType::f32, options_.frequencies_last ? Shape{2, {windows, made.length}} : Shape{2, {made.length, windows}}};
}

template <typename Use>
void Spectrogram::each_block(ConstView in, Scratch& scratch, const float* out, const Lines& made, Use&& use) const {
  const int64_t length = in.shape.volume(), windows = options_.windows.count(length);
  const int64_t most = fft_.most_lanes();
  const auto* signal = in.as<float>();
  float* work = scratch.array<float>(kStepTemp, fft_.work_floats(most));
  float* own_work = scratch.array<float>(kStepTables, options_.windows.work_floats(most));
  float* power = scratch.array<float>(kStepFactors, most * fft_.bins());
  for (int64_t first = 0; first < windows; first += most) {
    const int64_t lanes = std::min(most, windows - first);
    if (rows_.empty()) {
      load_windows(work, fft_, signal, length, options_.windows, first, lanes, own_work);
      fft_.run(power, work, lanes, options_.root);
      use(power, lanes, first, lanes);
    } else {
      const float* turned = turn_signal(own_work, signal, length, options_.windows, first);
      const Upcoming next = upcoming_windows(signal, length, options_.windows, first + kLanes, kLanes);
      fft_.run_rows(power, work, turned, rows_.data(), options_.root, upcoming_lines(out, made, first, lanes), next);
      use(power, kLanes, first, lanes);
    }
  }
}

void Spectrogram::run(size_t, View out, ConstView in, Scratch& scratch) const {
  const Lines made = lines(options_.windows.count(in.shape.volume()));
  each_block(in, scratch, out.as<float>(), made, [&](const float* power, int64_t step, int64_t first, int64_t lanes) {
    store_lines(out.as<float>(), made, first, lanes, power, step);
  });
}

bool Spectrogram::run_through(size_t, const Step& next, View out, ConstView in, Scratch& scratch) const {
  return run_bank(next, out, nullptr, in, scratch);
}

bool Spectrogram::run_both(size_t, const Step& next, View out, View kept, ConstView in, Scratch& scratch) const {
  return run_bank(next, out, kept.as<float>(), in, scratch);
}

bool Spectrogram::run_bank(const Step& next, View out, float* kept, ConstView in, Scratch& scratch) const {
  const auto* mel = dynamic_cast<const MelFilterBank*>(&next);
  if (!mel || mel->axis() != (options_.frequencies_last ? 1 : 0)) return false;
  const auto bank = mel->bank(fft_.bins());
  const Lines spectra = lines(options_.windows.count(in.shape.volume())), made = spectra.of_length(bank->size());
  float* filtered = scratch.array<float>(kFeatureBlock, fft_.most_lanes() * bank->size());
  // The larger of the two results.
  const float* stored = kept ? kept : out.as<float>();
  each_block(in, scratch, stored, kept ? spectra : made,
             [&](const float* power, int64_t step, int64_t first, int64_t lanes) {
               bank->run(filtered, step, power, step, step);
               store_lines(out.as<float>(), made, first, lanes, filtered, step);
               if (kept) store_lines(kept, spectra, first, lanes, power, step);
             });
  return true;
}

Spec PowerSpectrum::infer(size_t, const Spec& in, ConstView) const {
  require_floats(in.dtype);
  Spec made = in;
  const int64_t n = length(in.shape);
  if (n == 0) throw std::runtime_error("an axis of 0 elements has no spectrum");
  made.shape[options_.axis] = n / 2 + 1;
  return made;
}

void PowerSpectrum::run(size_t, View out, ConstView in, Scratch& scratch) const {
  const int64_t n = length(in.shape);
  const Lines given = Lines::along(in.shape, options_.axis);
  if (given.count() == 0) return;
  const auto fft = plans_.get(n, [&] { return PowerFft(n); });
  const Lines made = given.of_length(fft->bins());
  const int64_t most = given.count() < kFewLines ? 1 : std::min(fft->most_lanes(), given.count());
  float* work = scratch.array<float>(kStepTemp, fft->work_floats(most));
  float* block = scratch.array<float>(kStepFactors, most * std::max(given.length, fft->bins()));
  for (int64_t first = 0; first < given.count(); first += most) {
    const int64_t lanes = std::min(most, given.count() - first);
    load_lines(block, in.as<float>(), given, first, lanes);
    fft->fill(work, block, std::min(n, given.length), lanes);
    fft->run(block, work, lanes, options_.root);
    store_lines(out.as<float>(), made, first, lanes, block, lanes);
  }
}

}  // namespace penstock
