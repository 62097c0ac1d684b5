#include "codecs/sound/sound_extent.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <concepts>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "codecs/sound/ogg.h"
#include "codecs/sound/wav.h"

namespace penstock {
namespace {

constexpr int64_t kUnknown = -1;

/// Numbers and names at places of a file; nothing where it ends before them.
class HeaderFields {
 public:
  explicit HeaderFields(ByteSource& bytes) : bytes_(bytes) {}
  int64_t size() const { return bytes_.size(); }

  std::string_view text(int64_t at, int64_t n) {
    if (at < 0 || n <= 0 || n > size() || at > size() - n) return {};
    return {reinterpret_cast<const char*>(bytes_.bytes(at, n, buffer_)), static_cast<size_t>(n)};
  }
  bool named(int64_t at, std::string_view name) { return text(at, static_cast<int64_t>(name.size())) == name; }

  template <std::unsigned_integral T>
  std::optional<int64_t> number(int64_t at, std::endian order) {
    const std::string_view found = text(at, sizeof(T));
    if (found.empty()) return std::nullopt;
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) {
      const size_t from_top = order == std::endian::big ? i : sizeof(T) - 1 - i;
      value = value << 8 | static_cast<uint8_t>(found[from_top]);
    }
    if (value > std::numeric_limits<int64_t>::max()) return kUnknown;
    return static_cast<int64_t>(value);
  }

