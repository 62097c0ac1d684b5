// The thread pool, chains of steps, and the memory they use.
#include "runtime/chain.h"

#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "bind/convert.h"
#include "bind/runtime/native_chain.h"
#include "memory/arena.h"
#include "memory/memory_limit.h"
#include "memory/pinned.h"
#include "memory/samples.h"
#include "runtime/chain_times.h"
#include "runtime/choice_step.h"
#include "runtime/doorbell.h"
#include "runtime/each_frame_step.h"
#include "runtime/pool.h"
#include "runtime/worker_log.h"

namespace penstock {
namespace {

struct SampleFailures {
  std::vector<Failure> list;
};

std::vector<std::shared_ptr<const Step>> as_chain(const std::vector<std::shared_ptr<Step>>& steps) {
  return {steps.begin(), steps.end()};
}

bool pin_block(const Samples& samples, nb::callable pin) {
  const std::optional<ArenaBlock> block = block_of(samples.owner());
  if (!block || !block->is_pooled) return false;
  if (!is_pinned(block->data)) {
    pin(reinterpret_cast<uintptr_t>(block->data), block->bytes);
    set_pinned(block->data);
  }
  return true;
}

// Where unpinning fails the blocks are lost, which is better than memory that a device may still write to.
void unpin_surplus(nb::callable unpin, bool all) {
  for (std::byte* block : take_surplus_pinned(all)) {
    unpin(reinterpret_cast<uintptr_t>(block));
    free_unpinned(block);
  }
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

nb::object run(Pool& pool, const Samples& in, size_t n, const std::vector<std::shared_ptr<Step>>& steps,
               ChainTimes* times) {
  ChainResult result;
  {
    std::optional<GilRelease> release;
    result = run_chain(
        pool, in, n, as_chain(steps), [&] { release.emplace(); }, OnFailure::stop, times);
  }
  if (!result.failures.empty()) return nb::cast(SampleFailures{std::move(result.failures)});
  if (!result.samples) return nb::none();
  if (in.size() == n) result.samples->take_origin(in);
  return nb::cast(std::move(*result.samples));
}

nb::object run_keeping(Pool& pool, const Samples& in, size_t n, const std::vector<std::shared_ptr<Step>>& steps,
                       const std::vector<size_t>& kept, ChainTimes* times) {
  for (size_t k = 0; k < kept.size(); ++k)
    if (kept[k] + 1 >= steps.size() || (k && kept[k] <= kept[k - 1]))
      throw nb::value_error("results to be kept are named in rising order, and the last one is not among them");
  ChainResult result;
  {
    std::optional<GilRelease> release;
    result = run_chain_keeping(
        pool, in, n, as_chain(steps), kept, [&] { release.emplace(); }, times);
  }
  if (!result.samples || !result.failures.empty()) return nb::none();
  nb::list made;
  result.kept.push_back(std::move(*result.samples));
  for (Samples& samples : result.kept) {
    if (in.size() == n) samples.take_origin(in);
    made.append(nb::cast(std::move(samples)));
  }
  return made;
}

nb::object run_again(const NativeChain& chain, const Samples& in, std::optional<size_t> size, Pool& pool,
                     ChainTimes* times) {
  std::optional<Samples> made = chain.run(in, size.value_or(1), pool, times);
  return made ? nb::cast(std::move(*made)) : nb::none();
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

// For each group of steps that did their work together: first and last step, samples timed, wall and CPU seconds.
nb::list step_totals(const ChainTimes& times) {
  std::map<std::pair<uint32_t, uint32_t>, std::array<double, 3>> totals;
  for (const SampleLaps& sample : times.timed())
    for (const StepLap& lap : sample.laps) {
      std::array<double, 3>& total = totals[{lap.first, lap.last}];
      total[0] += 1;
      total[1] += 1e-9 * static_cast<double>(lap.end_ns - lap.start_ns);
      total[2] += 1e-9 * static_cast<double>(lap.cpu_ns);
    }
  nb::list found;
  for (const auto& [steps, total] : totals)
    found.append(nb::make_tuple(steps.first, steps.second, static_cast<size_t>(total[0]), total[1], total[2]));
  return found;
}

nb::list slowest_samples(const ChainTimes& times, size_t most) {
  std::vector<std::pair<int64_t, size_t>> found;
  for (const SampleLaps& sample : times.timed()) found.emplace_back(sample.duration_ns(), sample.sample);
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(most, found.size()));
  std::partial_sort(found.begin(), end, found.end(), std::greater<>());
  nb::list slowest;
  for (auto each = found.begin(); each != end; ++each)
    slowest.append(nb::make_tuple(each->second, 1e-9 * static_cast<double>(each->first)));
  return slowest;
}

nb::list all_laps(const ChainTimes& times) {
  nb::list found;
  for (const SampleLaps& sample : times.timed())
    for (const StepLap& lap : sample.laps)
      found.append(nb::make_tuple(sample.sample, sample.thread, lap.first, lap.last,
                                  1e-9 * static_cast<double>(lap.start_ns), 1e-9 * static_cast<double>(lap.end_ns)));
  return found;
}

nb::tuple worker_spans(uint64_t position) {
  const auto [spans, end] = logged_work(position);
  nb::list found;
  for (const WorkerSpan& span : spans)
    found.append(nb::make_tuple(span.pool, span.threads, span.thread, 1e-9 * static_cast<double>(span.start_ns),
                                1e-9 * static_cast<double>(span.end_ns), 1e-9 * static_cast<double>(span.cpu_ns)));
  return nb::make_tuple(found, end);
}

#ifdef Py_GIL_DISABLED
// Another thread may be changing the environment, whose memory nothing else guards.
nb::object environment(const char* name) { return nb::module_::import_("os").attr("environ").attr("get")(name); }
#else
const char* environment(const char* name) { return std::getenv(name); }
#endif

void bind_times(nb::module_& m) {
  nb::class_<ChainTimes>(m, "ChainTimes", "When the steps of a chain ran, on as many samples as cost next to nothing.")
      .def(nb::init<>())
      .def_prop_ro("samples", &ChainTimes::samples, "How many the chain carried through, timed or not.")
      .def_prop_ro(
          "preparing", [](const ChainTimes& times) { return 1e-9 * static_cast<double>(times.preparing_ns()); },
          "Seconds before the first step, in which headers were read and memory was taken.")
      .def("steps", &step_totals, nb::sig("def steps(self) -> list[tuple[int, int, int, float, float]]"),
           "First and last step of those that did their work together, samples timed, wall and CPU seconds of these.")
      .def("slowest", &slowest_samples, nb::arg("most"),
           nb::sig("def slowest(self, most: int) -> list[tuple[int, float]]"), "Samples and their seconds.")
      .def("laps", &all_laps, nb::sig("def laps(self) -> list[tuple[int, int, int, int, float, float]]"),
           "Sample, thread, first and last step, start and end on the clock of time.perf_counter().");
  m.def("start_worker_log", &start_worker_log, "Has all pools note when their threads work.");
  m.def("stop_worker_log", &stop_worker_log, "Ends that, once it was called as often as `start_worker_log`.");
  m.def("worker_spans", &worker_spans, nb::arg("position"),
        nb::sig("def worker_spans(position: int) -> tuple[list[tuple[int, int, int, float, float, float]], int]"),
        "Key and threads of a pool, thread, start, end and CPU seconds of the work noted from a position on, and the "
        "position behind it.");
  m.def(
      "help_received",
      [] {
        const HelpReceived& help = help_received();
        return nb::make_tuple(1e-9 * static_cast<double>(help.wall_ns), 1e-9 * static_cast<double>(help.cpu_ns));
      },
      nb::sig("def help_received() -> tuple[float, float]"),
      "Wall and CPU seconds that threads of pools have worked for this one while the log was on.");
  m.def(
      "count_held_time", [](bool on) { HeldTime::is_counted = on; }, nb::arg("on"),
      "Whether `held_seconds` is added up.");
  m.def(
      "held_seconds", [] { return 1e-9 * static_cast<double>(HeldTime::cpu_ns); },
      "CPU seconds that threads held the interpreter lock between two native calls without it, while it was counted.");
}

}  // namespace

void bind_chain(nb::module_& m) {
  nb::class_<Pool>(m, "Pool", "Threads that walk the samples of a batch; the caller is one of them.")
      .def(nb::init<int>(), nb::arg("threads"))
      .def_prop_ro("threads", &Pool::threads)
      .def_prop_ro("key", &Pool::key, "A number that no other pool has while this one lives.");

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
  bind_times(m);
  m.def("run", &run, nb::arg("pool"), nb::arg("samples"), nb::arg("n"), nb::arg("steps"),
        nb::arg("times").none() = nb::none(),
        nb::sig("def run(pool: Pool, samples: Samples, n: int, steps: Sequence[Step], times: ChainTimes | None = None) "
                "-> Samples | Failures | None"),
        "Carries n samples through the steps; None when there are no samples to tell a shape from.");
  m.def(
      "run_keeping", &run_keeping, nb::arg("pool"), nb::arg("samples"), nb::arg("n"), nb::arg("steps"), nb::arg("kept"),
      nb::arg("times").none() = nb::none(),
      nb::sig("def run_keeping(pool: Pool, samples: Samples, n: int, steps: Sequence[Step], kept: Sequence[int], "
              "times: ChainTimes | None = None) -> list[Samples] | None"),
      "The same, with the results of the steps numbered in `kept` before the last one's; None where the steps must be "
      "run one by one: some would share memory, or failed.");
  nb::class_<NativeChain>(m, "NativeChain", "The steps of a stage for an input of one element type, rank and layout.")
      .def(nb::init<int, int, std::string, const std::vector<std::shared_ptr<Step>>&, std::string>(), nb::arg("code"),
           nb::arg("ndim"), nb::arg("layout"), nb::arg("steps"), nb::arg("made_layout"))
      .def("run", &run_again, nb::arg("samples"), nb::arg("size").none(), nb::arg("pool"),
           nb::arg("times").none() = nb::none(),
           nb::sig("def run(self, samples: Samples, size: int | None, pool: Pool, times: ChainTimes | None = None) -> "
                   "Samples | None"),
           "The result of the stage; None where the executor must run it: for another spec, or after an error.");
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
  m.def("environment", &environment, nb::arg("name"), nb::sig("def environment(name: str) -> str | None"),
        "A variable of the environment, as os.environ.get tells it, which takes a microsecond or two of every call.");
  m.def("trim_arena", &trim_arena, "Gives kept memory back to the system, but for what is pinned.");
  m.def(
      "pin_block", &pin_block, nb::arg("samples"), nb::arg("pin"),
      nb::sig("def pin_block(samples: Samples, pin: Callable[[int, int], None]) -> bool"),
      "Has the block of the pool that samples lie in pinned: `pin` is given its address and size, unless it is pinned "
      "already. False where their memory is not the pool's.");
  m.def("unpin_surplus", &unpin_surplus, nb::arg("unpin"), nb::arg("all") = false,
        nb::sig("def unpin_surplus(unpin: Callable[[int], None], all: bool = False) -> None"),
        "Gives pinned blocks that nobody asked for in a long time, or all that are not in use, back to the system; "
        "`unpin` is given the address of each.");
}

}  // namespace penstock
