#include "kernels/image/random_window.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "kernels/random/draws.h"

PENSTOCK_NO_CONTRACTION

namespace penstock {
namespace {

// Keeps windows independent of the numbers other operators draw from the same words.
constexpr uint64_t kWindowKey = 0x012345678ABCDEFE;

struct Size {
  int64_t height = 0, width = 0;
  float area() const { return static_cast<float>(height * width); }
};

float between(Interval interval, PhiloxReader& words) {
  return unit<float>(words) * (interval.high - interval.low) + interval.low;
}

int64_t cut(float extent) { return std::max<int64_t>(1, static_cast<int64_t>(extent)); }

/// The largest window with an aspect ratio that is allowed.
Size largest(Size image, Interval aspect_ratio) {
  const float ratio = static_cast<float>(image.width) / static_cast<float>(image.height);
  if (ratio > aspect_ratio.high) image.width = cut(static_cast<float>(image.height) * aspect_ratio.high);
  if (ratio < aspect_ratio.low) image.height = cut(static_cast<float>(image.width) * (1 / aspect_ratio.low));
  return image;
}

Size shrunk_to(float area, Size window) {
  if (window.area() <= area) return window;
  const float scale = std::sqrt(area / window.area());
  return {cut(static_cast<float>(window.height) * scale), cut(static_cast<float>(window.width) * scale)};
}

Size of_area(float area, float ratio) {
  const float height = std::round(std::sqrt(area / ratio)), width = std::round(std::sqrt(area * ratio));
  return {cut(height), cut(width)};
}

bool fits(Size window, Size image, Interval aspect_ratio) {
  const float ratio = static_cast<float>(window.width) / static_cast<float>(window.height);
  return window.height <= image.height && window.width <= image.width && ratio >= aspect_ratio.low &&
         ratio <= aspect_ratio.high;
}

int64_t place(int64_t window, int64_t image, PhiloxReader& words) {
  return even_share(words, static_cast<uint32_t>(image - window + 1));
}

void require_range(const char* name, Interval interval, float lowest) {
  if (interval.low >= lowest && interval.low <= interval.high && std::isfinite(interval.high)) return;
  throw std::runtime_error(std::string(name) + " goes from " + std::to_string(interval.low) + " to " +
                           std::to_string(interval.high) + "; give two positive numbers, the smaller one first");
}

}  // namespace

RandomWindow::RandomWindow(std::array<uint32_t, 7> call, Interval area, Interval aspect_ratio, int attempts)
    : call_(call),
      area_(area),
      aspect_ratio_(aspect_ratio),
      log_aspect_ratio_{std::log(aspect_ratio.low), std::log(aspect_ratio.high)},
      attempts_(attempts) {
  require_range("random_area", area, 0);
  require_range("random_aspect_ratio", aspect_ratio, std::numeric_limits<float>::min());
}

Rect RandomWindow::operator()(size_t sample, int64_t height, int64_t width) const {
  if (height <= 0 || width <= 0) return {};
  Philox sequence = Philox::of_sample(call_, sample);
  sequence.key ^= kWindowKey;
  PhiloxReader words(sequence);
  const Size image{height, width}, limit = largest(image, aspect_ratio_);
  Size window = shrunk_to(area_.high * image.area(), limit);
  const int attempts = limit.area() < area_.low * image.area() ? 0 : attempts_;
  for (int i = 0; i < attempts; ++i) {
    const float area = between(area_, words) * image.area();
    const Size tried = of_area(area, std::exp(between(log_aspect_ratio_, words)));
    if (!fits(tried, image, aspect_ratio_)) continue;
    window = tried;
    break;
  }
  const int64_t y = place(window.height, height, words);
  return {y, place(window.width, width, words), window.height, window.width};
}

}  // namespace penstock
