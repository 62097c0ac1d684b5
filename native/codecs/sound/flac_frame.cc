#include "codecs/sound/flac_frame.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "codecs/sound/bit_reader.h"
#include "cpu/newest.h"
#include "cpu/vectorize.h"

namespace penstock {
namespace {

constexpr int kMostUnrolled = 12;

[[noreturn]] void damaged(const char* what) { throw std::runtime_error(what); }

/// Remainders of every byte, and of bytes that stand 1 to 7 bytes further ahead.
constexpr auto crc16_tables() {
  std::array<std::array<uint16_t, 256>, 8> tables{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    uint16_t rest = static_cast<uint16_t>(byte << 8);
    for (int bit = 0; bit < 8; ++bit) rest = static_cast<uint16_t>((rest << 1) ^ (rest & 0x8000 ? 0x8005 : 0));
    tables[0][byte] = rest;
  }
  for (size_t k = 1; k < 8; ++k)
    for (unsigned byte = 0; byte < 256; ++byte) {
      const uint16_t before = tables[k - 1][byte];
      tables[k][byte] = static_cast<uint16_t>((before << 8) ^ tables[0][before >> 8]);
    }
  return tables;
}
constexpr auto kCrc16 = crc16_tables();

uint16_t crc16(std::span<const std::byte> bytes) {
  const auto* at = reinterpret_cast<const uint8_t*>(bytes.data());
  size_t left = bytes.size();
  uint16_t rest = 0;
  for (; left >= 8; left -= 8, at += 8)
    rest = kCrc16[7][at[0] ^ (rest >> 8)] ^ kCrc16[6][at[1] ^ (rest & 0xFF)] ^ kCrc16[5][at[2]] ^ kCrc16[4][at[3]] ^
           kCrc16[3][at[4]] ^ kCrc16[2][at[5]] ^ kCrc16[1][at[6]] ^ kCrc16[0][at[7]];
  for (; left; --left, ++at) rest = static_cast<uint16_t>((rest << 8) ^ kCrc16[0][(rest >> 8) ^ *at]);
  return rest;
}

uint8_t crc8(std::span<const std::byte> bytes) {
  uint8_t rest = 0;
  for (const std::byte byte : bytes) {
    rest ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) rest = static_cast<uint8_t>((rest << 1) ^ (rest & 0x80 ? 0x07 : 0));
  }
  return rest;
}

struct Header {
  int64_t frames;
  int assignment, bits;
};

int64_t block_size(int code, BitReader& in) {
  if (code == 0) damaged("a block of unknown size");
  if (code == 1) return 192;
  if (code <= 5) return int64_t{576} << (code - 2);
  if (code == 6) return in.take(8) + 1;
  if (code == 7) return in.take(16) + 1;
  return int64_t{256} << (code - 8);
}

Header read_header(BitReader& in, std::span<const std::byte> bytes) {
  constexpr int kSync = 0x7FFC, kBits[] = {0, 8, 12, -1, 16, 20, 24, 32};
  if (in.take(15) != kSync) damaged("no frame begins where one should");
  in.take(1);
  const int size_code = static_cast<int>(in.take(4)), rate_code = static_cast<int>(in.take(4));
  Header header{};
  header.assignment = static_cast<int>(in.take(4));
  header.bits = kBits[in.take(3)];
  if (in.take(1) || header.assignment > 10 || header.bits < 0 || rate_code == 15) damaged("a frame of unknown kind");
  const uint32_t first = in.take(8);  // the number of the frame, written like a letter in UTF-8
  for (uint32_t mark = 0x40; (first & 0x80) && (first & mark); mark >>= 1) in.take(8);
  header.frames = block_size(size_code, in);
  if (rate_code >= 12) in.take(rate_code == 12 ? 8 : 16);
  const size_t end = in.position();
  if (in.take(8) != crc8(bytes.first(end))) damaged("the checksum of a frame's header is wrong");
  return header;
}

/// n residuals of one partition, `low` bits of each as they are and the rest as a run of zeros.
PENSTOCK_INLINE inline void read_rice(int32_t* out, int64_t n, int low, BitReader& reader) {
  BitReader in = reader;  // a copy stays in registers
  for (int64_t i = 0; i < n; ++i) {
    in.refill();
    const uint64_t ahead = in.ahead();
    const int zeros = std::countl_zero(ahead);
    uint32_t value;
    if (zeros + 1 + low <= 56) [[likely]] {
      value = static_cast<uint32_t>(zeros) << low | static_cast<uint32_t>((ahead << zeros << 1) >> 1 >> (63 - low));
      in.skip(zeros + 1 + low);
    } else {
      const uint32_t high = in.take_unary();
      value = high << low | in.take(low);
    }
    out[i] = static_cast<int32_t>(value >> 1 ^ (0 - (value & 1)));
  }
  in.require();
  reader = in;
}

void read_residuals(int32_t* out, int64_t frames, int order, BitReader& in) {
  const uint32_t method = in.take(2);
  if (method > 1) damaged("residuals of unknown kind");
  const int parameter_bits = method ? 5 : 4, escape = (1 << parameter_bits) - 1;
  const int partition_order = static_cast<int>(in.take(4));
  const int64_t each = frames >> partition_order;
  if (each << partition_order != frames || each < order) damaged("partitions that do not fit into the block");
  for (int64_t done = order; done < frames;) {
    const int64_t n = (done / each + 1) * each - done;
    const int parameter = static_cast<int>(in.take(parameter_bits));
    if (parameter == escape) {
      const int width = static_cast<int>(in.take(5));
      for (int64_t i = 0; i < n; ++i) out[done + i] = in.take_signed(width);
    } else {
      newest<read_rice>(out + done, n, parameter, in);
    }
    done += n;
  }
}

/// Adds to every residual what the samples before it foretell. Sums of a damaged file may wrap around.
template <typename Sum, int kOrder>
void restore(int32_t* out, int64_t frames, const int32_t* coefficients, int several, int shift) {
  const int order = kOrder ? kOrder : several;
  using Wrapping = std::make_unsigned_t<Sum>;
  for (int64_t i = order; i < frames; ++i) {
    Wrapping sum = 0;
    for (int k = order - 1; k >= 0; --k)  // the sample that was made last comes last
      sum += static_cast<Wrapping>(static_cast<Sum>(coefficients[k])) *
             static_cast<Wrapping>(static_cast<Sum>(out[i - 1 - k]));
    out[i] =
        static_cast<int32_t>(static_cast<uint32_t>(out[i]) + static_cast<uint32_t>(static_cast<Sum>(sum) >> shift));
  }
}

template <typename Sum, size_t... kOrders>
void restore_any(int32_t* out, int64_t frames, const int32_t* coefficients, int order, int shift,
                 std::index_sequence<kOrders...>) {
  constexpr decltype(&restore<Sum, 0>) unrolled[] = {restore<Sum, kOrders>...};
  unrolled[order <= kMostUnrolled ? order : 0](out, frames, coefficients, order, shift);
}

void restore_any(int32_t* out, int64_t frames, const int32_t* coefficients, int order, int shift, bool narrow) {
  constexpr auto orders = std::make_index_sequence<kMostUnrolled + 1>();
  narrow ? restore_any<int32_t>(out, frames, coefficients, order, shift, orders)
         : restore_any<int64_t>(out, frames, coefficients, order, shift, orders);
}

void read_predicted(int32_t* out, int64_t frames, int bits, int order, bool fixed, BitReader& in) {
  if (order > frames) damaged("a prediction from more samples than the block has");
  for (int i = 0; i < order; ++i) out[i] = in.take_signed(bits);
  if (fixed) {
    constexpr int32_t kFixed[5][4] = {{}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}};
    read_residuals(out, frames, order, in);
    if (order) restore_any(out, frames, kFixed[order], order, 0, true);
    return;
  }
  const int precision = static_cast<int>(in.take(4)) + 1, shift = in.take_signed(5);
  if (precision == 16 || shift < 0) damaged("a prediction of unknown kind");
  int32_t coefficients[32];
  for (int k = 0; k < order; ++k) coefficients[k] = in.take_signed(precision);
  read_residuals(out, frames, order, in);
  const bool narrow = bits + precision + std::bit_width(static_cast<unsigned>(order)) <= 32;
  restore_any(out, frames, coefficients, order, shift, narrow);
}

