// Video frames: planes of luma and chroma to pixels.
#include "kernels/color/planar_yuv.h"

#include "bind/convert.h"

namespace penstock {
namespace {

using PlaneArray = nb::ndarray<const uint8_t, nb::ndim<2>, nb::device::cpu>;
using PixelArray = nb::ndarray<uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

Plane plane_of(const PlaneArray& array) {
  if (array.shape(1) > 1 && array.stride(1) != 1) throw nb::value_error("the bytes of a plane's row must lie together");
  return {array.data(), array.stride(0)};
}

/// Whether `part` covers `whole` at half its extent; throws where it does neither that nor at all of it.
bool is_half(size_t part, size_t whole) {
  if (part == whole) return false;
  if (part * 2 == whole) return true;
  throw nb::value_error("chroma planes must be as large as the luma plane, or half as large");
}

void planes_to_pixels(PixelArray out, const PlaneArray& y, const PlaneArray& u, const PlaneArray& v, bool full_range,
                      YuvTarget target) {
  const size_t height = y.shape(0), width = y.shape(1), channels = target == YuvTarget::gray ? 1 : 3;
  if (out.shape(0) != height || out.shape(1) != width || out.shape(2) != channels)
    throw nb::value_error("the result must have the size of the luma plane");
  if (u.shape(0) != v.shape(0) || u.shape(1) != v.shape(1)) throw nb::value_error("chroma planes of different sizes");
  const PlanarYuv in = {plane_of(y),
                        plane_of(u),
                        plane_of(v),
                        static_cast<int64_t>(height),
                        static_cast<int64_t>(width),
                        is_half(u.shape(0), height),
                        is_half(u.shape(1), width),
                        full_range};
  uint8_t* data = out.data();
  GilRelease release;
  Scratch scratch;
  yuv_to_pixels(data, in, target, scratch);
}

}  // namespace

void bind_planar_yuv(nb::module_& m) {
  nb::enum_<YuvTarget>(m, "YuvTarget")
      .value("rgb", YuvTarget::rgb)
      .value("ycbcr", YuvTarget::ycbcr)
      .value("gray", YuvTarget::gray);
  m.def("planes_to_pixels", &planes_to_pixels, nb::arg("out").noconvert(), nb::arg("y"), nb::arg("u"), nb::arg("v"),
        nb::arg("full_range"), nb::arg("target"),
        "Puts a picture of 8-bit planes, BT.601, into an array of height, width, channels.");
}

}  // namespace penstock
