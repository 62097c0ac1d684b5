#include "kernels/color/tone.h"

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/color/byte_levels.h"
#include "kernels/color/lookup.h"
#include "kernels/elements/convert.h"
#include "kernels/reduce/moments.h"
#include "kernels/reduce/reduce.h"

namespace penstock {
namespace {

constexpr unsigned kHeightAndWidth = 0b011;

using Table = std::array<uint8_t, kLevels>;

template <typename Change>
Table table_of(Change change) {
  Table table;
  for (int level = 0; level < kLevels; ++level) table[level] = static_cast<uint8_t>(change(level));
  return table;
}

/// One number for each channel.
template <typename T>
std::vector<T> reduced(ConstView in, Accumulation accumulation) {
  const int64_t channels = in.shape[2];
  std::vector<T> made(channels);
  reduce_axes({reinterpret_cast<std::byte*>(made.data()), accumulated_dtype(accumulation, in.dtype),
               reduced_shape(in.shape, kHeightAndWidth)},
              accumulation, in, kHeightAndWidth);
  return made;
}

float mean_grey(ConstView in) {
  constexpr float kLuma[] = {0.299f, 0.587f, 0.114f};
  const auto sums = reduced<uint64_t>(in, Accumulation::sum);
  const auto mean = [&](int c) {
    return static_cast<float>(static_cast<double>(sums[c]) / static_cast<double>(in.shape[0] * in.shape[1]));
  };
  if (sums.size() == 1) return mean(0);
  if (sums.size() != 3)
    throw std::runtime_error("the grey of an image is known for 1 or 3 channels, not for " +
                             std::to_string(sums.size()));
  return mean(0) * kLuma[0] + mean(1) * kLuma[1] + mean(2) * kLuma[2];
}

Table tone_table(ConstView in, Tone tone, float amount) {
  switch (tone) {
    case Tone::solarize:
      return table_of([&](int level) { return static_cast<float>(level) < amount ? level : 255 - level; });
    case Tone::solarize_add:
      return table_of([&](int level) { return level < 128 ? level + static_cast<int>(amount) : level; });
    case Tone::posterize:
      return table_of([&](int level) { return level & static_cast<int>(amount); });
    case Tone::contrast: {
      const float grey = mean_grey(in);
      return table_of([&](int level) { return rounded<uint8_t>(grey + (static_cast<float>(level) - grey) * amount); });
    }
    default:
      return table_of([](int level) { return 255 - level; });
  }
}

std::vector<uint8_t> stretching_tables(ConstView in) {
  const auto least = reduced<uint8_t>(in, Accumulation::least), greatest = reduced<uint8_t>(in, Accumulation::greatest);
  std::vector<uint8_t> tables;
  for (size_t c = 0; c < least.size(); ++c) {
    const bool flat = least[c] == greatest[c];
    const int from = flat ? 0 : least[c];
    const float scale = 255.0f / static_cast<float>(flat ? 255 : greatest[c] - least[c]);
    const Table own = table_of([&](int level) { return rounded<uint8_t>(static_cast<float>(level - from) * scale); });
    tables.insert(tables.end(), own.begin(), own.end());
  }
  return tables;
}

}  // namespace

void change_tone(View out, ConstView in, Tone tone, float amount) {
  const int64_t n = in.shape.volume();
  if (n == 0) return;
  uint8_t* to = out.as<uint8_t>();
  const uint8_t* from = in.as<uint8_t>();
  if (tone == Tone::auto_contrast)
    return look_up_channels(to, from, n / in.shape[2], in.shape[2], stretching_tables(in).data());
  look_up_bytes(to, from, n, tone_table(in, tone, amount).data());
}

}  // namespace penstock