void read_channel(int32_t* out, int64_t frames, int bits, BitReader& in) {
  if (in.take(1)) damaged("a channel of unknown kind");
  const int kind = static_cast<int>(in.take(6));
  const int wasted = in.take(1) ? static_cast<int>(in.take_unary()) + 1 : 0;
  if (wasted >= bits) damaged("a channel without bits");
  bits -= wasted;
  if (kind == 0) {
    std::fill(out, out + frames, in.take_signed(bits));
  } else if (kind == 1) {
    for (int64_t i = 0; i < frames; ++i) out[i] = in.take_signed(bits);
  } else if (kind >= 8 && kind <= 12) {
    read_predicted(out, frames, bits, kind - 8, true, in);
  } else if (kind >= 32) {
    read_predicted(out, frames, bits, kind - 31, false, in);
  } else {
    damaged("a channel of unknown kind");
  }
  if (wasted)
    for (int64_t i = 0; i < frames; ++i) out[i] = static_cast<int32_t>(static_cast<uint32_t>(out[i]) << wasted);
}

/// Two channels of which one or both were stored as what they have in common or not.
void separate(int32_t* first, int32_t* second, int64_t frames, int assignment) {
  for (int64_t i = 0; i < frames; ++i) {
    const auto a = static_cast<uint32_t>(first[i]), b = static_cast<uint32_t>(second[i]);
    if (assignment == 8) {
      second[i] = static_cast<int32_t>(a - b);
    } else if (assignment == 9) {
      first[i] = static_cast<int32_t>(a + b);
    } else {
      const uint32_t twice = a << 1 | (b & 1);
      first[i] = static_cast<int32_t>(twice + b) >> 1;
      second[i] = static_cast<int32_t>(twice - b) >> 1;
    }
  }
}

}  // namespace

size_t decode_flac_frame(FlacBlock& block, std::span<const std::byte> bytes, const FlacStream& stream) {
  BitReader in(bytes);
  const Header header = read_header(in, bytes);
  const bool paired = header.assignment >= 8;
  if ((paired ? 2 : header.assignment + 1) != stream.channels || (header.bits && header.bits != stream.bits))
    damaged("a frame unlike what the file says of itself");
  block.frames = header.frames;
  block.samples.resize(static_cast<size_t>(header.frames * stream.channels));
  for (int c = 0; c < stream.channels; ++c) {
    const bool difference = paired && c == (header.assignment == 9 ? 0 : 1);
    read_channel(block.channel(c), header.frames, stream.bits + difference, in);
  }
  if (paired) separate(block.channel(0), block.channel(1), header.frames, header.assignment);
  in.align();
  const size_t end = in.position();
  if (in.take(16) != crc16(bytes.first(end))) damaged("the checksum of a frame is wrong");
  return end + 2;
}

}  // namespace penstock
