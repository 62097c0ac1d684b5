#include "codecs/sound/sndfile.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>

#include "codecs/sound/ogg.h"
#include "os/shared_library.h"

namespace penstock {
namespace {

// The binary interface of libsndfile, unchanged since its version 1.0. The numbers are those of its documentation.
extern "C" {
struct SndfileInfo {
  int64_t frames;
  int samplerate, channels, format, sections, seekable;
};
struct SndfileCallbacks {
  int64_t (*length)(void*);
  int64_t (*seek)(int64_t, int, void*);
  int64_t (*read)(void*, int64_t, void*);
  int64_t (*write)(const void*, int64_t, void*);
  int64_t (*tell)(void*);
};
}
using Handle = void;
constexpr int kRead = 0x10, kCodecMask = 0xFFFF;
// PCM floats, Vorbis, Opus and the layers of MPEG.
constexpr int kFloatCodecs[] = {0x06, 0x07, 0x60, 0x64, 0x80, 0x81, 0x82};

struct Library {
  Handle* (*open)(SndfileCallbacks*, int, SndfileInfo*, void*);
  int (*close)(Handle*);
  int64_t (*seek)(Handle*, int64_t, int);
  int64_t (*read_short)(Handle*, int16_t*, int64_t);
  int64_t (*read_int)(Handle*, int*, int64_t);
  int64_t (*read_float)(Handle*, float*, int64_t);
  int (*error)(Handle*);
  const char* (*message)(Handle*);
};

std::atomic<const Library*> loaded{nullptr};
std::mutex loading;

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(function_of(library, name));
  if (!function) throw std::runtime_error(std::string("libsndfile without ") + name);
}

/// The bytes as a file. An exception may not pass through C: a read that fails is one that ends early.
struct Stream {
  std::unique_ptr<ByteSource> bytes;
  int64_t position = 0;
  std::vector<std::byte> buffer;

  static Stream& of(void* self) { return *static_cast<Stream*>(self); }
  static int64_t length(void* self) { return of(self).bytes->size(); }
  static int64_t tell(void* self) { return of(self).position; }
  static int64_t write(const void*, int64_t, void*) { return 0; }
  static int64_t seek(int64_t offset, int whence, void* self) {
    const int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? of(self).position : length(self);
    if (from + offset < 0) return -1;
    return of(self).position = from + offset;
  }
  static int64_t read(void* out, int64_t wanted, void* self) {
    Stream& stream = of(self);
    const int64_t n = std::clamp<int64_t>(length(self) - stream.position, 0, std::max<int64_t>(wanted, 0));
    if (n == 0) return 0;
    try {
      std::memcpy(out, stream.bytes->bytes(stream.position, n, stream.buffer), n);
    } catch (const std::exception&) {
      return 0;
    }
    stream.position += n;
    return n;
  }
};
SndfileCallbacks callbacks{Stream::length, Stream::seek, Stream::read, Stream::write, Stream::tell};

/// Without its full stop, since something may follow.
std::string sentence(std::string text) {
  while (text.ends_with('.') || text.ends_with('\n')) text.pop_back();
  return text;
}

class SndfileSound : public Sound {
 public:
  SndfileSound(const Library& library, std::unique_ptr<ByteSource> bytes, bool tells_extent) : library_(library) {
    stream_.bytes = std::move(bytes);
    SndfileInfo info{};
    handle_ = library_.open(&callbacks, kRead, &info, &stream_);
    if (!handle_) throw std::runtime_error("Failed to open encoded data: " + why_not());
    format_ = {info.frames, info.channels, info.samplerate, is_float_codec(info.format), tells_extent};
    try {
      require_plausible(stream_.bytes->size());
    } catch (...) {
      library_.close(handle_);
      throw;
    }
  }
  ~SndfileSound() override { library_.close(handle_); }

  void seek(int64_t frame) override {
    if (frame == next_) return;
    if (library_.seek(handle_, frame, SEEK_SET) != frame) give_up();
    next_ = frame;
  }

  void read(std::byte* out, DType dtype, int64_t frames) override {
    // A block at a time, so that the message tells where it ends; after damage the library would go on with the next.
    constexpr int64_t kBlock = 4096;
    const int64_t frame_bytes = format_.channels * item_bytes(dtype), end = next_ + frames;
    while (next_ < end) {
      const int64_t wanted = std::min(kBlock, end - next_), got = read_some(out, dtype, wanted);
      next_ += std::clamp<int64_t>(got, 0, wanted);
      if (got != wanted || library_.error(handle_)) give_up();
      out += got * frame_bytes;
    }
  }

 private:
  static bool is_float_codec(int format) {
    return std::find(std::begin(kFloatCodecs), std::end(kFloatCodecs), format & kCodecMask) != std::end(kFloatCodecs);
  }

  /// Of a file that cannot be opened the library only tells the thread that asked last, so it is asked again alone. Not
  /// of Ogg files, of which it leaks 5.7 kB each time.
  std::string why_not() {
    if (is_ogg(*stream_.bytes)) return "there is no sound in the Ogg file that libsndfile knows, or it is damaged";
    static std::mutex asking;
    std::lock_guard lock(asking);
    stream_.position = 0;
    SndfileInfo info{};
    if (Handle* opened = library_.open(&callbacks, kRead, &info, &stream_)) library_.close(opened);
    return sentence(library_.message(nullptr));
  }

  int64_t read_some(std::byte* out, DType dtype, int64_t frames) {
    if (dtype == DType::i16) return library_.read_short(handle_, reinterpret_cast<int16_t*>(out), frames);
    if (dtype == DType::i32) return library_.read_int(handle_, reinterpret_cast<int32_t*>(out), frames);
    return library_.read_float(handle_, reinterpret_cast<float*>(out), frames);
  }

  [[noreturn]] void give_up() const { fail(next_, library_.error(handle_) ? sentence(library_.message(handle_)) : ""); }

  const Library& library_;
  Stream stream_;
  Handle* handle_ = nullptr;
  int64_t next_ = 0;
};

}  // namespace

void load_sndfile(const std::string& path) {
  std::lock_guard lock(loading);
  if (loaded) return;
  void* opened = load_library(path);
  static Library library;
  find(opened, "sf_open_virtual", library.open);
  find(opened, "sf_close", library.close);
  find(opened, "sf_seek", library.seek);
  find(opened, "sf_readf_short", library.read_short);
  find(opened, "sf_readf_int", library.read_int);
  find(opened, "sf_readf_float", library.read_float);
  find(opened, "sf_error", library.error);
  find(opened, "sf_strerror", library.message);
  loaded = &library;
}

bool has_sndfile() { return loaded != nullptr; }

std::unique_ptr<Sound> open_with_sndfile(std::unique_ptr<ByteSource> bytes, bool tells_extent) {
  const Library* library = loaded;
  if (!library)
    throw std::runtime_error(
        "not a plain WAV or FLAC file; Ogg, MP3 and other formats need libsndfile: pip install \"penstock[audio]\"");
  return std::make_unique<SndfileSound>(*library, std::move(bytes), tells_extent);
}

}  // namespace penstock
