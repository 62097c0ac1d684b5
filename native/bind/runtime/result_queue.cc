// Results that a background thread makes ahead: the queue between it and their consumers, see engine/lookahead.py.
//
// The interpreter lock guards all state: every method holds it, except while it waits. So the queue has no mutex, which
// a forked child could inherit locked. Where there is no such lock, a critical section of the interpreter's, which is
// left while a thread waits as well, takes its place. Python code runs only in `make`, in handlers of signals while a
// consumer waits, and when results are destroyed, which comes after everything else.
#include <nanobind/nanobind.h>  // has Python.h, which pythread.h needs
#include <pythread.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <utility>

#include "bind/runtime/collected.h"
#include "bind/runtime/raised.h"
#include "bind/runtime/value_class.h"
#include "kernels/step_clock.h"

namespace penstock {
namespace {

// Whether the thread of a queue asks Python before it makes a result that nobody waits for.
std::atomic<bool> memory_is_limited{false};

// Wakes one waiting thread. It is a lock of the interpreter's: waiting for it ends at signals, and forks do it no harm.
class WakeUp {
 public:
  WakeUp() : lock_(PyThread_allocate_lock()) {
    if (!lock_) throw std::bad_alloc();
    PyThread_acquire_lock(lock_, NOWAIT_LOCK);
  }
  ~WakeUp() {
    if (!is_set_) PyThread_release_lock(lock_);
    PyThread_free_lock(lock_);
  }
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;

  void set() {
    if (std::exchange(is_set_, true)) return;
    PyThread_release_lock(lock_);
  }

  /// Waits until it is set, not longer than `most_us` unless that is negative, or until a signal comes. Signals of the
  /// moment between waking up and taking the interpreter lock need no second wait: what they tell is seen then.
  void wait(int64_t most_us = -1) {
    PyLockStatus status;
    {
      GilRelease release;
      status = PyThread_acquire_lock_timed(lock_, most_us, 1);
    }
    if (status == PY_LOCK_ACQUIRED) is_set_ = false;
  }

 private:
  PyThread_type_lock lock_;
  bool is_set_ = false;
};

struct Result {
  nb::object value;  // or the exception that `make` raised
  bool failed;
  int64_t made_ns;
};

// The interpreter may end the calling thread inside of the function, see bind/gil.h.
PyObject* called(const nb::object& function) {
  return unless_ended([&] { return PyObject_CallNoArgs(function.ptr()); });
}

// What the queue and its thread share. The thread keeps no Python object of it alive, see `ResultQueue`.
class QueueState {
 public:
  QueueState(nb::object make, int64_t first, nb::object is_exiting, std::string name)
      : make_(std::move(make)),
        is_exiting_(std::move(is_exiting)),
        name_(std::move(name)),
        first_(first),
        next_(first),
        end_(first),
        awaited_(first) {}

  /// What a critical section is entered for.
  nb::handle guarded_by() const { return guard_; }

  void ask_for(int64_t end) {
    end_ = std::max(end_, end);
    if (next_ < end_) wake_worker();
  }

  nb::object look(int64_t number, int64_t depth) {
    ask_for(number + 1 + depth);
    return wait_for(number);
  }

  nb::object look_or_make(int64_t number, int64_t depth) {
    make_if_next(number);
    return look(number, depth);
  }

  nb::object take_or_make(int64_t depth) {
    for (;;) {
      const int64_t number = first_;
      make_if_next(number);
      ask_for(number + 1 + depth);
      if (number >= next_) wait_until_made(number);
      if (!has(number)) continue;  // another thread has taken it meanwhile
      const Result taken = std::move(results_.front());
      pop_front();
      return valid(taken);
    }
  }

  void drop(int64_t before) {
    std::deque<Result> dropped;
    while (first_ < before && !results_.empty()) {
      dropped.push_back(std::move(results_.front()));
      pop_front();
    }
  }

  /// The number of the result that `take_or_make` takes next.
  int64_t first() const { return first_; }

  size_t count_from(int64_t number) const {
    return static_cast<size_t>(std::max<int64_t>(next_ - std::max(number, first_), 0));
  }

  nb::object made_at(int64_t number) {
    return has(number) ? nb::object(nb::float_(1e-9 * static_cast<double>(at(number).made_ns))) : nb::none();
  }

  bool is_making() const { return maker_ && maker_ == PyThread_get_thread_ident(); }

  /// Makes results in the calling thread until the queue is stopped. Returns false then, and true where a result is to
  /// be made while memory is limited.
  bool work() {
    while (!stopping_) {
      if (next_ >= end_ || maker_)
        sleep(-1);
      else if (memory_is_limited)
        return true;
      else
        make_next();
    }
    return false;
  }

