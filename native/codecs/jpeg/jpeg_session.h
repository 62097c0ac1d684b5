// libjpeg's decompressor with C++ errors, kept for reuse by each thread.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <memory>
#include <span>

#include "codecs/jpeg/huffman_scan.h"
#include "codecs/jpeg/row_decoder.h"

namespace penstock {

/// A libjpeg decompressor whose errors are std::runtime_error. Each thread keeps one for its working memory.
class JpegSession {
 public:
  struct GiveBack {
    void operator()(JpegSession* session) const;
  };
  using Lease = std::unique_ptr<JpegSession, GiveBack>;

  /// The calling thread's idle session, or a new one while that is out.
  static Lease lease();

  JpegSession();
  ~JpegSession();
  JpegSession(const JpegSession&) = delete;
  JpegSession& operator=(const JpegSession&) = delete;

  /// Reads the header of `data`, which must stay for as long as it is decoded.
  void open(std::span<const std::byte> data);

  /// Starts decoding `window` past libjpeg, at so many eighths of the stored size. Null where the image is not plain
  /// enough: it is for `start`.
  RowDecoder* start_rows(const Rect& window, RowDecoder::Pixels pixels, int max_scans, int eighths);

  /// Starts decoding as `info` is set up. More than `max_scans` scans are an error. With `trusting`, plain data is
  /// read by HuffmanScan, which gives up on damaged data; without, libjpeg makes of it what it can.
  void start(int max_scans, bool trusting);

  /// Runs `body(&info)`, which may call libjpeg but must own nothing: an error skips its destructors.
  /// False where trusted data is damaged.
  template <typename Body>
  bool call(Body&& body) {
    if (setjmp(jump_) != 0) return report();
    body(&info_);
    return true;
  }

  jpeg_decompress_struct& info() { return info_; }

  /// Whether libjpeg found the data damaged and went on all the same, and its first words about it.
  bool warned() const { return warning_[0] != '\0'; }
  const char* warning() const { return warning_; }

 private:
  enum class Stage { header, scans, rows };
  enum class Failure { libjpeg, ends_early, too_many_scans, damaged };
  struct Callbacks;

  [[noreturn]] void fail(Failure failure);
  void warn();
  bool report();

  jpeg_decompress_struct info_{};
  jpeg_error_mgr errors_{};
  jpeg_source_mgr source_{};
  jpeg_progress_mgr progress_{};
  HuffmanScan huffman_;
  RowDecoder rows_;
  int max_scans_ = 0;
  Stage stage_ = Stage::header;
  Failure failure_ = Failure::libjpeg;
  jmp_buf jump_;
  char warning_[JMSG_LENGTH_MAX] = "";
};

}  // namespace penstock
