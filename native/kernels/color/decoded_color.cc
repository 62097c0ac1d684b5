#include "kernels/color/decoded_color.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace penstock {
namespace {

// Rows give Y, Cb and Cr for red, green and blue in 0..255, without the offset.
constexpr float kYCbCr[3][3] = {{0.256788224f, 0.504129410f, 0.097905882f},
                                {-0.148222893f, -0.290992796f, 0.439215690f},
                                {0.439215690f, -0.367788315f, -0.071427375f}};

template <typename T>
constexpr double full_scale() {
  return std::is_floating_point_v<T> ? 1.0 : static_cast<double>(std::numeric_limits<T>::max());
}

template <typename T>
T rounded_level(float value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value;
  } else {
    const double nearest = std::floor(static_cast<double>(value) + 0.5);
    return nearest >= full_scale<T>() ? std::numeric_limits<T>::max() : static_cast<T>(nearest);
  }
}

template <typename T>
void stretch(T* out, const uint8_t* in, size_t count) {
  const float scale = static_cast<float>(full_scale<T>()) / 255.0f;
  if constexpr (std::is_floating_point_v<T>) {
    for (size_t i = 0; i < count; ++i) out[i] = in[i] * scale;
  } else {
    T stretched[256];
    for (int i = 0; i < 256; ++i) stretched[i] = rounded_level<T>(i * scale);
    for (size_t i = 0; i < count; ++i) out[i] = stretched[in[i]];
  }
}

template <typename T>
void to_ycbcr(T* out, const uint8_t* rgb, size_t pixels) {
  const float scale = static_cast<float>(full_scale<T>() / 255.0);
  const float top = static_cast<float>(full_scale<T>() + (std::is_floating_point_v<T> ? 0 : 1));
  float matrix[3][3], offset[3] = {top / 16, top / 2, top / 2};
  for (int i = 0; i < 9; ++i) matrix[i / 3][i % 3] = kYCbCr[i / 3][i % 3] * scale;
  for (size_t i = 0; i < 3 * pixels; i += 3)
    for (int c = 0; c < 3; ++c) {
      const float* m = matrix[c];
      out[i + c] = rounded_level<T>(m[0] * rgb[i] + m[1] * rgb[i + 1] + m[2] * rgb[i + 2] + offset[c]);
    }
}

template <typename Body>
void with_pixel_type(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::u8:
      return body(uint8_t{});
    case DType::i8:
      return body(int8_t{});
    case DType::u16:
      return body(uint16_t{});
    case DType::i16:
      return body(int16_t{});
    case DType::u32:
      return body(uint32_t{});
    case DType::i32:
      return body(int32_t{});
    case DType::f32:
      return body(float{});
    default:
      throw std::invalid_argument("images decode to 8, 16 or 32-bit integers or to float32, not to this dtype");
  }
}

}  // namespace

void cmyk_to_rgb(uint8_t* rgb, const uint8_t* cmyk, size_t pixels, bool ink_inverted) {
  const int flip = ink_inverted ? 0 : 255;
  for (size_t i = 0; i < pixels; ++i) {
    const int key = cmyk[4 * i + 3] ^ flip;
    for (int c = 0; c < 3; ++c) rgb[3 * i + c] = static_cast<uint8_t>((cmyk[4 * i + c] ^ flip) * key / 255);
  }
}

void cmyk_rgb_to_gray(uint8_t* gray, const uint8_t* rgb, size_t pixels) {
  for (size_t i = 0; i < pixels; ++i)
    gray[i] = static_cast<uint8_t>(0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] + 0.114f * rgb[3 * i + 2]);
}

void rgb_to_ycbcr(uint8_t* ycbcr, const uint8_t* rgb, size_t pixels) {
  const auto at = [](const float* m, float offset, int r, int g, int b) {
    return static_cast<uint8_t>(static_cast<int>(m[0] * r + m[1] * g + m[2] * b + offset + 0.5f));
  };
  for (size_t i = 0; i < 3 * pixels; i += 3) {
    const int r = rgb[i], g = rgb[i + 1], b = rgb[i + 2];
    ycbcr[i] = at(kYCbCr[0], 16, r, g, b);
    ycbcr[i + 1] = at(kYCbCr[1], 128, r, g, b);
    ycbcr[i + 2] = at(kYCbCr[2], 128, r, g, b);
  }
}

void require_pixel_type(DType dtype) {
  with_pixel_type(dtype, [](auto) {});
}

void stretch_to(DType dtype, std::byte* out, const uint8_t* in, size_t count) {
  with_pixel_type(dtype, [&]<typename T>(T) { stretch(reinterpret_cast<T*>(out), in, count); });
}

void rgb_to_ycbcr_stretched(DType dtype, std::byte* ycbcr, const uint8_t* rgb, size_t pixels) {
  with_pixel_type(dtype, [&]<typename T>(T) { to_ycbcr(reinterpret_cast<T*>(ycbcr), rgb, pixels); });
}

}  // namespace penstock
