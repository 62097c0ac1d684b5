#include "kernels/warp/affine_step.h"

#include "cpu/vectorize.h"

namespace penstock {
namespace {

// With x to the right and y downwards, z points away from who looks at an image.
constexpr float kTowardsViewer[] = {0, 0, -1};

// The start of a strip is computed in doubles and its pixels counted from there, so that nothing adds up.
void draw_affine(const Canvas& canvas, const double* x_row, const double* y_row) {
  const auto step_x = static_cast<float>(x_row[0]), step_y = static_cast<float>(y_row[0]);
  canvas.draw([=](float* xs, float* ys, int64_t x, int64_t y, int n) {
    const double left = static_cast<double>(x) + 0.5, top = static_cast<double>(y) + 0.5;
    const auto first_x = static_cast<float>(x_row[0] * left + x_row[1] * top + x_row[2]);
    const auto first_y = static_cast<float>(y_row[0] * left + y_row[1] * top + y_row[2]);
    run_wide([=]() PENSTOCK_INLINE {
      for (int i = 0; i < n; ++i) xs[i] = first_x + step_x * static_cast<float>(i);
      for (int i = 0; i < n; ++i) ys[i] = first_y + step_y * static_cast<float>(i);
    });
  });
}

}  // namespace

void AffineWarp::draw(size_t sample, const Canvas& canvas, Scratch&) const {
  double matrix[6];
  std::copy_n(matrices_[sample], 6, matrix);
  draw_affine(canvas, matrix, matrix + 3);
}

VolumeWarp::Matrix AffineVolumeWarp::matrix(size_t sample, const Box3&, const Box3&) const {
  Matrix matrix;
  std::copy_n(matrices_[sample], matrix.size(), matrix.begin());
  return matrix;
}

Rotation Rotate::rotation(size_t sample) const { return Rotation(angles_[sample], kTowardsViewer); }

Extents Rotate::canvas(size_t sample, Extents in) const {
  const Box3 box = rotation(sample).canvas({in.width, in.height, 1});
  return keeps_size_ ? in : Extents{box[1], box[0]};
}

void Rotate::draw(size_t sample, const Canvas& canvas, Scratch&) const {
  const auto [out, in] = std::pair(canvas.size(), canvas.source());
  const auto m = rotation(sample).between({out.width, out.height, 1}, {in.width, in.height, 1});
  const double matrix[] = {m[0], m[1], m[3], m[4], m[5], m[7]};
  draw_affine(canvas, matrix, matrix + 3);
}

Rotation RotateVolume::rotation(size_t sample) const { return Rotation(angles_[sample], axes_[sample]); }

Box3 RotateVolume::canvas(size_t sample, const Box3& in) const {
  const Box3 box = rotation(sample).canvas(in);
  return keeps_size_ ? in : box;
}

VolumeWarp::Matrix RotateVolume::matrix(size_t sample, const Box3& out, const Box3& in) const {
  return rotation(sample).between(out, in);
}

}  // namespace penstock
