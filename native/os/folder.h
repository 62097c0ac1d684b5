// The entries of a folder.
#pragma once

#include <functional>
#include <string>

namespace penstock {

/// Folders are found through links. A link counts as a file, whatever it leads to: that shows when it is read.
enum class EntryKind { file, folder };

/// Calls `take` with the name of every entry that is `wanted` and of that kind, in any order. Zero, or the number of
/// errno for why the folder cannot be opened. `wanted` comes first, as it may cost a question to learn the kind.
int for_each_entry(const std::string& path, EntryKind kind, const std::function<bool(const std::string&)>& wanted,
                   const std::function<void(const std::string&)>& take);

}  // namespace penstock
