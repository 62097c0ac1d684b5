#include "memory/scratch.h"

namespace penstock {

Scratch& ScratchUse::scratch() {
  thread_local Scratch scratch;
  return scratch;
}

int& ScratchUse::depth() {
  thread_local int depth = 0;
  return depth;
}

}  // namespace penstock
