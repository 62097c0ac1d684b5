#include "kernels/image/crop_mirror_normalize_step.h"

#include <bit>
#include <stdexcept>
#include <string>

#include "kernels/image/normalize_rgb.h"

namespace penstock {
namespace {

constexpr int64_t kRgb = 3;

}  // namespace

CropMirrorNormalize::CropMirrorNormalize(std::shared_ptr<const WindowRule> rule, Options options)
    : rule_(std::move(rule)), options_(std::move(options)) {
  makes_planes_ = options_.order == std::vector{2, 0, 1} && options_.width_axis == 1 && options_.channel_axis == 2 &&
                  options_.dtype == DType::f32 && !options_.pads_channels;
  takes_all_ = rule_->takes_all();
  const auto is_shared = [](const PerSampleRows<float>& rows) {
    return rows.count() == 1 && (rows.width() == 1 || rows.width() == kRgb);
  };
  has_factors_ = is_shared(options_.mean) && is_shared(options_.std);
  if (has_factors_) put_factors(rgb_mean_, rgb_inverse_, 0, kRgb);
}

int64_t CropMirrorNormalize::out_channels(int64_t channels) const {
  return options_.pads_channels ? static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(channels))) : channels;
}

void CropMirrorNormalize::check_channels(int64_t channels) const {
  const auto check = [](const char* name, int64_t values, int64_t expected) {
    if (values != 1 && values != expected)
      throw std::runtime_error(
          "The number of per-channel arguments should match the number of channels in the output slice: " +
          std::to_string(values) + " values of `" + name + "` for " + std::to_string(expected) + " channels");
  };
  const int64_t made = out_channels(channels);
  const auto given = [&](const PerSampleRows<float>& rows) { return static_cast<int64_t>(rows.width()); };
  check("mean", given(options_.mean) == made ? channels : given(options_.mean), channels);
  check("std", given(options_.std) == made ? channels : given(options_.std), channels);
  const auto fills = static_cast<int64_t>(options_.fill.size());
  if (options_.border == Border::pad && fills != channels) check("fill_values", fills, made);
}

Spec CropMirrorNormalize::infer(size_t sample, const Spec& in, ConstView) const {
  const Box window = fitted(rule_->window(sample, in.shape), in.shape, options_.border);
  check_channels(in.shape[options_.channel_axis]);
  Spec result{options_.dtype, in.shape};
  for (int k = 0; k < in.shape.ndim; ++k) {
    const int axis = options_.order[k];
    result.shape[k] = axis == options_.channel_axis ? out_channels(in.shape[axis]) : window.extent[axis];
  }
  return result;
}

void CropMirrorNormalize::put_factors(float* mean, float* inverse, size_t sample, int64_t channels) const {
  const float* means = options_.mean[sample];
  const float* stds = options_.std[sample];
  for (int64_t c = 0; c < channels; ++c) {
    const double std = stds[options_.std.width() == 1 ? 0 : c];
    mean[c] = static_cast<float>(means[options_.mean.width() == 1 ? 0 : c] -
                                 static_cast<double>(options_.shift) * std / options_.scale);
    inverse[c] = static_cast<float>(options_.scale / std);
  }
}

bool CropMirrorNormalize::run_part(size_t sample, View out, ConstView in, const Part& part, Scratch& scratch) const {
  const Part::Axis& channels = part.axes[options_.channel_axis];
  if (channels.extent != in.shape[options_.channel_axis] || channels.step != 1) return false;
  normalize_part(sample, out, in, part, scratch);
  return true;
}

bool CropMirrorNormalize::normalize_rgb_part(size_t sample, View out, ConstView in, const Part& part,
                                             const Scratch& scratch) const {
  const int64_t narrowest = narrowest_rgb_row();
  if (!makes_planes_ || !has_factors_ || in.dtype != DType::u8 || in.shape.ndim != 3 || in.shape[2] != kRgb ||
      scratch.past_caches || narrowest < 0)
    return false;
  Part::Axis rows = part.axes[0], columns = part.axes[1];
  if (!takes_all_) {
    const Shape shape = part.shape();
    const Box window = fitted(rule_->window(sample, shape), shape, options_.border);
    for (int axis = 0; axis < 2; ++axis)
      if (reaches_out(window.anchor[axis], window.extent[axis], shape[axis])) return false;
    rows.narrow(window.anchor[0], window.extent[0]);
    columns.narrow(window.anchor[1], window.extent[1]);
  }
  const int64_t height = rows.extent, width = columns.extent, stride = in.shape[1] * kRgb;
  if (width < narrowest || height == 0) return false;
  const bool is_turned = columns.step < 0, mirrored = is_turned != (options_.mirror[sample] != 0);
  const int64_t left = is_turned ? columns.first - width + 1 : columns.first;
  const RgbRows pixels{in.data + rows.first * stride + left * kRgb, rows.step * stride, height, width, mirrored};
  normalize_rgb(out.as<float>(), height * width, pixels, rgb_mean_, rgb_inverse_);
  return true;
}

void CropMirrorNormalize::normalize_part(size_t sample, View out, ConstView in, const Part& part,
                                         Scratch& scratch) const {
  if (normalize_rgb_part(sample, out, in, part, scratch)) return;
  const Shape shape = part.shape();
  const Box window = fitted(rule_->window(sample, shape), shape, options_.border);
  const int64_t channels = shape[options_.channel_axis], made = out_channels(channels);
  float* mean = scratch.array<float>(kStepFactors, 2 * channels + made);
  float* inverse = mean + channels;
  auto* fill = reinterpret_cast<std::byte*>(inverse + channels);
  put_factors(mean, inverse, sample, channels);
  const auto fills = options_.border == Border::pad ? static_cast<int64_t>(options_.fill.size()) : 0;
  for (int64_t c = 0; c < made; ++c) {
    const int64_t own = fills == 1 ? 0 : c;  // a value for each channel of the input leaves none for those added
    put_clamped(fill + c * item_bytes(out.dtype), out.dtype, own < fills ? options_.fill[own] : 0.0f);
  }
  MirrorNormalize what;
  const int mirrored_axis = options_.mirror[sample] ? options_.width_axis : -1;
  what.maps = map_window(window, part, options_.border, mirrored_axis, scratch);
  what.width_axis = options_.width_axis;
  what.channel_axis = options_.channel_axis;
  std::copy(options_.order.begin(), options_.order.end(), what.order.begin());
  what.mean = mean;
  what.inverse = inverse;
  what.fill = fill;
  what.rows = row_normalizer(out.dtype, in.dtype);
  crop_mirror_normalize(out, in, what, scratch);
}

}  // namespace penstock
