// The first touch of the memory of a batch.
#pragma once

#include "memory/samples.h"
#include "runtime/pool.h"

namespace penstock {

/// Has the system make the huge pages of a batch that lies in a new block, each on one thread. Threads that write
/// neighbouring samples would touch a page at the same time: then each of them clears a page of its own, and all but
/// one are thrown away.
void touch_pages(Pool& pool, const Samples& samples);

}  // namespace penstock
