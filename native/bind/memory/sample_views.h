// Samples over the memory of others: some of them, with other shapes, under another name. Included by bind/ only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bind/convert.h"
#include "memory/samples.h"

namespace penstock {

/// The position of a sample, which must be there.
size_t checked(const Samples& s, int64_t i);

/// What elements with this code in `types.DALIDataType` are kept as.
DType storage(int code);
/// The code of the elements.
int code(const Samples& s);
/// The same memory as another element type that is kept alike.
Samples coded(Samples s, int code);

/// Element type, rank and layout as a Python object, which is the same for all samples that agree in them.
nb::object spec(const Samples& s);

/// A batch of some of the samples.
Samples select(const Samples& s, const std::vector<int64_t>& indices);
Samples relabelled(const Samples& s, const std::string& layout);
/// With other shapes of equal size, one per sample or one for all, and as another element type; copied only where
/// misaligned.
Samples reshaped(const Samples& s, const std::vector<std::vector<int64_t>>& extents, const std::string& layout,
                 std::optional<int> as);
/// One part of every sample along its first axis.
Samples part(const Samples& s, int64_t index);
/// The same memory as that of another device, which a stand-in for an accelerator has no other.
Samples on_device(const Samples& s, int device);
/// In memory of their own.
Samples copied(const Samples& s);

}  // namespace penstock