 private:
  ByteSource& bytes_;
  std::vector<std::byte> buffer_;
};

/// Refuses a file that has fewer than `promised` bytes from `at` on.
void require(HeaderFields& file, const std::string& format, int64_t at, int64_t promised) {
  const int64_t there = std::max<int64_t>(file.size() - at, 0);
  if (promised > there)
    throw std::runtime_error("the " + format + " file is cut off: its header promises " + std::to_string(promised) +
                             " bytes of sound, " + std::to_string(there) + " are there");
}

[[noreturn]] void without_sound(HeaderFields& file, const std::string& format) {
  throw std::runtime_error("the " + format + " file is damaged or cut off: there is no sound in its " +
                           std::to_string(file.size()) + " bytes");
}

/// Chunks with a name and a length of 32 bits each, one after the other: RIFF and IFF.
bool tells_chunks(HeaderFields& file, const std::string& format, std::endian order, std::string_view sound) {
  int64_t long_size = kUnknown;  // of RF64, whose own lengths say that it is elsewhere
  for (int64_t at = 12; file.size() - at >= 8;) {
    const std::string name(file.text(at, 4));
    const int64_t length = *file.number<uint32_t>(at + 4, order);
    at += 8;
    if (name == "ds64") long_size = file.number<uint64_t>(at + 8, order).value_or(kUnknown);
    if (name == sound) {
      const int64_t promised = length == 0xFFFFFFFF ? long_size : length;
      if (promised < 0 || (promised == length && length >= kUnknownWavBytes && order == std::endian::little))
        return false;
      require(file, format, at, promised);
      return true;
    }
    at += length + length % 2;
  }
  without_sound(file, format);
}

bool tells_au(HeaderFields& file, std::endian order) {
  const std::optional<int64_t> offset = file.number<uint32_t>(4, order), length = file.number<uint32_t>(8, order);
  if (!offset || !length) without_sound(file, "AU");
  if (*length == 0xFFFFFFFF) return false;
  require(file, "AU", *offset, *length);
  return true;
}

/// All chunks must be there: tables of the sound's packets may stand behind it.
bool tells_caf(HeaderFields& file) {
  for (int64_t at = 8;;) {
    if (at == file.size()) return true;
    const bool is_sound = file.named(at, "data");
    const std::optional<int64_t> length = file.number<uint64_t>(at + 4, std::endian::big);
    if (!length) without_sound(file, "CAF");
    if (*length < 0) return false;
    require(file, "CAF", at + 12, *length);
    at += 12 + *length;
    // Some programs reserve room for what they never write.
    if (is_sound && file.size() - at < 12) return true;
  }
}

bool tells_w64(HeaderFields& file) {
  for (int64_t at = 40; file.size() - at >= 24;) {
    const bool is_sound = file.named(at, "data");
    const std::optional<int64_t> length = file.number<uint64_t>(at + 16, std::endian::little);
    if (!length || *length < 24) return false;
    if (is_sound) {
      require(file, "W64", at, *length);
      return true;
    }
    if (*length > file.size()) break;
    at += (*length + 7) / 8 * 8;
  }
  without_sound(file, "W64");
}

bool tells_voc(HeaderFields& file) {
  for (int64_t at = file.number<uint16_t>(20, std::endian::little).value_or(0); at < file.size();) {
    const std::string_view head = file.text(at, 1);
    if (head[0] == 0) return true;  // the block that ends the others
    const std::string_view three = file.text(at + 1, 3);
    if (three.empty()) without_sound(file, "VOC");
    const auto byte = [&](size_t i) { return int64_t{static_cast<uint8_t>(three[i])}; };
    const int64_t length = byte(0) | byte(1) << 8 | byte(2) << 16;
    require(file, "VOC", at + 4, length);
    at += 4 + length;
  }
  return true;
}

/// A number in the text at the start of a NIST file.
std::optional<int64_t> nist_number(std::string_view header, std::string_view name) {
  size_t at = header.find(std::string("\n").append(name).append(" -"));
  if (at != header.npos) at = header.find(' ', at + name.size() + 3);  // behind the type, which is -i, or -s1 for text
  if (at == header.npos) return std::nullopt;
  ++at;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(header.data() + at, header.data() + header.size(), value);
  return error == std::errc{} && value >= 0 && value < int64_t{1} << 40 ? std::optional(value) : std::nullopt;
}

bool tells_nist(HeaderFields& file) {
  const std::string header(file.text(0, std::min<int64_t>(file.size(), 1024)));
  const auto count = nist_number(header, "sample_count"), channels = nist_number(header, "channel_count"),
             bytes = nist_number(header, "sample_n_bytes");
  if (header.size() < 1024) without_sound(file, "NIST");
  if (!count || !channels || !bytes || *channels > 1024 || *bytes > 8 || header.find("shorten") != header.npos)
    return false;
  require(file, "NIST", 1024, *count * *channels * *bytes);
  return true;
}

bool tells_avr(HeaderFields& file) {
  const std::optional<int64_t> bits = file.number<uint16_t>(14, std::endian::big),
                               channels = file.number<uint16_t>(12, std::endian::big),
                               frames = file.number<uint32_t>(26, std::endian::big);
  if (!bits || !channels || !frames) without_sound(file, "AVR");
  require(file, "AVR", 128, *frames * (*bits / 8) * (*channels ? 2 : 1));
  return true;
}

bool tells_wve(HeaderFields& file) {
  const std::optional<int64_t> length = file.number<uint32_t>(18, std::endian::big);
  if (!length) without_sound(file, "WVE");
  require(file, "WVE", 32, *length);
  return true;
}

/// Matrices one after the other, each with its type, rows and columns: the sample rate, then the sound.
bool tells_mat4(HeaderFields& file, std::endian order) {
  constexpr int64_t kItemBytes[] = {8, 4, 4, 2, 2, 1};  // by the type's digit of tens
  for (int64_t at = 0; at < file.size();) {
    const auto type = file.number<uint32_t>(at, order), rows = file.number<uint32_t>(at + 4, order),
               columns = file.number<uint32_t>(at + 8, order), name = file.number<uint32_t>(at + 16, order);
    if (!type || !rows || !columns || !name) without_sound(file, "MAT4");
    const int64_t kind = *type / 10 % 10;
    if (kind > 5 || *rows > 1024) return false;
    const int64_t promised = *rows * *columns * kItemBytes[kind];
    at += 20 + *name;
    require(file, "MAT4", at, promised);
    at += promised;
    if (*rows * *columns > 1) return true;
  }
  without_sound(file, "MAT4");
}

/// Matrices of elements: flags, sizes, a name and the values. The lengths of whole matrices are not to be relied upon.
bool tells_mat5(HeaderFields& file) {
  const std::endian order = file.named(126, "IM") ? std::endian::little : std::endian::big;
  for (int64_t matrix = 128; matrix < file.size();) {
    const std::optional<int64_t> length = file.number<uint32_t>(matrix + 4, order);
    int64_t at = matrix + 8;
    for (int element = 0; element < 4; ++element) {
      const auto type = file.number<uint32_t>(at, order), bytes = file.number<uint32_t>(at + 4, order);
      if (!length || !type || !bytes) without_sound(file, "MAT5");
      const bool is_short = *type > 0xFFFF;  // its few bytes stand in the place of their length
      if (element == 3 && !is_short) {
        require(file, "MAT5", at + 8, *bytes);
        return true;
      }
      at += is_short ? 8 : 8 + (*bytes + 7) / 8 * 8;
    }
    matrix += 8 + *length;
  }
  without_sound(file, "MAT5");
}

bool tells_mpc2k(HeaderFields& file) {
  const std::string_view stereo = file.text(21, 1);
  const int64_t channels = !stereo.empty() && stereo[0] ? 2 : 1;
  const std::optional<int64_t> frames = file.number<uint32_t>(30, std::endian::little);
  if (!frames || file.size() < 42) without_sound(file, "MPC2K");
  require(file, "MPC2K", 42, *frames * channels * 2);
  return true;
}

/// Packets of 127 bytes, 120 of them sound: 2, 3 or 4 for a value, by its bits.
bool tells_sds(HeaderFields& file) {
  const std::string head(file.text(0, 21));
  if (head.empty()) without_sound(file, "SDS");
  const int64_t bits = head[6], count = head[10] | head[11] << 7 | head[12] << 14;
  if (bits < 8 || bits > 28 || count < 0) return false;
  const int64_t in_packet = 120 / ((bits + 6) / 7);
  require(file, "SDS", 21, (count + in_packet - 1) / in_packet * 127);
  return true;
}

/// The headers of all sounds, then the sounds. Some programs leave the lengths at zero.
bool tells_xi(HeaderFields& file) {
  const std::optional<int64_t> sounds = file.number<uint16_t>(296, std::endian::little);
  if (!sounds) without_sound(file, "XI");
  int64_t promised = 0;
  for (int64_t i = 0; i < *sounds; ++i) {
    const std::optional<int64_t> length = file.number<uint32_t>(298 + 40 * i, std::endian::little);
    if (!length) without_sound(file, "XI");
    promised += *length;
  }
  require(file, "XI", 298 + 40 * *sounds, promised);
  return promised > 0;
}

/// A first frame of MPEG that lists how many follow; the decoder misses those that do not. Others go on until they end.
bool tells_mpeg(HeaderFields& file) {
  int64_t at = 0;
  if (file.named(0, "ID3")) {
    const std::string_view size = file.text(6, 4);
    if (size.empty()) return false;
    for (const char part : size) at = at << 7 | (part & 0x7F);
    at += 10;
  }
  const std::string_view frame = file.text(at, std::min<int64_t>(file.size() - at, 200));
  return frame.find("Xing") != frame.npos || frame.find("Info") != frame.npos || frame.find("VBRI") != frame.npos;
}

}  // namespace

