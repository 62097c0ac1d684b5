#include "runtime/chain.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <numeric>
#include <stdexcept>

namespace penstock {
namespace {

// Waking the workers costs about 10 us; below this much output one thread is faster.
constexpr int64_t kParallelFromBytes = 128 << 10;

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

 private:
  void note(Failure failure) {
    std::lock_guard lock(mutex_);
    found_.push_back(std::move(failure));
  }
  std::mutex mutex_;
  std::vector<Failure> found_;
};

void run_sample(size_t sample, View out, ConstView in, Steps steps, size_t& step, Scratch& scratch) {
  Spec spec{in.dtype, in.shape};
  for (step = 0; step + 1 < steps.size(); ++step) {
    spec = steps[step]->infer(sample, spec, step ? ConstView{} : in);
    View between{nullptr, spec.dtype, spec.shape};
    between.data = scratch.bytes(step % 2 ? kChainPong : kChainPing, between.bytes());
    steps[step]->run(sample, between, in, scratch);
    in = {between.data, between.dtype, between.shape};
  }
  steps[step]->run(sample, out, in, scratch);
}

// Big inputs first, so that no worker is left with the longest image at the end.
std::vector<size_t> largest_first(const Samples& in, size_t n) {
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (in.size() == n && !in.is_dense())
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return in.shape(a).volume() > in.shape(b).volume(); });
  return order;
}

}  // namespace

ChainResult run_chain(Pool& pool, const Samples& in, size_t n, Steps steps) {
  Failures failures;
  const auto input = [&](size_t i) { return in.const_view(in.size() == 1 ? 0 : i); };
  std::vector<Spec> specs(n);
  for (size_t i = 0; i < n; ++i)
    failures.guard(i, [&](size_t& step) {
      ConstView data = input(i);
      Spec spec{data.dtype, data.shape};
      for (step = 0; step < steps.size(); ++step) spec = steps[step]->infer(i, spec, step ? ConstView{} : data);
      specs[i] = spec;
    });
  if (!failures.none()) return {std::nullopt, failures.sorted()};
  if (n == 0) return {std::nullopt, {}};

  std::vector<Shape> shapes(n);
  for (size_t i = 0; i < n; ++i) shapes[i] = specs[i].shape;
  Samples out = Samples::empty(specs[0].dtype, specs[0].shape.ndim, std::move(shapes));

  const auto work = [&](size_t i, Scratch& scratch) {
    failures.guard(i, [&](size_t& step) { run_sample(i, out.view(i), input(i), steps, step, scratch); });
  };
  if (std::max(out.bytes(), in.bytes()) < kParallelFromBytes) {
    for (size_t i = 0; i < n; ++i) work(i, thread_scratch());
  } else {
    const std::vector<size_t> order = largest_first(in, n);
    pool.for_each(n, [&](size_t k, Scratch& scratch) { work(order[k], scratch); });
  }
  if (!failures.none()) return {std::nullopt, failures.sorted()};
  return {std::move(out), {}};
}

}  // namespace penstock
