#include "runtime/chain.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <numeric>
#include <stdexcept>

#include "cpu/prefetch.h"
#include "kernels/bytes/stream.h"

namespace penstock {
namespace {

// Small samples of a batch that has left the second-level cache are fetched one ahead: the processor would begin anew
// with every row of a window, which takes twice as long.
constexpr int64_t kFetchedFromBytes = 512 << 10, kFetchedSampleBytes = 8 << 10;

// Below this many bytes the interpreter lock is kept: the work takes less time than handing the lock to another thread.
constexpr int64_t kWorkFromBytes = 4 << 10;

using Steps = std::span<const std::shared_ptr<const Step>>;

class Failures {
 public:
  /// Runs `body(step)`, which keeps `step` at the step it is in, and notes what it throws.
  template <typename Body>
  void guard(size_t sample, Body&& body) {
    size_t step = 0;
    try {
      body(step);
    } catch (const std::invalid_argument& e) {
      note({sample, step, Failure::Kind::value, e.what()});
    } catch (const std::bad_alloc&) {
      note({sample, step, Failure::Kind::memory, "out of memory"});
    } catch (const std::exception& e) {
      note({sample, step, Failure::Kind::runtime, e.what()});
    }
  }

  std::vector<Failure> sorted() {
    std::sort(found_.begin(), found_.end(), [](const Failure& a, const Failure& b) { return a.sample < b.sample; });
    return std::move(found_);
  }
  bool none() const { return found_.empty(); }
  size_t count() const { return found_.size(); }

 private:
  void note(Failure failure) {
    std::lock_guard lock(mutex_);
    found_.push_back(std::move(failure));
  }
  std::mutex mutex_;
  std::vector<Failure> found_;
};

// Whether the step writes nothing for this sample, whose memory goes on to the next.
bool hands_on(const Step& step, size_t sample) { return step.only_views() || step.leaves_alone(sample); }

// The last step that writes; those behind it see what it has written otherwise.
size_t last_writing(Steps steps, size_t sample) {
  size_t last = steps.size() - 1;
  while (last && hands_on(*steps[last], sample)) --last;
  return last;
}

// Results of steps before the last that are stored as batches.
class KeptResults {
 public:
  void add(size_t step, Samples samples) {
    steps_.push_back(step);
    batches_.push_back(std::move(samples));
  }
  /// Null where the result of the step is not stored.
  Samples* of(size_t step) {
    for (size_t k = 0; k < steps_.size(); ++k)
      if (steps_[k] == step) return &batches_[k];
    return nullptr;
  }
  std::vector<Samples> take() { return std::move(batches_); }

