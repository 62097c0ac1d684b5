#include "codecs/checksum/crc_x86.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include <cstring>

#include "codecs/checksum/crc_table.h"

namespace penstock::crc {
namespace {

constexpr size_t kLane = 16, kStride = 4 * kLane, kWideStride = 4 * kStride;

/// What a 64-bit half is multiplied by to stand `bits` further on in the message.
constexpr int64_t power_of_x(int bits, uint32_t polynomial) {
  uint32_t power = 1u << 31;
  for (int i = 0; i < bits; ++i) power = times_x(power, polynomial);
  return static_cast<int64_t>(power) << 1;
}

PENSTOCK_PCLMUL inline __m128i load(const std::byte* data) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
}

PENSTOCK_PCLMUL inline __m128i folded(__m128i lane, __m128i powers, __m128i next) {
  const __m128i low = _mm_clmulepi64_si128(lane, powers, 0x00), high = _mm_clmulepi64_si128(lane, powers, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

/// What both halves of a lane are multiplied by to stand `bytes` further on.
template <uint32_t polynomial, size_t bytes>
constexpr int64_t kPowers[] = {power_of_x(8 * bytes + 32, polynomial), power_of_x(8 * bytes - 32, polynomial)};

template <uint32_t polynomial, size_t bytes>
PENSTOCK_PCLMUL inline __m128i powers() {
  return _mm_set_epi64x(kPowers<polynomial, bytes>[1], kPowers<polynomial, bytes>[0]);
}

/// Goes on from four lanes that stand for all that was before `data`.
template <uint32_t polynomial>
PENSTOCK_PCLMUL uint32_t by_product(__m128i (&lanes)[4], const std::byte* data, size_t bytes) {
  const __m128i stride = powers<polynomial, kStride>(), lane = powers<polynomial, kLane>();
  for (; bytes >= kStride; data += kStride, bytes -= kStride)
    for (size_t k = 0; k < 4; ++k) lanes[k] = folded(lanes[k], stride, load(data + k * kLane));
  __m128i left = lanes[0];
  for (size_t k = 1; k < 4; ++k) left = folded(left, lane, lanes[k]);
  std::byte last[kLane];
  std::memcpy(last, &left, kLane);
  return by_table<polynomial>(by_table<polynomial>(0, last, kLane), data, bytes);
}

PENSTOCK_AVX512_PCLMUL inline __m512i folded(__m512i lanes, __m512i powers, __m512i next) {
  constexpr int kXorOfThree = 0x96;
  const __m512i low = _mm512_clmulepi64_epi128(lanes, powers, 0x00);
  const __m512i high = _mm512_clmulepi64_epi128(lanes, powers, 0x11);
  return _mm512_ternarylogic_epi64(low, high, next, kXorOfThree);
}

template <uint32_t polynomial, size_t bytes>
PENSTOCK_AVX512_PCLMUL inline __m512i wide_powers() {
  const int64_t low = kPowers<polynomial, bytes>[0], high = kPowers<polynomial, bytes>[1];
  return _mm512_set4_epi64(high, low, high, low);
}

}  // namespace

// Carry-less products move what was summed up over the next bytes, four lanes at a time: the last 16 bytes that are
// left have the checksum of all. As fast as the crc32 instruction, which knows only one of the polynomials.
template <uint32_t polynomial>
PENSTOCK_PCLMUL uint32_t by_product(uint32_t crc, const std::byte* data, size_t bytes) {
  if (bytes < kStride) return by_table<polynomial>(crc, data, bytes);
  __m128i lanes[4];
  for (size_t k = 0; k < 4; ++k) lanes[k] = load(data + k * kLane);
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128(static_cast<int>(crc)));
  return by_product<polynomial>(lanes, data + kStride, bytes - kStride);
}

// The same with sixteen lanes: twice as fast on what is in the second cache, 3.6 us instead of 7.2 for 110 kB.
template <uint32_t polynomial>
PENSTOCK_AVX512_PCLMUL uint32_t by_wide_product(uint32_t crc, const std::byte* data, size_t bytes) {
  if (bytes < 2 * kWideStride) return by_product<polynomial>(crc, data, bytes);
  __m512i wide[4];
  for (size_t k = 0; k < 4; ++k) wide[k] = _mm512_loadu_si512(data + k * kStride);
  wide[0] = _mm512_xor_si512(wide[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128(static_cast<int>(crc))));
  const __m512i wide_stride = wide_powers<polynomial, kWideStride>();
  for (data += kWideStride, bytes -= kWideStride; bytes >= kWideStride; data += kWideStride, bytes -= kWideStride)
    for (size_t k = 0; k < 4; ++k) wide[k] = folded(wide[k], wide_stride, _mm512_loadu_si512(data + k * kStride));
  const __m512i stride = wide_powers<polynomial, kStride>();
  for (size_t k = 1; k < 4; ++k) wide[k] = folded(wide[k - 1], stride, wide[k]);
  __m128i lanes[4];
  _mm512_storeu_si512(lanes, wide[3]);
  return by_product<polynomial>(lanes, data, bytes);
}

template uint32_t by_product<kCastagnoli>(uint32_t, const std::byte*, size_t);
template uint32_t by_product<kZip>(uint32_t, const std::byte*, size_t);
template uint32_t by_wide_product<kCastagnoli>(uint32_t, const std::byte*, size_t);
template uint32_t by_wide_product<kZip>(uint32_t, const std::byte*, size_t);

}  // namespace penstock::crc

#endif
