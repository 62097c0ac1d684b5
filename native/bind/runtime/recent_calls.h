// The memos of the last kinds of calls of an operator. Included by bind/ only.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "bind/convert.h"

namespace penstock {

/// An argument of a call by its name: a constant, or the spec of data.
struct NamedArgument {
  nb::handle name, value;
};

/// The last kinds of calls of an operator, the latest first: their arguments, the specs of their inputs, and their
/// memos.
class RecentCalls {
 public:
  /// The memo of calls with these arguments and input specs; None where there was none lately. No Python code is run.
  nb::object find(std::span<const NamedArgument> arguments, std::span<const nb::handle> specs);

  void keep(nb::dict keywords, nb::list specs, nb::object memo);

  int traverse(visitproc visit, void* arg) const;
  void clear() { calls_.clear(); }

 private:
  struct Call {
    std::vector<std::pair<nb::object, nb::object>> keywords;
    std::vector<nb::object> specs;
    nb::object memo;

    bool is(std::span<const NamedArgument> arguments, std::span<const nb::handle> inputs) const;
  };
  std::vector<Call> calls_;
  nb::ft_mutex mutex_;
};

}  // namespace penstock