 private:
  std::vector<size_t> steps_;
  std::vector<Samples> batches_;
};

// The first step from `step` on whose result is stored, or is no part of its input, or `last`.
size_t end_of_parts(Steps steps, KeptResults& kept, size_t step, size_t last) {
  while (step < last && steps[step]->is_part() && !kept.of(step)) ++step;
  return step;
}

// Has `taker` do its work on the part of `in` that the steps from `step` on would store. Where that is done `step` is
// `taker`, and where one of them throws it is that one.
bool run_on_part(size_t sample, View out, ConstView in, Steps steps, size_t& step, size_t taker, Scratch& scratch) {
  const size_t first = step;
  Part part(in.shape);
  for (; step < taker; ++step)
    if (!steps[step]->leaves_alone(sample) && !steps[step]->narrow(sample, in.dtype, part)) break;
  if (step == taker && steps[taker]->run_part(sample, out, in, part, scratch)) return true;
  step = first;
  return false;
}

// `specs` tells what each step makes of this sample; only what the last one makes may go past the caches.
void run_sample(size_t sample, const View& out, ConstView in, Steps steps, const Spec* specs, KeptResults& kept,
                bool past_caches, size_t& step, Scratch& scratch) {
  scratch.past_caches = false;
  const size_t last = last_writing(steps, sample);
  size_t turn = 0;
  const auto place_for = [&](size_t made_by) {
    if (Samples* batch = kept.of(made_by)) return batch->view(sample);
    View view{out.data, specs[made_by].dtype, specs[made_by].shape};
    if (made_by != last) view.data = scratch.bytes(turn % 2 ? kChainPong : kChainPing, view.bytes());
    return view;
  };
  for (step = 0; step < last; ++step) {
    if (hands_on(*steps[step], sample)) {
      in.shape = specs[step].shape;
      continue;
    }
    if (const size_t taker = end_of_parts(steps, kept, step, last); taker > step && steps[taker]->takes_parts()) {
      const View target = place_for(taker);
      scratch.past_caches = past_caches && taker == last;
      const size_t first = step;
      if (run_on_part(sample, target, in, steps, step, taker, scratch)) {
        if (scratch.clock) scratch.clock->lap(first, taker);
        if (step == last) return;
        in = {target.data, target.dtype, target.shape};
        ++turn;
        continue;
      }
      scratch.past_caches = false;
    }
    size_t next = step + 1;
    while (next < last && steps[next]->leaves_alone(sample)) ++next;
    View target = place_for(next);
    const size_t first = step;
    Samples* const own = kept.of(step);
    if (own ? steps[step]->run_both(sample, *steps[next], target, own->view(sample), in, scratch)
            : steps[step]->run_through(sample, *steps[next], target, in, scratch)) {
      step = next;
      if (scratch.clock) scratch.clock->lap(first, step);
      if (step == last) return;
    } else {
      target = place_for(step);
      steps[step]->run(sample, target, in, scratch);
      if (scratch.clock) scratch.clock->lap(step, step);
    }
    in = {target.data, target.dtype, target.shape};
    ++turn;
  }
  scratch.past_caches = past_caches;
  steps[last]->run(sample, place_for(last), in, scratch);
  if (scratch.clock) scratch.clock->lap(last, last);
}

// The same for a single step: of small samples, what else is to be thought of takes as long as the work.
void run_step(size_t sample, const View& out, const ConstView& in, const Step& step, bool past_caches,
              Scratch& scratch) {
  scratch.past_caches = past_caches;
  step.run(sample, out, in, scratch);
  if (scratch.clock) scratch.clock->lap(0, 0);
}

// Has the laps of a sample noted, also where a step throws.
class Timed {
 public:
  Timed(ChainTimes* times, size_t place, size_t sample, Scratch& scratch)
      : times_(times && times->is_due(place) ? times : nullptr), place_(place), sample_(sample), scratch_(scratch) {
    if (!times_) return;
    thread_local StepClock clock;
    scratch_.clock = &clock;
    clock.start();
  }
  ~Timed() {
    if (!times_) return;
    times_->keep(place_, sample_, *scratch_.clock);
    scratch_.clock = nullptr;
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  ChainTimes* times_;
  size_t place_, sample_;
  Scratch& scratch_;
};

// Samples of one shape as a single one, where the steps do the same to all their elements: the work on a few numbers
// takes less time than going from one sample to the next. Without a result where that cannot be done, or fails.
std::optional<Samples> run_joined(Pool& pool, const Samples& in, size_t n, Steps steps,
                                  const std::function<void()>& before_work, ChainTimes* times) {
  if (n < 2 || in.size() != n || !in.is_dense() || in.ndim() == kMaxDims || in.bytes() >= kParallelFromBytes)
    return std::nullopt;
  std::vector<std::shared_ptr<const Step>> joined;
  joined.reserve(steps.size());
  for (const auto& step : steps) {
    joined.push_back(step->joined(n, in.shape(0)));
    if (!joined.back()) return std::nullopt;
  }
  const ChainResult made = run_chain(pool, in.joined(), 1, joined, before_work, OnFailure::stop, times);
  return made.samples ? std::optional(made.samples->parted()) : std::nullopt;
}

// Big inputs first, so that no worker is left with the longest image at the end.
std::vector<size_t> largest_first(const Samples& in) {
  std::vector<size_t> order(in.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return in.shape(a).volume() > in.shape(b).volume(); });
  return order;
}

// What each step will make of each sample. Where all steps tell the same of samples that are alike, the first stands
// for all: of small samples, foretelling takes as long as the work. Threads share what takes long: 64 headers of files
// that are not in the caches take 100 us, during which 64 cores could do a tenth of their work on the batch.
class Foretold {
 public:
  Foretold(Pool& pool, const Samples& in, size_t n, Steps steps, Failures& failures) : n_(n), steps_(steps) {
    if (in.is_dense() && std::all_of(steps.begin(), steps.end(), [](const auto& s) { return s->infers_alike(); })) {
      specs_.resize(steps.size());
      Failures of_first;
      foretell(in, 0, of_first);
      if (of_first.none()) return;
    }
    specs_.resize(n * steps.size());
    known_.resize(n);
    // Waking a few threads takes as long as they save: one thread takes all then.
    constexpr int kManyThreads = 8;
    constexpr size_t kAtOnce = 4;
    const auto one = [&](size_t i, Scratch&) { known_[i] = foretell(in, i, failures); };
    pool.for_each(n, one, pool.threads() < kManyThreads ? n : kAtOnce, Pool::Wake::if_long);
  }

