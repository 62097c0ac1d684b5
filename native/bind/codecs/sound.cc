// Sound: decoding it, reading it from files, and changing its sample rate.
#include <limits>
#include <span>

#include "bind/convert.h"
#include "codecs/sound/sndfile.h"
#include "codecs/sound/sound_decoder.h"
#include "datasets/files/files.h"
#include "kernels/audio/audio_resample_step.h"
#include "runtime/each_sample.h"

namespace penstock {
namespace {

// More files are not kept open at a time: many systems allow a process a thousand.
constexpr size_t kOpenAtOnce = 256;

double checked_quality(double quality) {
  if (!(quality >= 0 && quality <= 100)) throw nb::value_error("quality is 0 to 100");
  return quality;
}

DType sound_type(int code) {
  const auto dtype = dtype_from(code);
  if (dtype != DType::i16 && dtype != DType::i32 && dtype != DType::f32)
    throw nb::type_error("sound is decoded to int16, int32 or float32");
  return dtype;
}

/// What is asked of every sound, with values for all samples or one for each.
struct Requests {
  SoundRequest common;
  double quality;
  Values<double> sample_rate, offset, duration;

  SoundRequest of(size_t sample) const {
    SoundRequest own = common;
    own.sample_rate = of_sample(sample_rate, sample);
    own.offset = of_sample(offset, sample);
    own.duration = of_sample(duration, sample);
    return own;
  }
};

Requests checked(size_t n, int dtype, bool downmix, double quality, int64_t max_bytes,
                 const Values<double>& sample_rate, const Values<double>& offset, const Values<double>& duration) {
  for (const auto& values : {sample_rate, offset, duration})
    if (values.size() != 1 && values.size() != n) throw nb::value_error("one value for all samples, or one for each");
  SoundRequest common{sound_type(dtype), downmix};
  common.max_bytes = max_bytes;
  return {common, checked_quality(quality), sample_rate, offset, duration};
}

struct Sounds {
  Samples audio;
  std::vector<float> rates, stored_rates;
  std::vector<std::string> errors;  // by sample; an empty text where it was decoded
  std::vector<char> untold;         // those that may have been cut off, since they do not say how long they are
};

/// Opens every sound with `open(i)` to see how long it is, then decodes all of them into one block.
template <typename Open>
Sounds decode_all(Pool& pool, size_t n, int64_t bytes, const Requests& requests, Open&& open) {
  std::vector<std::unique_ptr<SoundDecoder>> opened(n);
  Shape nothing;
  nothing.ndim = requests.common.downmix ? 1 : 2;
  std::vector<Shape> shapes(n, nothing);
  Sounds made{{}, std::vector<float>(n), std::vector<float>(n), std::vector<std::string>(n), std::vector<char>(n)};
  const auto guarded = [&made](size_t i, const auto& work) {
    try {
      work();
    } catch (const std::exception& error) {
      made.errors[i] = error.what();
    }
  };
  const auto open_one = [&](size_t i) {
    const SoundRequest request = requests.of(i);
    return std::make_unique<SoundDecoder>(open_sound(open(i), request.offset <= 0, request.duration < 0), request);
  };
  each_sample(pool, n, bytes, [&](size_t i, Scratch&) {
    guarded(i, [&] {
      auto decoder = open_one(i);
      shapes[i] = decoder->shape();
      made.rates[i] = static_cast<float>(decoder->rate());
      made.stored_rates[i] = static_cast<float>(decoder->stored_rate());
      made.untold[i] = !decoder->tells_extent();
      if (i < kOpenAtOnce) opened[i] = std::move(decoder);
    });
  });
  made.audio = Samples::empty(requests.common.dtype, nothing.ndim, std::move(shapes));
  const SincFilter filter(requests.quality);
  each_sample(pool, n, made.audio.bytes(), [&](size_t i, Scratch& scratch) {
    if (made.errors[i].empty())
      guarded(i, [&] {
        auto decoder = std::move(opened[i]);
        if (!decoder) decoder = open_one(i);
        if (decoder->shape() != made.audio.shape(i)) throw std::runtime_error("the file changed while it was read");
        decoder->decode(made.audio.view(i), filter, scratch);
      });
  });
  return made;
}

Samples scalars(const std::vector<float>& values) {
  Samples made = Samples::empty(DType::f32, values.size(), Shape{});
  for (size_t i = 0; i < values.size(); ++i) *made.view(i).as<float>() = values[i];
  return made;
}

nb::tuple as_tuple(Sounds made) {
  nb::dict failures;
  for (size_t i = 0; i < made.errors.size(); ++i)
    if (!made.errors[i].empty()) failures[nb::int_(i)] = made.errors[i];
  nb::list untold;
  for (size_t i = 0; i < made.untold.size(); ++i)
    if (made.untold[i]) untold.append(i);
  return nb::make_tuple(std::move(made.audio), scalars(made.rates), scalars(made.stored_rates), failures, untold);
}

nb::tuple decode_audio(Pool& pool, size_t n, const Samples& files, int dtype, bool downmix, double quality,
                       int64_t max_bytes, const Values<double>& sample_rate, const Values<double>& offset,
                       const Values<double>& duration) {
  if (files.dtype() != DType::u8 || files.ndim() != 1) throw nb::type_error("the bytes of files, 1-D uint8");
  if (files.size() != 1 && files.size() != n) throw nb::value_error("one file for all samples, or one for each");
  const Requests requests = checked(n, dtype, downmix, quality, max_bytes, sample_rate, offset, duration);
  Sounds made;
  {
    GilRelease release;
    made = decode_all(pool, n, files.bytes(), requests, [&](size_t i) {
      const ConstView file = shared_view(files, i);
      return std::make_unique<MemoryBytes>(std::span(file.data, static_cast<size_t>(file.bytes())));
    });
  }
  return as_tuple(std::move(made));
}

nb::tuple read_audio(Pool& pool, const std::vector<nb::bytes>& paths, int dtype, bool downmix, double quality,
                     int64_t max_bytes, const Values<double>& sample_rate, const Values<double>& offset,
                     const Values<double>& duration) {
  const size_t n = paths.size();
  const Requests requests = checked(n, dtype, downmix, quality, max_bytes, sample_rate, offset, duration);
  std::vector<std::string> names;
  for (const nb::bytes& path : paths) names.emplace_back(path.c_str(), path.size());
  Sounds made;
  {
    GilRelease release;
    constexpr int64_t kAlwaysParallel = std::numeric_limits<int64_t>::max();
    made =
        decode_all(pool, n, kAlwaysParallel, requests, [&](size_t i) { return std::make_unique<FileBytes>(names[i]); });
  }
  return as_tuple(std::move(made));
}

void make_audio_resample(AudioResample* self, const Values<float>& in_rate, const Values<float>& out_rate,
                         const std::optional<Values<int32_t>>& length, double quality, int dtype) {
  AudioResample::Options options{to_vector(in_rate), to_vector(out_rate), std::nullopt, checked_quality(quality),
                                 dtype_from(dtype)};
  if (length) options.length = to_vector(*length);
  new (self) AudioResample(std::move(options));
}

}  // namespace

void bind_sound(nb::module_& m) {
  m.def("load_sndfile", &load_sndfile, nb::arg("path"),
        "Loads libsndfile, which decodes what is not plain WAV or FLAC. Does nothing where it is loaded.");
  m.def("decode_audio", &decode_audio, nb::arg("pool"), nb::arg("n"), nb::arg("files"), nb::arg("dtype"),
        nb::arg("downmix"), nb::arg("quality"), nb::arg("max_bytes"), nb::arg("sample_rate"), nb::arg("offset"),
        nb::arg("duration"),
        nb::sig("def decode_audio(pool: Pool, n: int, files: Samples, dtype: int, downmix: bool, quality: float, "
                "max_bytes: int, "
                "sample_rate: NDArray[numpy.float64], offset: NDArray[numpy.float64], "
                "duration: NDArray[numpy.float64]) -> tuple[Samples, Samples, Samples, dict[int, str], list[int]]"),
        "The sound in parts of files, given in seconds; its sample rates, those of the files, why some could not be "
        "decoded, and which of them do not say how long they are. A rate that is not positive keeps the file's, a "
        "negative duration ends with it.");
  m.def("read_audio", &read_audio, nb::arg("pool"), nb::arg("paths"), nb::arg("dtype"), nb::arg("downmix"),
        nb::arg("quality"), nb::arg("max_bytes"), nb::arg("sample_rate"), nb::arg("offset"), nb::arg("duration"),
        nb::sig(
            "def read_audio(pool: Pool, paths: list[bytes], dtype: int, downmix: bool, quality: float, max_bytes: int, "
            "sample_rate: NDArray[numpy.float64], offset: NDArray[numpy.float64], "
            "duration: NDArray[numpy.float64]) -> tuple[Samples, Samples, Samples, dict[int, str], list[int]]"),
        "The same for files that are not in memory, of which no more is read than needed.");
  nb::class_<AudioResample, Step>(m, "AudioResample")
      .def("__init__", &make_audio_resample, nb::arg("in_rate"), nb::arg("out_rate"), nb::arg("length").none(),
           nb::arg("quality"), nb::arg("dtype"));
}

}  // namespace penstock
