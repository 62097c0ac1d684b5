#include "codecs/sound/sound_decoder.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "kernels/audio/pcm.h"
#include "memory/memory_limit.h"

namespace penstock {
namespace {

constexpr int64_t kBlockElements = 16 << 10;
constexpr double kMostFrames = 0x1p31;

std::string in_seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g s", seconds);
  return text;
}

}  // namespace

SoundDecoder::SoundDecoder(std::unique_ptr<Sound> sound, const SoundRequest& request)
    : sound_(std::move(sound)), request_(request) {
  const Sound::Format& format = sound_->format();
  const auto all = static_cast<double>(format.frames);
  const double first = std::max(0.0, request.offset * format.rate);
  if (!(first <= all))
    throw std::runtime_error("the offset of " + in_seconds(request.offset) + " lies behind the end of the sound, at " +
                             in_seconds(all / format.rate));
  next_ = static_cast<int64_t>(first);
  frames_ = format.frames - next_;
  if (request.duration >= 0)
    frames_ = static_cast<int64_t>(std::min(request.duration * format.rate, static_cast<double>(frames_)));
  const double made =
      resamples() ? resampled_length(frames_, {static_cast<double>(format.rate), request.sample_rate}) : frames_;
  if (made > kMostFrames)
    throw std::runtime_error("at " + std::to_string(request.sample_rate) + " Hz there would be " +
                             std::to_string(made) + " samples");
  const double channels = request.downmix ? 1 : format.channels;
  const double signal = resamples() ? static_cast<double>(frames_) * channels * sizeof(float) : 0;
  require_memory([&] { return "decoding " + in_seconds(static_cast<double>(frames_) / format.rate) + " of sound"; },
                 made * channels * static_cast<double>(item_bytes(request.dtype)) + signal, request.max_bytes);
  shape_.ndim = request.downmix ? 1 : 2;
  shape_[0] = static_cast<int64_t>(made);
  if (!request.downmix) shape_[1] = format.channels;
}

void SoundDecoder::decode(View out, const SincFilter& filter, Scratch& scratch) {
  sound_->seek(next_);
  if (!resamples()) return read_as_is(out, scratch);
  Shape shape = shape_;
  shape[0] = frames_;
  const int64_t elements = shape.volume();
  auto* signal = reinterpret_cast<std::byte*>(scratch.array<float>(kDecodeImage, elements));
  if (request_.downmix && sound_->format().channels > 1)
    read_mixed(signal, DType::f32, frames_, scratch);
  else
    read(signal, DType::f32, frames_);
  resample_signal(out, {full_scale(out.dtype), 0}, {signal, DType::f32, shape}, {},
                  {static_cast<double>(stored_rate()), request_.sample_rate}, filter, scratch);
}

void SoundDecoder::read_as_is(View out, Scratch& scratch) {
  const bool mixes = request_.downmix && sound_->format().channels > 1;
  const bool quantizes = sound_->format().floats && out.dtype != DType::f32;
  if (!mixes && !quantizes) return read(out.data, out.dtype, frames_);
  const int64_t channels = mixes ? 1 : sound_->format().channels;
  if (!quantizes) return read_mixed(out.data, out.dtype, frames_, scratch);
  const int64_t block = std::max<int64_t>(1, kBlockElements / channels);
  float* floats = scratch.array<float>(kDecodeImage, std::min(block, frames_) * channels);
  for (int64_t done = 0; done < frames_; done += block) {
    const int64_t n = std::min(block, frames_ - done);
    auto* bytes = reinterpret_cast<std::byte*>(floats);
    mixes ? read_mixed(bytes, DType::f32, n, scratch) : read(bytes, DType::f32, n);
    quantize(out.data + done * channels * item_bytes(out.dtype), out.dtype, floats, n * channels);
  }
}

void SoundDecoder::read_mixed(std::byte* out, DType dtype, int64_t frames, Scratch& scratch) {
  const int channels = sound_->format().channels;
  const int64_t block = std::max<int64_t>(1, kBlockElements / channels);
  std::byte* mixed = scratch.bytes(kDecodeRows, std::min(block, frames) * channels * item_bytes(dtype));
  for (int64_t done = 0; done < frames; done += block) {
    const int64_t n = std::min(block, frames - done);
    read(mixed, dtype, n);
    mix_down(out + done * item_bytes(dtype), dtype, mixed, channels, n);
  }
}

void SoundDecoder::read(std::byte* out, DType dtype, int64_t frames) {
  const Sound::Format& format = sound_->format();
  sound_->read(out, dtype, frames);
  if (format.floats) {
    const int64_t elements = frames * format.channels, nan = find_nan(reinterpret_cast<float*>(out), elements);
    if (nan < elements)
      throw std::runtime_error("the sound is not a number (NaN) at " +
                               in_seconds(static_cast<double>(next_ + nan / format.channels) / format.rate));
  }
  next_ += frames;
}

}  // namespace penstock
