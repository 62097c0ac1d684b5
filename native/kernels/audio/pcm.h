// Sound as files store it: elements of whole numbers or floats, the least significant byte first.
#pragma once

#include "memory/view.h"

namespace penstock {

enum class Pcm : uint8_t { u8, i16, i24, i32, f32, f64 };

constexpr int64_t item_bytes(Pcm kind) {
  constexpr int64_t bytes[] = {1, 2, 3, 4, 4, 8};
  return bytes[static_cast<int>(kind)];
}

constexpr bool is_float(Pcm kind) { return kind == Pcm::f32 || kind == Pcm::f64; }

/// n elements as i16, i32 or f32; stored floats only become f32. Whole numbers keep their leading bits, and as floats
/// their full scale is 1.
void decode_pcm(std::byte* out, DType to, const std::byte* in, Pcm from, int64_t n);

/// The place of the first NaN; n where there is none.
int64_t find_nan(const float* in, int64_t n);

/// The mean over the channels of each frame, in i16, i32 or f32. Halves are rounded towards zero.
void mix_down(std::byte* out, DType dtype, const std::byte* in, int channels, int64_t frames);

/// What full scale is in i16, i32 or f32.
constexpr double full_scale(DType dtype) { return dtype == DType::i16 ? 0x1p15 : dtype == DType::i32 ? 0x1p31 : 1.0; }

/// Floats with a full scale of 1 as i16 or i32, rounded and saturated.
void quantize(std::byte* out, DType to, const float* in, int64_t n);

}  // namespace penstock
