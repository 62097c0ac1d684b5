// The names of the instruction sets in use, as `penstock doctor` shows them.
#pragma once

#include <string>

namespace penstock {

/// The widest vectors that kernels use on this CPU, and what else they make use of.
std::string instruction_set_names();

}  // namespace penstock
