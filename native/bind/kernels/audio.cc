// Steps from signals to features of sound.
#include <nanobind/stl/pair.h>

#include <limits>

#include "bind/convert.h"
#include "kernels/audio/mel_step.h"
#include "kernels/audio/nonsilent.h"
#include "kernels/audio/preemphasis_step.h"
#include "kernels/audio/spectrum_step.h"
#include "runtime/each_sample.h"

namespace penstock {
namespace {

constexpr int64_t kLongestTransform = 1 << 26;
constexpr int64_t kLongestSignal = std::numeric_limits<int32_t>::max();

void make_spectrogram(Spectrogram* self, int64_t nfft, const Values<float>& window, int64_t step, bool centered,
                      bool reflects, bool root, bool frequencies_last) {
  const auto size = static_cast<int64_t>(window.size());
  if (size < 1 || step < 1 || nfft < size || nfft > kLongestTransform) throw nb::value_error("no such windows");
  Spectrogram::Options options;
  options.nfft = nfft;
  options.windows = {to_vector(window), step, centered, reflects};
  options.root = root;
  options.frequencies_last = frequencies_last;
  new (self) Spectrogram(std::move(options));
}

void make_power_spectrum(PowerSpectrum* self, int axis, int64_t nfft, bool root) {
  if (axis < 0 || axis >= kMaxDims || nfft < 0 || nfft > kLongestTransform) throw nb::value_error("no such transform");
  new (self) PowerSpectrum({axis, nfft, root});
}

void make_mel_filter_bank(MelFilterBank* self, int axis, int64_t filters, double sample_rate, double low, double high,
                          bool htk, bool normalizes) {
  const bool ordered = sample_rate > 0 && low >= 0 && high > low;
  if (axis < 0 || axis >= kMaxDims || filters < 1 || !ordered) throw nb::value_error("no such filters");
  new (self) MelFilterBank({filters, sample_rate, low, high, htk, normalizes}, axis);
}

void make_mfcc(Mfcc* self, int axis, int64_t count, int type, bool normalizes, double lifter) {
  if (axis < 0 || axis >= kMaxDims || count < 1 || type < 1 || type > 4) throw nb::value_error("no such transform");
  new (self) Mfcc({type, normalizes, lifter, count}, axis);
}

void make_preemphasis(Preemphasis* self, const Values<float>& coefficient, SignalBorder border, int dtype) {
  new (self) Preemphasis(to_vector(coefficient), border, dtype_from(dtype));
}

std::pair<Samples, Samples> nonsilent_regions(Pool& pool, size_t n, const Samples& signals, int64_t window,
                                              int64_t restart, float ratio, float reference) {
  if (window < 1 || restart < 0) throw nb::value_error("no such windows");
  if (signals.ndim() != 1) throw nb::value_error("signals have one axis");
  const SilenceRule rule{window, restart, ratio, reference};
  Samples begins = Samples::empty(DType::i32, n, Shape{}), lengths = Samples::empty(DType::i32, n, Shape{});
  GilRelease release;
  each_sample(pool, n, signals.bytes(), [&](size_t i, Scratch& scratch) {
    const ConstView signal = shared_view(signals, i);
    if (signal.shape[0] > kLongestSignal)
      throw std::runtime_error("a signal has at most " + std::to_string(kLongestSignal) + " samples, got " +
                               std::to_string(signal.shape[0]));
    float* sums = scratch.array<float>(kStepTemp, static_cast<size_t>(signal.shape[0]));
    const NonsilentRegion found = nonsilent_region(signal, rule, sums);
    *begins.view(i).as<int32_t>() = static_cast<int32_t>(found.begin);
    *lengths.view(i).as<int32_t>() = static_cast<int32_t>(found.length);
  });
  return {std::move(begins), std::move(lengths)};
}

}  // namespace

void bind_audio_steps(nb::module_& m) {
  nb::class_<Spectrogram, Step>(m, "Spectrogram")
      .def("__init__", &make_spectrogram, nb::arg("nfft"), nb::arg("window"), nb::arg("step"), nb::arg("centered"),
           nb::arg("reflects"), nb::arg("root"), nb::arg("frequencies_last"));
  nb::class_<PowerSpectrum, Step>(m, "PowerSpectrum")
      .def("__init__", &make_power_spectrum, nb::arg("axis"), nb::arg("nfft"), nb::arg("root"));
  nb::class_<MelFilterBank, Step>(m, "MelFilterBank")
      .def("__init__", &make_mel_filter_bank, nb::arg("axis"), nb::arg("filters"), nb::arg("sample_rate"),
           nb::arg("low"), nb::arg("high"), nb::arg("htk"), nb::arg("normalizes"));
  nb::class_<Mfcc, Step>(m, "Mfcc").def("__init__", &make_mfcc, nb::arg("axis"), nb::arg("count"), nb::arg("type"),
                                        nb::arg("normalizes"), nb::arg("lifter"));
  nb::enum_<SignalBorder>(m, "SignalBorder", "What comes before the first sample of a signal.")
      .value("clamp", SignalBorder::clamp)
      .value("zero", SignalBorder::zero)
      .value("reflect", SignalBorder::reflect);
  nb::class_<Preemphasis, Step>(m, "Preemphasis")
      .def("__init__", &make_preemphasis, nb::arg("coefficient"), nb::arg("border"), nb::arg("dtype"));
  m.def("nonsilent_regions", &nonsilent_regions, nb::arg("pool"), nb::arg("n"), nb::arg("signals"), nb::arg("window"),
        nb::arg("restart"), nb::arg("ratio"), nb::arg("reference"));
  nb::class_<ToDecibels, Step>(m, "ToDecibels")
      .def(nb::init<float, float, float>(), nb::arg("multiplier"), nb::arg("reference"), nb::arg("least"));
}

}  // namespace penstock
