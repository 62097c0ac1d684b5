#include "bind/runtime/graph_replay.h"

#include "bind/runtime/collected.h"
#include "kernels/step_clock.h"

namespace penstock {

void GraphReplay::add_stage(nb::object chain, nb::object source, std::optional<size_t> size,
                            std::vector<size_t> spent) {
  const auto& native = nb::cast<const NativeChain&>(chain);
  Stage stage{std::move(chain), &native, {}, 0, size.value_or(1), std::move(spent), 0};
  if (nb::isinstance<Samples>(source))
    stage.constant = std::move(source);
  else
    stage.source = nb::cast<int64_t>(source);
  if (stage.source < 0 && static_cast<size_t>(-1 - stage.source) >= stages_.size())
    throw nb::value_error("a stage reads from one that comes later");
  for (const size_t number : stage.spent)
    if (number > stages_.size()) throw nb::value_error("a stage frees the result of one that comes later");
  stages_.push_back(std::move(stage));
}

void GraphReplay::add_result(nb::object node, size_t stage, nb::handle call) {
  if (stage >= stages_.size()) throw nb::value_error("there is no such stage");
  ObjectTemplate like(call, {"outputs"});
  SlotMember outputs(like.type(), "outputs");
  wanted_.push_back({std::move(node), stage, std::move(like), std::move(outputs)});
}

nb::object GraphReplay::run(nb::sequence given, Pool& pool) {
  std::vector<std::optional<Samples>> made(stages_.size());
  for (size_t k = 0; k < stages_.size(); ++k) {
    Stage& stage = stages_[k];
    const int64_t started = wall_ns();
    made[k] = run_stage(stage, given, made, pool);
    stage.wall_ns += wall_ns() - started;
    if (!made[k]) return nb::none();
    for (const size_t number : stage.spent) made[number].reset();
  }
  nb::dict calls;
  for (const Wanted& wanted : wanted_) {
    if (!made[wanted.stage]) throw std::logic_error("a result that is wanted was freed");
    nb::list outputs;
    outputs.append(nb::cast(std::move(*made[wanted.stage])));
    const nb::object call = wanted.call.make();
    wanted.outputs.set(call, outputs);
    calls[wanted.node] = call;
  }
  return calls;
}

std::vector<double> GraphReplay::seconds() const {
  std::vector<double> spent;
  for (const Stage& stage : stages_) spent.push_back(1e-9 * static_cast<double>(stage.wall_ns));
  return spent;
}

int GraphReplay::traverse(visitproc visit, void* arg) const {
  for (const Stage& stage : stages_) {
    Py_VISIT(stage.chain.ptr());
    Py_VISIT(stage.constant.ptr());
  }
  for (const Wanted& wanted : wanted_) {
    Py_VISIT(wanted.node.ptr());
    if (const int stop = wanted.call.traverse(visit, arg)) return stop;
  }
  return 0;
}

void GraphReplay::clear() {
  const std::vector<Stage> stages = std::exchange(stages_, {});
  const std::vector<Wanted> wanted = std::exchange(wanted_, {});
}

std::optional<Samples> GraphReplay::run_stage(const Stage& stage, const nb::sequence& given,
                                              const std::vector<std::optional<Samples>>& made, Pool& pool) {
  if (!stage.constant.is_valid() && stage.source < 0) {
    const std::optional<Samples>& read = made[static_cast<size_t>(-1 - stage.source)];
    if (!read) throw std::logic_error("a result that a stage reads was freed");
    return stage.native->run(*read, stage.size, pool, nullptr);
  }
  const nb::object read = stage.constant.is_valid() ? stage.constant : nb::object(given[stage.source]);
  return stage.native->run(nb::cast<const Samples&>(read), stage.size, pool, nullptr);
}

void bind_graph_replay(nb::module_& m) {
  nb::class_<GraphReplay>(m, "GraphReplay", nb::type_slots(kCollected<GraphReplay>),
                          "The native chains of a graph's stages, and the calls that they finish.")
      .def(nb::init<>())
      .def("add_stage", &GraphReplay::add_stage, nb::arg("chain"), nb::arg("source"), nb::arg("size").none(),
           nb::arg("spent"),
           nb::sig("def add_stage(self, chain: NativeChain, source: Samples | int, size: int | None, spent: "
                   "Sequence[int]) -> None"),
           "Adds a stage that reads samples, or something that the graph is given, by its number, or the result of a "
           "stage, which is -1 for the first, -2 for the second and so on. Those in `spent` are not read later.")
      .def("add_result", &GraphReplay::add_result, nb::arg("node"), nb::arg("stage"), nb::arg("call"),
           nb::sig("def add_result(self, node: object, stage: int, call: object) -> None"),
           "Has every run make a finished call like this one, with the result of a stage.")
      .def("run", &GraphReplay::run, nb::arg("given"), nb::arg("pool"),
           nb::sig("def run(self, given: Sequence[Samples], pool: Pool) -> dict[typing.Any, typing.Any] | None"),
           "The finished calls by their nodes; None where a stage does not take what it is given, or fails.")
      .def("seconds", &GraphReplay::seconds, "What each stage took in all runs.");
}

}  // namespace penstock
