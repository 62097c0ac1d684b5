// Images and labels out of the records of a RecordIO file, a batch at a time.
#pragma once

#include <string>
#include <vector>

#include "memory/samples.h"

namespace penstock {

struct RecordImages {
  Samples files, labels;
  std::vector<std::string> errors;  // by record; an empty text where all is well
};

/// A record stands at the beginning of its sample; what follows it is not looked at.
RecordImages record_images(const Samples& records);

}  // namespace penstock
