// The native steps of a stage that is run again and again. Included by bind/ only.
#pragma once

#include <optional>

#include "bind/convert.h"
#include "memory/samples.h"
#include "runtime/chain.h"

namespace penstock {

/// The steps of a stage for inputs of one element type, rank and layout: converting the steps and comparing specs in
/// Python would take as long as the work on a batch of small samples.
class NativeChain {
 public:
  NativeChain(int code, int ndim, std::string layout, const std::vector<std::shared_ptr<Step>>& steps,
              std::string made_layout)
      : code_(code),
        ndim_(ndim),
        layout_(std::move(layout)),
        steps_(steps.begin(), steps.end()),
        made_layout_(std::move(made_layout)) {}

  /// The result of n samples; none for an input of another spec, and after an error. Releases the interpreter lock
  /// unless there is next to nothing to do.
  std::optional<Samples> run(const Samples& in, size_t n, Pool& pool, ChainTimes* times) const;

 private:
  int code_, ndim_;
  std::string layout_;
  std::vector<std::shared_ptr<const Step>> steps_;
  std::string made_layout_;
};

}  // namespace penstock