  bool is_known(size_t sample) const { return known_.empty() || known_[sample]; }
  const Spec* of(size_t sample) const { return specs_.data() + (known_.empty() ? 0 : sample * steps_.size()); }
  const std::vector<Spec>& all() const { return specs_; }

  /// Memory for what a step makes; for samples of one shape, as most are, no list of shapes is made.
  Samples room_for(size_t step) const {
    const size_t good = std::find(known_.begin(), known_.end(), true) - known_.begin();
    const Spec model = of(good)[step];
    if (known_.empty()) return Samples::empty(model.dtype, n_, model.shape);
    const auto shape_of = [&](size_t i) { return known_[i] ? of(i)[step].shape : Shape{model.shape.ndim, {}}; };
    size_t equal = 0;
    while (equal < n_ && shape_of(equal) == model.shape) ++equal;
    if (equal == n_) return Samples::empty(model.dtype, n_, model.shape);
    std::vector<Shape> shapes;
    shapes.reserve(n_);
    for (size_t i = 0; i < n_; ++i) shapes.push_back(shape_of(i));
    return Samples::empty(model.dtype, model.shape.ndim, std::move(shapes));
  }

 private:
  bool foretell(const Samples& in, size_t sample, Failures& failures) {
    bool is_known = false;
    failures.guard(sample, [&](size_t& step) {
      const ConstView data = in.const_view(in.size() == 1 ? 0 : sample);
      Spec spec{data.dtype, data.shape};
      for (step = 0; step < steps_.size(); ++step) {
        specs_[(known_.empty() ? 0 : sample * steps_.size()) + step] = spec =
            steps_[step]->infer(sample, spec, step ? ConstView{} : data);
        require_addressable(spec.shape, spec.dtype);
      }
      is_known = true;
    });
    return is_known;
  }

