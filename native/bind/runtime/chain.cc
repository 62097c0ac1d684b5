// The thread pool, chains of steps, and the memory they use.
#include "runtime/chain.h"

#include <nanobind/stl/string_view.h>

#include <cstdlib>

#include "bind/convert.h"
#include "memory/arena.h"
#include "memory/memory_limit.h"
#include "runtime/choice_step.h"
#include "runtime/doorbell.h"
#include "runtime/each_frame_step.h"
#include "runtime/pool.h"

namespace penstock {
namespace {

struct SampleFailures {
  std::vector<Failure> list;
};

std::vector<std::shared_ptr<const Step>> as_chain(const std::vector<std::shared_ptr<Step>>& steps) {
  return {steps.begin(), steps.end()};
}

void make_choice(Choice* self, const std::vector<std::optional<std::shared_ptr<Step>>>& steps,
                 const Values<int32_t>& chosen) {
  for (size_t i = 0; i < chosen.size(); ++i)
    if (chosen(i) < 0 || static_cast<size_t>(chosen(i)) >= steps.size())
      throw nb::value_error("a sample is to go through a step that is not there");
  std::vector<std::shared_ptr<const Step>> every;
  for (const auto& step : steps) every.push_back(step.value_or(nullptr));
  new (self) Choice(std::move(every), to_vector(chosen));
}

nb::object run(Pool& pool, const Samples& in, size_t n, const std::vector<std::shared_ptr<Step>>& steps) {
  ChainResult result;
  {
    std::optional<GilRelease> release;
    result = run_chain(pool, in, n, as_chain(steps), [&] { release.emplace(); });
  }
  if (!result.failures.empty()) return nb::cast(SampleFailures{std::move(result.failures)});
  if (!result.samples) return nb::none();
  if (in.size() == n) result.samples->take_origin(in);
  return nb::cast(std::move(*result.samples));
}

nb::tuple run_good(Pool& pool, const Samples& in, size_t n, const std::vector<std::shared_ptr<Step>>& steps) {
  ChainResult result;
  {
    std::optional<GilRelease> release;
    result = run_chain(
        pool, in, n, as_chain(steps), [&] { release.emplace(); }, OnFailure::go_on);
  }
  nb::object made = result.samples ? nb::cast(std::move(*result.samples)) : nb::none();
  return nb::make_tuple(made, nb::cast(std::move(result.failures)));
}

}  // namespace

void bind_chain(nb::module_& m) {
  nb::class_<Pool>(m, "Pool", "Threads that walk the samples of a batch; the caller is one of them.")
      .def(nb::init<int>(), nb::arg("threads"))
      .def_prop_ro("threads", &Pool::threads);

  nb::class_<Doorbell>(m, "Doorbell")
      .def(nb::init<>())
      .def("ring", &Doorbell::ring)
      .def("silence", &Doorbell::silence)
      .def("close", &Doorbell::close)
      .def(
          "wait",
          [](Doorbell& bell, int64_t grace_us) {
            GilRelease release;
            return bell.wait(std::chrono::microseconds(grace_us));
          },
          nb::arg("grace_us"));

  nb::enum_<Failure::Kind>(m, "FailureKind")
      .value("runtime", Failure::Kind::runtime)
      .value("value", Failure::Kind::value)
      .value("memory", Failure::Kind::memory);
  nb::class_<Failure>(m, "Failure", "What went wrong for one sample, and in which step of the chain.")
      .def_ro("sample", &Failure::sample)
      .def_ro("step", &Failure::step)
      .def_ro("kind", &Failure::kind)
      .def_ro("message", &Failure::message);
  nb::class_<SampleFailures>(m, "Failures").def_ro("list", &SampleFailures::list);

  nb::class_<Step>(m, "Step", "One sample-wise native operation with its arguments for a whole batch.");
  nb::class_<EachFrame, Step>(m, "EachFrame")
      .def(nb::init<std::shared_ptr<Step>, std::vector<int64_t>, std::vector<int64_t>, std::string, bool>(),
           nb::arg("step"), nb::arg("counts"), nb::arg("offsets"), nb::arg("given"), nb::arg("still"));
  nb::class_<Choice, Step>(m, "Choice")
      .def("__init__", &make_choice, nb::arg("steps"), nb::arg("chosen"),
           nb::sig("def __init__(self, steps: Sequence[Step | None], chosen: NDArray[numpy.int32]) -> None"));
  m.def("run", &run, nb::arg("pool"), nb::arg("samples"), nb::arg("n"), nb::arg("steps"),
        nb::sig("def run(pool: Pool, samples: Samples, n: int, steps: Sequence[Step]) -> Samples | Failures | None"),
        "Carries n samples through the steps; None when there are no samples to tell a shape from.");
  m.def("run_good", &run_good, nb::arg("pool"), nb::arg("samples"), nb::arg("n"), nb::arg("steps"),
        nb::sig("def run_good(pool: Pool, samples: Samples, n: int, steps: Sequence[Step]) -> "
                "tuple[Samples | None, list[Failure]]"),
        "The same, going on where samples fail: anything may be in their places, and None where all do.");

  m.def(
      "arena_use",
      [] {
        const ArenaUse use = arena_use();
        return nb::make_tuple(use.live_bytes, use.kept_bytes);
      },
      "Bytes in live batches and bytes kept for the next ones.");
  m.def("require_memory", static_cast<void (*)(std::string_view, double, int64_t)>(&require_memory), nb::arg("what"),
        nb::arg("bytes"), nb::arg("max_bytes"),
        "Raises RuntimeError where a sample would take more memory than it may.");
  m.def(
      "environment", [](const char* name) { return std::getenv(name); }, nb::arg("name"),
      nb::sig("def environment(name: str) -> str | None"),
      "A variable of the environment, as os.environ.get tells it, which takes a microsecond or two of every call.");
  m.def("trim_arena", &trim_arena, "Gives kept memory back to the system.");
}

}  // namespace penstock
