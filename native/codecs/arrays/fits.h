// FITS files: headers of 80-letter cards, each followed by an array or a table, in blocks of 2880 bytes.
#pragma once

#include "codecs/arrays/stored_array.h"

namespace penstock {

/// The image in one of the headers and data units (HDU) of a file, the first of which has number 1.
class FitsFormat : public ArrayFormat {
 public:
  explicit FitsFormat(int hdu) : hdu_(hdu) {}
  StoredArray find(ByteSource& file) const override;

 private:
  int hdu_;
};

}  // namespace penstock