  size_t n_;
  Steps steps_;
  std::vector<Spec> specs_;
  std::vector<char> known_;  // by sample; none where the first stands for all
};

// Sample by sample, each through all steps.
ChainResult run_each(Pool& pool, const Samples& in, size_t n, Steps steps, std::span<const size_t> kept,
                     const std::function<void()>& before_work, OnFailure on_failure, ChainTimes* times) {
  if (times) times->begin(n);
  const bool has_work = in.bytes() >= kWorkFromBytes;
  if (has_work) before_work();
  Failures failures;
  const auto input = [&](size_t i) { return in.const_view(in.size() == 1 ? 0 : i); };
  const Foretold foretold(pool, in, n, steps, failures);
  const auto is_lost = [&] { return failures.count() == n || (!failures.none() && on_failure == OnFailure::stop); };
  if (is_lost()) return {std::nullopt, failures.sorted(), {}};

  Samples out = foretold.room_for(steps.size() - 1);
  KeptResults kept_results;
  for (const size_t step : kept) kept_results.add(step, foretold.room_for(step));

  if (!has_work && std::any_of(foretold.all().begin(), foretold.all().end(), [&](const Spec& spec) {
        return static_cast<int64_t>(n) * spec.shape.volume() * item_bytes(spec.dtype) >= kWorkFromBytes;
      }))
    before_work();
  // What other steps left for the last one is in the caches already.
  const Step& last = *steps[last_writing(steps, 0)];
  const int64_t fresh = steps.size() == 1 ? in.bytes() : 0;
  const bool past_caches = out.bytes() + last.reads_once(fresh, out.bytes()) > kPastCachesFromBytes;
  if (times) times->prepared();
  const int64_t sample_bytes = in.is_dense() && in.size() == n ? in.bytes() / static_cast<int64_t>(n) : 0;
  const bool fetches = sample_bytes <= kFetchedSampleBytes && in.bytes() >= kFetchedFromBytes;
  const auto work = [&](size_t place, size_t i, Scratch& scratch) {
    if (!foretold.is_known(i)) return;
    if (fetches && i + 1 < n) prefetch_row(in.data(i + 1), sample_bytes);
    const Timed timed(times, place, i, scratch);
    // When so few are left, threads run out of samples.
    scratch.spare_threads = n - place < static_cast<size_t>(pool.threads()) ? &pool : nullptr;
    failures.guard(i, [&](size_t& step) {
      if (steps.size() == 1) return run_step(i, out.view(i), input(i), *steps[0], past_caches, scratch);
      run_sample(i, out.view(i), input(i), steps, foretold.of(i), kept_results, past_caches, step, scratch);
    });
    scratch.spare_threads = nullptr;
  };
  if (std::max(out.bytes(), in.bytes()) < kParallelFromBytes) {
    const ScratchUse scratch;
    for (size_t i = 0; i < n; ++i) work(i, i, scratch);
  } else if (in.is_dense() || in.size() != n) {
    const int64_t made_bytes = out.bytes() / static_cast<int64_t>(n);
    const auto each = [&](size_t i, Scratch& scratch) { work(i, i, scratch); };
    const size_t at_once = pool.at_once(n, sample_bytes + made_bytes);
    pool.for_each(n, each, at_once, at_once > 1 ? Pool::Wake::if_long : Pool::Wake::at_once);
  } else {
    const std::vector<size_t> order = largest_first(in);
    pool.for_each(n, [&](size_t k, Scratch& scratch) { work(k, order[k], scratch); });
  }
  if (is_lost()) return {std::nullopt, failures.sorted(), {}};
  return {std::move(out), failures.sorted(), kept_results.take()};
}

}  // namespace

ChainResult run_chain(Pool& pool, const Samples& in, size_t n, Steps steps, const std::function<void()>& before_work,
                      OnFailure on_failure, ChainTimes* times) {
  if (n == 0) return {};
  if (std::optional<Samples> made = run_joined(pool, in, n, steps, before_work, times))
    return {std::move(made), {}, {}};
  return run_each(pool, in, n, steps, {}, before_work, on_failure, times);
}

ChainResult run_chain_keeping(Pool& pool, const Samples& in, size_t n, Steps steps, std::span<const size_t> kept,
                              const std::function<void()>& before_work, ChainTimes* times) {
  for (size_t i = 0; i < n; ++i)
    if (std::any_of(steps.begin(), steps.end(), [i](const auto& step) { return hands_on(*step, i); })) return {};
  return n == 0 ? ChainResult{} : run_each(pool, in, n, steps, kept, before_work, OnFailure::stop, times);
}

}  // namespace penstock
