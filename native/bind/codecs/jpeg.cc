// JPEG: telling it from other formats, reading the size from the header, and the decoding step.
#include <nanobind/stl/array.h>

#include "bind/convert.h"
#include "bind/memory/sample_bytes.h"
#include "codecs/jpeg/decode_step.h"
#include "codecs/jpeg/jpeg_header.h"
#include "codecs/jpeg/peek_step.h"
#include "kernels/array/window_rule.h"
#include "memory/samples.h"

namespace penstock {
namespace {

// The samples that are not JPEGs; empty ones count as JPEGs, whose decoder will say so.
std::vector<size_t> other_formats(const Samples& samples) {
  std::vector<size_t> found;
  if (samples.dtype() != DType::u8 || samples.ndim() != 1) return found;
  for (size_t i = 0; i < samples.size(); ++i)
    if (samples.shape(i).volume() > 0 && !looks_like_jpeg(bytes_of(samples, i))) found.push_back(i);
  return found;
}

std::array<int64_t, 3> peek(const Values<uint8_t>& data, int color, bool adjust_orientation) {
  return jpeg_shape({reinterpret_cast<const std::byte*>(data.data()), data.size()}, static_cast<ColorType>(color),
                    adjust_orientation);
}

void set_decoded(Decode& self, size_t sample, nb::object object) {
  const auto image = nb::cast<AnyArray>(object, false);
  require_contiguous(image);
  const auto* data = static_cast<const std::byte*>(static_cast<const void*>(image.data()));
  self.set_decoded(sample, {data, dtype_of(image.dtype()), shape_of(image, 0)}, keep(object));
}

}  // namespace

void bind_jpeg(nb::module_& m) {
  m.def("other_formats", &other_formats, nb::arg("samples"), "Indices of the samples that are not JPEGs.");
  m.def("peek_jpeg", &peek, nb::arg("data"), nb::arg("color"), nb::arg("adjust_orientation"),
        "Height, width and channels a JPEG is decoded to.");
  nb::class_<PeekJpeg, Step>(m, "PeekJpeg")
      .def(
          "__init__",
          [](PeekJpeg* self, int color, int dtype, bool adjust_orientation) {
            new (self) PeekJpeg(static_cast<ColorType>(color), dtype_from(dtype), adjust_orientation);
          },
          nb::arg("color"), nb::arg("dtype"), nb::arg("adjust_orientation"));
  nb::class_<Decode, Step>(m, "Decode")
      .def(
          "__init__",
          [](Decode* self, int color, int dtype, bool adjust_orientation, bool fancy_upsampling, bool fast_idct,
             int64_t max_bytes, int max_scans, std::shared_ptr<WindowRule> window) {
            const JpegOptions options{static_cast<ColorType>(color), fancy_upsampling, fast_idct, max_scans};
            new (self) Decode(options, dtype_from(dtype), adjust_orientation, max_bytes,
                              window ? image_window(std::move(window)) : nullptr);
          },
          nb::arg("color"), nb::arg("dtype"), nb::arg("adjust_orientation"), nb::arg("fancy_upsampling"),
          nb::arg("fast_idct"), nb::arg("max_bytes"), nb::arg("max_scans"), nb::arg("window").none())
      .def("set_decoded", &set_decoded, nb::arg("sample"), nb::arg("image"),
           "Gives a sample as an image in place of its bytes.")
      .def("set_failed", &Decode::set_failed, nb::arg("sample"), nb::arg("why"),
           "Tells why a sample cannot be given as an image.");
}

}  // namespace penstock
