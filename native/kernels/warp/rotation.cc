#include "kernels/warp/rotation.h"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

namespace penstock {

Rotation::Rotation(float degrees, const float axis[3]) {
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  if (!std::isfinite(degrees)) throw std::runtime_error("an angle must be finite, got " + std::to_string(degrees));
  if (!(length > 0) || !std::isfinite(length))
    throw std::runtime_error("an axis must have a direction, got [" + std::to_string(axis[0]) + ", " +
                             std::to_string(axis[1]) + ", " + std::to_string(axis[2]) + "]");
  // Rounded to float, as DALI does: sizes depend on which side of a whole number a product falls.
  const double angle = -static_cast<double>(degrees * static_cast<float>(std::numbers::pi / 180));
  const double c = std::cos(angle), s = std::sin(angle);
  const double u[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
  const double cross[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) m[i][k] = (i == k ? c : 0) + s * cross[i][k] + (1 - c) * u[i] * u[k];
}

// `m` leads back to the upright box, so its columns tell where the sides of that box come to lie.
Box3 Rotation::canvas(const Box3& box) const {
  constexpr double kSlack = 1e-2;  // of a pixel may be cut off
  Box3 result;
  for (int i = 0; i < 3; ++i) {
    double side = 0;
    int main = i;
    for (int k = 0; k < 3; ++k) {
      side += std::abs(m[k][i]) * static_cast<double>(box[k]);
      if (std::abs(m[k][i]) > std::abs(m[main][i])) main = k;
    }
    result[i] = static_cast<int64_t>(std::ceil(side - kSlack));
    result[i] += result[i] % 2 != box[main] % 2;
  }
  return result;
}

std::array<double, 12> Rotation::between(const Box3& out, const Box3& in) const {
  std::array<double, 12> result;
  for (int i = 0; i < 3; ++i) {
    double shift = static_cast<double>(in[i]) / 2;
    for (int k = 0; k < 3; ++k) {
      result[i * 4 + k] = m[i][k];
      shift -= m[i][k] * static_cast<double>(out[k]) / 2;
    }
    result[i * 4 + 3] = shift;
  }
  return result;
}

}  // namespace penstock
