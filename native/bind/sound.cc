// Sound: decoding it, reading it from files, and changing its sample rate.
#include <nanobind/stl/pair.h>

#include "bind/convert.h"
#include "codecs/sndfile.h"
#include "codecs/sound_decoder.h"
#include "runtime/each_sample.h"
#include "runtime/files.h"
#include "steps/audio_resample.h"

namespace penstock {
namespace {

// More files are not kept open at a time: many systems allow a process a thousand.
constexpr size_t kOpenAtOnce = 256;

template <typename T>
T of_sample(const Values<T>& values, size_t sample) {
  return values.data()[values.size() == 1 ? 0 : sample];
}

template <typename T>
void require_values(const Values<T>& values, size_t n) {
  if (values.size() != 1 && values.size() != n) throw nb::value_error("one value for all samples, or one for each");
}

double checked_quality(double quality) {
  if (!(quality >= 0 && quality <= 100)) throw nb::value_error("quality is 0 to 100");
  return quality;
}

DType sound_type(int code) {
  const auto dtype = static_cast<DType>(code);
  if (dtype != DType::i16 && dtype != DType::i32 && dtype != DType::f32)
    throw nb::type_error("sound is decoded to int16, int32 or float32");
  return dtype;
}

struct DecodedSounds {
  Samples audio;
  std::vector<float> stored_rates, rates;
};

/// Opens every sound with `open(i)` to see how long it is, then decodes all of them into one block.
template <typename Open>
DecodedSounds decode_all(Pool& pool, size_t n, int64_t bytes, DType dtype, bool downmix, double quality, Open&& open) {
  std::vector<std::unique_ptr<SoundDecoder>> opened(n);
  std::vector<Shape> shapes(n);
  DecodedSounds made{{}, std::vector<float>(n), std::vector<float>(n)};
  each_sample(pool, n, bytes, [&](size_t i, Scratch&) {
    std::unique_ptr<SoundDecoder> decoder = open(i);
    shapes[i] = decoder->shape();
    made.stored_rates[i] = static_cast<float>(decoder->stored_rate());
    made.rates[i] = static_cast<float>(decoder->rate());
    if (i < kOpenAtOnce) opened[i] = std::move(decoder);
  });
  made.audio = Samples::empty(dtype, downmix ? 1 : 2, std::move(shapes));
  const SincFilter filter(quality);
  each_sample(pool, n, made.audio.bytes(), [&](size_t i, Scratch& scratch) {
    const std::unique_ptr<SoundDecoder> decoder = opened[i] ? std::move(opened[i]) : open(i);
    if (decoder->shape() != made.audio.shape(i)) throw std::runtime_error("the file changed while it was read");
    decoder->decode(made.audio.view(i), filter, scratch);
  });
  return made;
}

Samples scalars(const std::vector<float>& values) {
  Samples made = Samples::empty(DType::f32, values.size(), Shape{});
  for (size_t i = 0; i < values.size(); ++i) *made.view(i).as<float>() = values[i];
  return made;
}

std::pair<Samples, Samples> decode_audio(Pool& pool, size_t n, const Samples& samples, int dtype, bool downmix,
                                         double quality, const Values<float>& sample_rate) {
  if (samples.dtype() != DType::u8 || samples.ndim() != 1) throw nb::type_error("the bytes of files, 1-D uint8");
  if (samples.size() != 1 && samples.size() != n) throw nb::value_error("one file for all samples, or one for each");
  require_values(sample_rate, n);
  SoundRequest request{sound_type(dtype), downmix};
  checked_quality(quality);
  nb::gil_scoped_release release;
  const DecodedSounds made = decode_all(pool, n, samples.bytes(), request.dtype, downmix, quality, [&](size_t i) {
    const ConstView file = shared_view(samples, i);
    SoundRequest own = request;
    own.sample_rate = of_sample(sample_rate, i);
    const std::span<const std::byte> bytes(file.data, static_cast<size_t>(file.bytes()));
    return std::make_unique<SoundDecoder>(open_sound(std::make_unique<MemoryBytes>(bytes)), own);
  });
  return {made.audio, scalars(made.rates)};
}

std::pair<Samples, Samples> read_audio(Pool& pool, const std::vector<nb::bytes>& paths, int dtype, bool downmix,
                                       double quality, double sample_rate, const Values<double>& offset,
                                       const Values<double>& duration) {
  const size_t n = paths.size();
  require_values(offset, n);
  require_values(duration, n);
  std::vector<std::string> names;
  for (const nb::bytes& path : paths) names.emplace_back(path.c_str(), path.size());
  const SoundRequest request{sound_type(dtype), downmix, sample_rate};
  checked_quality(quality);
  nb::gil_scoped_release release;
  constexpr int64_t kAlwaysParallel = INT64_MAX;
  DecodedSounds made = decode_all(pool, n, kAlwaysParallel, request.dtype, downmix, quality, [&](size_t i) {
    SoundRequest own = request;
    own.offset = of_sample(offset, i);
    own.duration = of_sample(duration, i);
    return std::make_unique<SoundDecoder>(open_sound(std::make_unique<FileBytes>(names[i])), own);
  });
  made.audio.sources = std::make_shared<const std::vector<std::string>>(std::move(names));
  return {made.audio, scalars(made.stored_rates)};
}

void make_audio_resample(AudioResample* self, const Values<float>& in_rate, const Values<float>& out_rate,
                         const std::optional<Values<int32_t>>& length, double quality, int dtype) {
  AudioResample::Options options{to_vector(in_rate), to_vector(out_rate), std::nullopt, checked_quality(quality),
                                 static_cast<DType>(dtype)};
  if (length) options.length = to_vector(*length);
  new (self) AudioResample(std::move(options));
}

}  // namespace

void bind_sound(nb::module_& m) {
  m.def("load_sndfile", &load_sndfile, nb::arg("path"),
        "Loads libsndfile, which decodes what is not plain WAV. Does nothing where it is loaded.");
  m.def("decode_audio", &decode_audio, nb::arg("pool"), nb::arg("n"), nb::arg("samples"), nb::arg("dtype"),
        nb::arg("downmix"), nb::arg("quality"), nb::arg("sample_rate"),
        "The sound in the bytes of files, and its sample rates. A rate that is not positive keeps the file's.");
  m.def("read_audio", &read_audio, nb::arg("pool"), nb::arg("paths"), nb::arg("dtype"), nb::arg("downmix"),
        nb::arg("quality"), nb::arg("sample_rate"), nb::arg("offset"), nb::arg("duration"),
        "The sound in parts of files, given in seconds, and the sample rates of the files.");
  nb::class_<AudioResample, Step>(m, "AudioResample")
      .def("__init__", &make_audio_resample, nb::arg("in_rate"), nb::arg("out_rate"), nb::arg("length").none(),
           nb::arg("quality"), nb::arg("dtype"));
}

}  // namespace penstock