bool tells_extent(ByteSource& bytes, bool whole) {
  constexpr auto little = std::endian::little, big = std::endian::big;
  if (is_ogg(bytes)) {
    require_whole_ogg(bytes, whole);
    return true;
  }
  HeaderFields file(bytes);
  if (file.named(8, "WAVE")) {
    if (file.named(0, "RIFF") || file.named(0, "RF64")) return tells_chunks(file, "WAV", little, "data");
    if (file.named(0, "RIFX")) return tells_chunks(file, "WAV", big, "data");
  }
  if (file.named(0, "FORM")) {
    if (file.named(8, "AIFF") || file.named(8, "AIFC")) return tells_chunks(file, "AIFF", big, "SSND");
    if (file.named(8, "8SVX") || file.named(8, "16SV")) return tells_chunks(file, "SVX", big, "BODY");
  }
  if (file.named(0, ".snd")) return tells_au(file, big);
  if (file.named(0, "dns.")) return tells_au(file, little);
  if (file.named(0, "caff")) return tells_caf(file);
  if (file.named(0, "fLaC")) return true;  // the decoder misses samples that the header counts, and the count itself
  if (file.named(0, "riff\x2E\x91")) return tells_w64(file);
  if (file.named(0, "Creative Voice File\x1A")) return tells_voc(file);
  if (file.named(0, "NIST_1A\n")) return tells_nist(file);
  if (file.named(0, "2BIT")) return tells_avr(file);
  if (file.named(0, "ALawSoundFile**")) return tells_wve(file);
  if (file.named(0, {"\0\0\0\0\1\0\0\0\1\0\0\0", 12})) return tells_mat4(file, little);
  if (file.named(0, {"\0\0\3\xE8\0\0\0\1\0\0\0\1", 12})) return tells_mat4(file, big);
  if (file.named(0, "MATLAB 5.0 MAT-file")) return tells_mat5(file);
  if (file.named(0, "\1\4")) return tells_mpc2k(file);
  if (file.named(0, "\xF0\x7E") && file.named(3, "\1")) return tells_sds(file);
  if (file.named(0, "Extended Instrument: ")) return tells_xi(file);
  return tells_mpeg(file);
}

}  // namespace penstock
