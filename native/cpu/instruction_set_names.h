// The instruction sets in use by name, for people.
#pragma once

#include <string>

namespace penstock {

/// The widest vectors that kernels use on this CPU, and what else they make use of.
std::string instruction_set_names();

}  // namespace penstock
