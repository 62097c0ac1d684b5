// What is known of an array before it has memory: the type of its elements and its shape.
#pragma once

#include "memory/view.h"

namespace penstock {

struct Spec {
  DType dtype = DType::u8;
  Shape shape;
};

}  // namespace penstock
