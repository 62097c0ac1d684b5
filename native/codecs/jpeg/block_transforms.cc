#include "codecs/jpeg/block_transforms.h"

#ifdef PENSTOCK_JPEG_VECTORS
namespace penstock {

void BlockTransforms::run() {
  const auto count = [this](unsigned form) { return static_cast<int>(counts_ >> form * kCountBits & kCountMask); };
  auto& [flat, corner, full] = blocks_;
  int corners = count(1), fulls = count(2);
  if (corners % 2 != 0) full[fulls++] = corner[--corners];
  uint8_t unused[DCTSIZE2];
  if (fulls % 2 != 0) full[fulls++] = {spare_, full[0].factors, unused, DCTSIZE};
  inverse_dct_flat(flat, count(0));
  inverse_dct_corner(corner, corners);
  inverse_dct(full, fulls);
  counts_ = 0;
}

}  // namespace penstock
#endif
