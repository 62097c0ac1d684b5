// JPEG: telling it from other formats, reading the size from the header, and the decoding step.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bind/convert.h"
#include "bind/memory/sample_bytes.h"
#include "codecs/jpeg/decode_step.h"
#include "codecs/jpeg/jpeg_header.h"
#include "codecs/jpeg/jpeg_report.h"
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

JpegReport report(const Values<uint8_t>& data, int64_t max_bytes) {
  nb::gil_scoped_release released;
  return report_jpeg({reinterpret_cast<const std::byte*>(data.data()), data.size()}, max_bytes);
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
  nb::class_<JpegReport>(m, "JpegReport", "What a JPEG says of itself, and whether its data is damaged.")
      .def_prop_ro("width", [](const JpegReport& self) { return self.header.width; })
      .def_prop_ro("height", [](const JpegReport& self) { return self.header.height; })
      .def_prop_ro("components", [](const JpegReport& self) { return self.header.components; })
      .def_prop_ro("precision", [](const JpegReport& self) { return self.header.precision; })
      .def_prop_ro(
          "orientation", [](const JpegReport& self) { return self.header.orientation; }, "By EXIF, 1 to 8.")
      .def_ro("damage", &JpegReport::damage, "The decoder's first complaint about the data; empty without one.");
  m.def("report_jpeg", &report, nb::arg("data"), nb::arg("max_bytes"),
        "Decodes all data of a JPEG at an eighth of its size, and tells what was found.");
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
             int64_t max_bytes, int max_scans, std::shared_ptr<WindowRule> window,
             std::optional<Decode::Size> min_size) {
            const JpegOptions options{static_cast<ColorType>(color), fancy_upsampling, fast_idct, max_scans};
            new (self) Decode(options, dtype_from(dtype), adjust_orientation, max_bytes,
                              window ? image_window(std::move(window)) : nullptr, min_size);
          },
          nb::arg("color"), nb::arg("dtype"), nb::arg("adjust_orientation"), nb::arg("fancy_upsampling"),
          nb::arg("fast_idct"), nb::arg("max_bytes"), nb::arg("max_scans"), nb::arg("window").none(),
          nb::arg("min_size").none())
      .def("set_decoded", &set_decoded, nb::arg("sample"), nb::arg("image"),
           "Gives a sample as an image in place of its bytes.")
      .def("set_failed", &Decode::set_failed, nb::arg("sample"), nb::arg("why"),
           "Tells why a sample cannot be given as an image.")
      .def_prop_ro("is_for_any_jpegs", &Decode::is_for_any_jpegs, "Whether no sample was given to it in either way.");
}

}  // namespace penstock
