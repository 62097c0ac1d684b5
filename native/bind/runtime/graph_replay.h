// Runs of a graph whose stages are all native chains: one call makes the finished calls of all that is wanted. Python
// code right after a decoder has run costs a microsecond or two per function, for its memory has left the caches.
// Included by bind/ only.
#pragma once

#include "bind/runtime/native_chain.h"
#include "bind/runtime/object_template.h"

namespace penstock {

/// The native chains of a graph's stages, and the calls that they finish.
class GraphReplay {
 public:
  /// `source` is what the stage reads: samples, or the number of something that the graph is given, or of a stage
  /// before it, counted from -1 down. Results of the stages in `spent` are not read later.
  void add_stage(nb::object chain, nb::object source, std::optional<size_t> size, std::vector<size_t> spent);
  /// Has every run make a finished call like this one.
  void add_result(nb::object node, size_t stage, nb::handle call);

  /// A dict of finished calls by their nodes; None where a stage does not take what it is given, or fails.
  nb::object run(nb::sequence given, Pool& pool);

  /// The wall time that each stage took in all runs.
  std::vector<double> seconds() const;

  int traverse(visitproc visit, void* arg) const;
  void clear();

 private:
  struct Stage {
    nb::object chain;
    const NativeChain* native;  // that of `chain`
    nb::object constant;        // the samples that it reads, where they are always the same
    int64_t source;
    size_t size;
    std::vector<size_t> spent;
    int64_t wall_ns;
  };
  struct Wanted {
    nb::object node;
    size_t stage;
    ObjectTemplate call;
    SlotMember outputs;  // of the call
  };

  static std::optional<Samples> run_stage(const Stage& stage, const nb::sequence& given,
                                          const std::vector<std::optional<Samples>>& made, Pool& pool);

  std::vector<Stage> stages_;
  std::vector<Wanted> wanted_;
};

}  // namespace penstock