  void make_next() {
    const nb::object make = make_;
    if (!make.is_valid() || maker_) return;
    maker_ = PyThread_get_thread_ident();
    PyObject* const value = called(make);
    const bool failed = !value;
    Result result{failed ? raised() : nb::steal(value), failed, wall_ns()};
    maker_ = 0;
    if (make_.is_valid()) store(std::move(result));  // else the owner is gone
  }

  void sleep(int64_t most_us) {
    sleeping_ = true;
    wake_up_.wait(most_us);
    sleeping_ = false;
  }

  bool is_awaited() const { return next_ < awaited_; }

  void stop() {
    stopping_ = true;
    wake_worker();
  }

  void end() {
    ended_ = true;
    wake_consumers();
  }

  void clear() {
    const std::deque<Result> dropped = std::exchange(results_, {});
    first_ = next_;
  }

  void abandon() {
    const nb::object make = std::move(make_);
    stop();
    clear();
  }

  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(make_.ptr());
    for (const Result& result : results_) Py_VISIT(result.value.ptr());
    return 0;
  }

 private:
  Result& at(int64_t number) { return results_[static_cast<size_t>(number - first_)]; }
  bool has(int64_t number) const { return first_ <= number && number < next_; }

  void pop_front() {
    results_.pop_front();
    ++first_;
  }

  // In the thread of a consumer, unless another thread has made that result or begun to.
  void make_if_next(int64_t number) {
    if (number != next_ || number == left_ || maker_ || !make_.is_valid()) return;
    const nb::object make = make_;
    maker_ = PyThread_get_thread_ident();
    PyObject* const value = called(make);
    maker_ = 0;
    if (!value) {
      left_ = number;
      wake_worker();
      throw nb::python_error();
    }
    store({nb::steal(value), false, wall_ns()});
  }

  // The value of a result; throws what `make` raised instead.
  static nb::object valid(const Result& result) {
    if (!result.failed) return result.value;
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(result.value.ptr())), result.value.ptr());
    throw nb::python_error();
  }

  void store(Result result) {
    results_.push_back(std::move(result));
    ++next_;
    wake_consumers();
  }

  void wake_worker() {
    if (sleeping_) wake_up_.set();
  }
  void wake_consumers() {
    for (const std::shared_ptr<WakeUp>& each : waiting_) each->set();
  }

  /// The result with that number, which must have been asked for; None where it has been dropped.
  nb::object wait_for(int64_t number) {
    if (number >= next_) wait_until_made(number);
    return has(number) ? valid(at(number)) : nb::none();
  }

  bool is_exiting() const {
    PyObject* const exiting = called(is_exiting_);
    throw_if(!exiting);
    return nb::cast<bool>(nb::steal(exiting));
  }

  void wait_until_made(int64_t number) {
    if (is_making()) throw std::runtime_error(name_ + " was asked for a result by the call that makes it");
    awaited_ = std::max(awaited_, number + 1);
    wake_worker();
    const auto own = std::make_shared<WakeUp>();  // the interpreter may end this thread while it waits
    waiting_.push_back(own);
    try {
      while (number >= next_) {
        if (ended_ && !is_exiting())
          throw std::runtime_error(name_ + " was stopped while something was still wanted of it");
        own->wait();
        throw_if(PyErr_CheckSignals() != 0);
      }
    } catch (...) {
      std::erase(waiting_, own);
      throw;
    }
    std::erase(waiting_, own);
  }

  nb::object make_, is_exiting_;
  nb::list guard_;
  std::string name_;
  std::deque<Result> results_;  // those with numbers from `first_` to `next_`
  int64_t first_, next_;        // the latter is made next
  int64_t end_;                 // results with lower numbers are wanted
  int64_t awaited_;             // somebody waits for those below: they are made whatever memory is left
  int64_t left_ = -1;           // a result that a consumer failed to make: the queue's own thread does
  unsigned long maker_ = 0;     // the thread that is making a result
  bool sleeping_ = false;       // the queue's own thread waits for work
  bool stopping_ = false, ended_ = false;
  WakeUp wake_up_;                                // of the queue's own thread
  std::vector<std::shared_ptr<WakeUp>> waiting_;  // consumers
};

// Use of a queue by one thread, see above.
struct QueueUse {
  QueueState* operator->() const { return &state; }

  QueueState& state;
  nb::ft_object_guard guard{state.guarded_by()};
};

// The side of the thread. While it waits it refers to no results: an exception among them, whose traceback refers to
// the frames of the program, would keep the owner of the queue alive, and the thread would never end.
class QueueWorker {
 public:
  explicit QueueWorker(std::shared_ptr<QueueState> state) : state_(std::move(state)) {}
  QueueUse state() { return {*state_}; }

 private:
  std::shared_ptr<QueueState> state_;
};

// The side of the consumers, which owns the results. The thread is told to stop when it is garbage collected.
class ResultQueue {
 public:
  ResultQueue(nb::object make, int64_t first, nb::object is_exiting, std::string name)
      : state_(std::make_shared<QueueState>(std::move(make), first, std::move(is_exiting), std::move(name))) {}
  ~ResultQueue() { state()->abandon(); }
  ResultQueue(const ResultQueue&) = delete;
  ResultQueue& operator=(const ResultQueue&) = delete;

