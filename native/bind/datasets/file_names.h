// Names of files as Python packs them. Included by bind/ only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bind/convert.h"
#include "os/file.h"

namespace penstock {

inline std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

/// Some of the names in `packed`, where name i stands up to the zero byte at ends[i].
inline std::vector<std::string> pick(std::string_view packed, std::span<const int64_t> ends,
                                     std::span<const int64_t> indices) {
  std::vector<std::string> names;
  for (const int64_t i : indices) {
    if (i < 0 || i >= static_cast<int64_t>(ends.size()))
      throw nb::index_error(("sample " + std::to_string(i) + " of " + std::to_string(ends.size())).c_str());
    const int64_t start = i ? ends[i - 1] + 1 : 0;
    names.emplace_back(packed.substr(start, ends[i] - start));
  }
  return names;
}

/// The path of a name under `root`, unless the name is one itself.
inline std::string path_of(std::string_view root, const std::string& name) {
  return is_absolute(name) || root.empty() ? name : std::string(root) + '/' + name;
}

}  // namespace penstock
