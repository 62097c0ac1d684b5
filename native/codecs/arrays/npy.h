// Files of numpy.save: a line of text that describes an array, then its elements.
#pragma once

#include "codecs/arrays/stored_array.h"

namespace penstock {

class NpyFormat : public ArrayFormat {
 public:
  /// `to_the_end` tells that nothing may follow the array.
  explicit NpyFormat(bool to_the_end) : to_the_end_(to_the_end) {}
  StoredArray find(ByteSource& file) const override;

 private:
  bool to_the_end_;
};

}  // namespace penstock