  QueueUse state() { return {*state_}; }
  QueueWorker worker() const { return QueueWorker(state_); }

  int traverse(visitproc visit, void* arg) const { return state_->traverse(visit, arg); }
  void clear() { state()->abandon(); }

 private:
  std::shared_ptr<QueueState> state_;
};

}  // namespace

void bind_result_queue(nb::module_& m) {
  m.def(
      "limit_memory_ahead", [](bool is_limited) { memory_is_limited = is_limited; }, nb::arg("is_limited"),
      "Whether the threads of queues ask before they make results ahead.");
  nb::class_<QueueWorker>(m, "QueueWorker", "The side of a queue on which results are made.")
      .def(
          "work", [](QueueWorker& worker) { return worker.state()->work(); },
          "Makes results until the queue is stopped, and returns False then; True where one is to be made while memory "
          "is limited.")
      .def(
          "make_next", [](QueueWorker& worker) { worker.state()->make_next(); }, "Makes one result.")
      .def(
          "sleep",
          [](QueueWorker& worker, double seconds) { worker.state()->sleep(static_cast<int64_t>(1e6 * seconds)); },
          nb::arg("seconds"), "Waits so long, or until somebody asks for something.")
      .def_prop_ro(
          "is_awaited", [](QueueWorker& worker) { return worker.state()->is_awaited(); },
          "Whether somebody waits for the next result.")
      .def(
          "stop", [](QueueWorker& worker) { worker.state()->stop(); }, "Has `work` return.")
      .def(
          "end", [](QueueWorker& worker) { worker.state()->end(); },
          "Tells those who wait that nothing comes any more.");
  nb::class_<ResultQueue>(m, "ResultQueue", nb::type_slots(kCollected<ResultQueue>),
                          "Numbered results of calling `make` again and again, kept until they are taken or dropped.")
      .def(nb::init<nb::object, int64_t, nb::object, std::string>(), nb::arg("make"), nb::arg("first"),
           nb::arg("is_exiting"), nb::arg("name"),
           nb::sig("def __init__(self, make: Callable[[], typing.Any], first: int, is_exiting: Callable[[], bool], "
                   "name: str) -> None"))
      .def_prop_ro("worker", &ResultQueue::worker)
      .def(
          "ask_for", [](ResultQueue& queue, int64_t end) { queue.state()->ask_for(end); }, nb::arg("end"),
          "Has all results with numbers below `end` made.")
      .def(
          "look", [](ResultQueue& queue, int64_t number, int64_t depth) { return queue.state()->look(number, depth); },
          nb::arg("number"), nb::arg("depth"), nb::sig("def look(self, number: int, depth: int) -> typing.Any"),
          "Waits for a result, which stays, and has the `depth` results after it made; None for one that is gone. "
          "Raises what `make` raised instead.")
      .def(
          "look_or_make",
          [](ResultQueue& queue, int64_t number, int64_t depth) { return queue.state()->look_or_make(number, depth); },
          nb::arg("number"), nb::arg("depth"), nb::sig("def look_or_make(self, number: int, depth: int) -> typing.Any"),
          "As `look`, but makes a result that nobody has begun in the calling thread, where what `make` raises is "
          "raised; the queue's own thread makes that result then.")
      .def(
          "take_or_make", [](ResultQueue& queue, int64_t depth) { return queue.state()->take_or_make(depth); },
          nb::arg("depth"), nb::sig("def take_or_make(self, depth: int) -> typing.Any"),
          "As `look_or_make` for the first result that is not taken yet, which does not stay. So does not what `make` "
          "raised instead in the thread.")
      .def(
          "drop", [](ResultQueue& queue, int64_t before) { queue.state()->drop(before); }, nb::arg("before"),
          "Drops the results with lower numbers.")
      .def_prop_ro(
          "first", [](ResultQueue& queue) { return queue.state()->first(); },
          "The number of the first result that is neither taken nor dropped.")
      .def(
          "count_from", [](ResultQueue& queue, int64_t number) { return queue.state()->count_from(number); },
          nb::arg("number"), "How many results from that number on are made.")
      .def(
          "made_at", [](ResultQueue& queue, int64_t number) { return queue.state()->made_at(number); },
          nb::arg("number"), nb::sig("def made_at(self, number: int) -> float | None"),
          "When a result was made, on the clock of time.perf_counter(); None for one that is not here.")
      .def_prop_ro(
          "is_making", [](ResultQueue& queue) { return queue.state()->is_making(); },
          "Whether the calling thread is inside of `make`.")
      .def(
          "clear", [](ResultQueue& queue) { queue.state()->clear(); }, "Drops all results.");
}

}  // namespace penstock
