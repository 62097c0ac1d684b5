// The step that decodes JPEGs, whole or a window of them.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "codecs/jpeg/jpeg.h"
#include "codecs/jpeg/jpeg_header.h"
#include "kernels/step.h"

namespace penstock {

/// Decodes JPEG bytes, all of the image or a window of it. Samples in other formats come as images somebody else has
/// decoded to the same colours and dtype, so that a batch may mix formats.
class Decode : public Step {
 public:
  /// The window to keep of a sample's upright image. Asked more than once, it must give the same answer.
  using Window = std::function<Rect(size_t sample, int64_t height, int64_t width)>;

  /// A height and a width.
  using Size = std::array<int64_t, 2>;

  /// Without a `window` the whole image is decoded. With a `min_size` it is decoded at the smallest size that libjpeg
  /// is fast at, a half, a quarter or an eighth, which leaves it at least as large; other formats are not made smaller.
  Decode(JpegOptions options, DType dtype, bool adjust_orientation, int64_t max_bytes, Window window = nullptr,
         std::optional<Size> min_size = std::nullopt);

  /// Gives `sample` as an image, H, W, C and upright, in place of its bytes.
  void set_decoded(size_t sample, ConstView image, std::shared_ptr<void> owner);

  /// Tells why `sample` cannot be given so.
  void set_failed(size_t sample, std::string why) { failed_[sample] = std::move(why); }

  /// Whether it has been told nothing of single samples: then it serves any batch of JPEGs, and fails for others.
  bool is_for_any_jpegs() const { return decoded_.empty() && failed_.empty(); }

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;
  bool run_through(size_t sample, const Step& next, View out, ConstView in, Scratch& scratch) const override;

  /// Where a sample's pixels come from.
  struct Source {
    const ConstView* decoded = nullptr;
    Orientation orientation{1};
    Rect window;         ///< of the upright image, at the size that is decoded
    Rect stored_window;  ///< the same as it is stored
    int eighths = 8;     ///< that size
    int channels = 0;
  };
  /// Throws where the sample is no image, or one that would take more than `max_bytes`.
  Source source_of(size_t sample, ConstView in) const;

  const JpegOptions& options() const { return options_; }
  DType dtype() const { return dtype_; }

 private:
  JpegOptions options_;
  DType dtype_;
  bool adjust_orientation_;
  int64_t max_bytes_;
  Window window_;
  std::optional<Size> min_size_;

  void choose_size(Source& source) const;
  void require_affordable(const Source& source, const JpegHeader& header) const;

  struct Decoded {
    ConstView image;
    std::shared_ptr<void> owner;
  };
  std::unordered_map<size_t, Decoded> decoded_;
  std::unordered_map<size_t, std::string> failed_;
};

}  // namespace penstock
