// The steps of a program, one after the other. Most are like the one before: batches of the same kind for the same
// plan. Those are made here, without Python code of ours around that of the sources; others by
// engine/program/program.py.
#include <deque>

#include "bind/memory/sample_views.h"
#include "bind/runtime/collected.h"
#include "bind/runtime/graph_replay.h"
#include "bind/runtime/items.h"
#include "bind/runtime/python_code.h"
#include "bind/runtime/raised.h"

namespace penstock {
namespace {

// What `kind_of` tells of samples.
struct SamplesKind {
  explicit SamplesKind(const Samples& samples)
      : element(code(samples)), ndim(samples.ndim()), size(samples.size()), layout(samples.layout) {}

  bool is_of(const Samples& samples, bool single) const {
    return element == code(samples) && ndim == samples.ndim() && (single || size == samples.size()) &&
           layout == samples.layout;
  }

  int element, ndim;
  size_t size;
  std::string layout;
};

// A source: the function that fetches its batches, and the numbers of those that it gives to the steps.
struct FetchedSource {
  nb::object fetch(int64_t step) const { return call_python(function, nb::int_(first + step * stride)); }

  nb::object function;
  int64_t first, stride;
  bool background;  // may be fetched from in any thread
};

// The batches of a step that were fetched before it is made, from the sources that only one thread may call. Sources
// keep their batches: what is lost here, after an interrupt for instance, is fetched again.
struct PreparedStep {
  int64_t number;
  std::vector<nb::object> batches;  // by source, not valid for the others
};

// What the batches of a source are like.
class BatchKind {
 public:
  BatchKind(nb::tuple outputs, bool single) : single_(single) {
    for (nb::handle each : outputs) outputs_.emplace_back(nb::cast<const Samples&>(each));
  }

  bool is_of(const nb::object& outputs, bool single) const {
    if (single != single_ || !PyTuple_Check(outputs.ptr())) return false;
    if (PyTuple_Size(outputs.ptr()) != static_cast<Py_ssize_t>(outputs_.size())) return false;
    for (size_t k = 0; k < outputs_.size(); ++k) {
      const nb::handle each = PyTuple_GetItem(outputs.ptr(), static_cast<Py_ssize_t>(k));
      if (!outputs_[k].is_of(nb::cast<const Samples&>(each), single)) return false;
    }
    return true;
  }

 private:
  bool single_;
  std::vector<SamplesKind> outputs_;
};

// A step that was made, by which the next ones are.
struct StepPattern {
  StepPattern(nb::handle step, nb::object followed, std::vector<BatchKind> kinds)
      : like(step, {"position", "behind", "fetched", "given", "results", "error"}),
        position(like.type(), "position"),
        behind(like.type(), "behind"),
        fetched(like.type(), "fetched"),
        given(like.type(), "given"),
        results(like.type(), "results"),
        error(like.type(), "error"),
        batches(std::move(kinds)),
        plans(std::move(followed)),
        plan(step.attr("plan")) {
    if (plan.is_none()) return;
    graph = plan.attr("graph");
    finish = plan.attr("finish");
    pools = plan.attr("context").attr("pools");
  }

  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(plans.ptr());
    Py_VISIT(plan.ptr());
    Py_VISIT(graph.ptr());
    Py_VISIT(finish.ptr());
    Py_VISIT(pools.ptr());
    return like.traverse(visit, arg);
  }

  ObjectTemplate like;
  SlotMember position, behind, fetched, given, results, error;
  std::vector<BatchKind> batches;  // of the sources
  nb::object plans;                // of the program at that time
  nb::object plan;
  nb::object graph, finish, pools;  // of the plan
};

class StepMaker {
 public:
  StepMaker(nb::object program, nb::object make, nb::object failed, nb::object listeners, int64_t number,
            nb::object position)
      : program_(std::move(program)),
        run_(program_.attr("run")),
        advance_(program_.attr("advance")),
        is_last_(program_.attr("is_last")),
        make_(std::move(make)),
        failed_(std::move(failed)),
        next_{number, std::move(position), nullptr},
        prepared_(number) {
    for (nb::handle each : program_.attr("fetches"))
      sources_.push_back(
          {nb::borrow(each[0]), nb::cast<int64_t>(each[1]), nb::cast<int64_t>(each[2]), nb::cast<bool>(each[3])});
    for (nb::handle each : listeners) listeners_.push_back(nb::borrow(each));
  }

  bool prepare(int64_t end) {
    for (;;) {
      PreparedStep step{0, std::vector<nb::object>(sources_.size())};
      {
        const nb::ft_lock_guard lock(mutex_);
        if (ended_ || prepared_ >= end) return !ended_;
        step.number = prepared_;
      }
      for (size_t k = 0; k < sources_.size(); ++k) {
        if (sources_[k].background) continue;
        step.batches[k] = sources_[k].fetch(step.number);
        const nb::object error = error_name_.of(step.batches[k]);
        if (error.is_none() || !nb::cast<bool>(call_python(is_last_, error))) continue;
        const nb::ft_lock_guard lock(mutex_);
        ended_ = true;
        return false;
      }
      const nb::ft_lock_guard lock(mutex_);
      if (prepared_ != step.number) continue;  // a source has had others prepared
      ready_.push_back(std::move(step));
      ++prepared_;
    }
  }

  nb::object make_next() {
    Next next = now();
    std::vector<nb::object> ready = prepared(next.number);
    nb::object step;
    try {
      const nb::object plans = plans_name_.of(program_);
      if (next.pattern && next.pattern->plans.is(plans)) step = repeated(next, std::move(ready));
      if (!step.is_valid()) {
        step = call_python(make_, nb::int_(next.number), next.position);
        next.pattern = pattern_of(step, plans);
      }
    } catch (nb::python_error& error) {
      error.restore();
      const nb::object exception = raised();
      step = call_python(failed_, next.position, exception);
      next.pattern.reset();
      if (step.is_none()) {
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
        throw nb::python_error();
      }
    }
    next.position = behind_name_.of(step);
    ++next.number;
    replace(std::move(next));
    return step;
  }

  int traverse(visitproc visit, void* arg) const {
    for (const FetchedSource& source : sources_) Py_VISIT(source.function.ptr());
    for (const nb::object& each : listeners_) Py_VISIT(each.ptr());
    Py_VISIT(program_.ptr());
    Py_VISIT(run_.ptr());
    Py_VISIT(advance_.ptr());
    Py_VISIT(is_last_.ptr());
    for (const PreparedStep& step : ready_)
      for (const nb::object& batch : step.batches) Py_VISIT(batch.ptr());
    Py_VISIT(make_.ptr());
    Py_VISIT(failed_.ptr());
    Py_VISIT(next_.position.ptr());
    return next_.pattern ? next_.pattern->traverse(visit, arg) : 0;
  }
  void clear() {
    const std::vector<FetchedSource> sources = std::exchange(sources_, {});
    const std::vector<nb::object> listeners = std::exchange(listeners_, {});
    const std::deque<PreparedStep> ready = std::exchange(ready_, {});
    replace({});
    for (nb::object* each : {&program_, &run_, &advance_, &is_last_, &make_, &failed_}) each->reset();
  }

 private:
  // The number of the step that is made next, the position at which it begins, and a step that it may be like.
  struct Next {
    int64_t number;
    nb::object position;
    std::shared_ptr<const StepPattern> pattern;
  };

  // Python code, which runs while a step is made, may make steps, too.
  Next now() const {
    const nb::ft_lock_guard lock(mutex_);
    return next_;
  }
  void replace(Next other) {
    const nb::ft_lock_guard lock(mutex_);
    std::swap(next_, other);
  }

  // The batches that were fetched for a step before it is made; nothing where there are none.
  std::vector<nb::object> prepared(int64_t number) {
    std::vector<PreparedStep> dropped;  // let go without the lock: that may run Python code
    std::vector<nb::object> found;
    const nb::ft_lock_guard lock(mutex_);
    while (!ready_.empty() && ready_.front().number <= number) {
      PreparedStep& first = ready_.front();
      if (first.number == number)
        found = std::move(first.batches);
      else
        dropped.push_back(std::move(first));
      ready_.pop_front();
    }
    return found;
  }

  // A step like the one before; not valid where that is not possible. Sources keep their batches, so that Python code
  // can fetch them again and see what is different.
  nb::object repeated(Next& next, std::vector<nb::object> ready) const {
    const StepPattern& pattern = *next.pattern;
    nb::list fetched;
    nb::object given = sources_.empty() ? nb::object(nb::tuple()) : nb::object();
    for (size_t k = 0; k < sources_.size(); ++k) {
      nb::object batch = ready.empty() || !ready[k].is_valid() ? sources_[k].fetch(next.number) : std::move(ready[k]);
      if (!error_name_.of(batch).is_none()) return {};
      nb::object outputs = outputs_name_.of(batch);
      if (!pattern.batches[k].is_of(outputs, is_single(batch))) return {};
      fetched.append(std::move(batch));
      given = given.is_valid() ? nb::steal(PySequence_Concat(given.ptr(), outputs.ptr())) : std::move(outputs);
      throw_if(!given.is_valid());
    }
    nb::object results = nb::none(), error = nb::none();
    if (!pattern.plan.is_none()) {
      try {
        results = run(pattern, given, next.position);
      } catch (nb::python_error& failed) {
        if (!failed.matches(PyExc_Exception)) throw;
        failed.restore();
        error = raised();
      }
    }
    const nb::object step = pattern.like.make();
    pattern.position.set(step, next.position);
    pattern.behind.set(step, next.position);
    pattern.fetched.set(step, fetched);
    pattern.given.set(step, given);
    pattern.results.set(step, results);
    pattern.error.set(step, error);
    if (!advance_.is_none()) pattern.behind.set(step, call_python(advance_, step));
    if (!error.is_none()) next.pattern.reset();
    return step;
  }

  nb::object run(const StepPattern& pattern, const nb::object& given, const nb::object& position) const {
    if (const nb::object made = replayed(pattern, given); !made.is_none())
      return pattern.finish.is_none() ? made : call_python(pattern.finish, made, given);
    return call_python(run_, pattern.plan, given, position);
  }

  // The finished calls of the plan's graph; None where Python code has to run it.
  nb::object replayed(const StepPattern& pattern, const nb::object& given) const {
    const nb::object replay = replay_name_.of(pattern.graph);
    if (replay.is_none() || !PyList_Size(pattern.pools.ptr())) return nb::none();
    for (const nb::object& each : listeners_)
      if (PyList_Size(each.ptr())) return nb::none();
    nb::object made = nb::none();
    try {
      const nb::object pool = nb::borrow(list_item(pattern.pools, 0));
      made = nb::cast<GraphReplay&>(replay).run(nb::borrow<nb::sequence>(given), nb::cast<Pool&>(pool));
    } catch (const nb::python_error&) {
      throw;
    } catch (const std::exception&) {  // such as too little memory: an error that Python code tells of
    }
    if (made.is_none()) call_python(nb::object(pattern.graph.attr("forget_replay")));
    return made;
  }

  // What steps like this one are made by; nothing where it failed.
  std::shared_ptr<const StepPattern> pattern_of(nb::handle step, const nb::object& plans) const {
    if (!error_name_.of(step).is_none()) return nullptr;
    std::vector<BatchKind> batches;
    for (nb::handle batch : nb::object(step.attr("fetched")))
      batches.emplace_back(nb::cast<nb::tuple>(outputs_name_.of(batch)), is_single(batch));
    if (batches.size() != sources_.size()) return nullptr;
    return std::make_shared<const StepPattern>(step, plans, std::move(batches));
  }

  bool is_single(nb::handle batch) const { return single_name_.of(batch).is(nb::handle(Py_True)); }

  std::vector<FetchedSource> sources_;
  std::vector<nb::object> listeners_;  // lists of those who want to be told of what a graph runs
  nb::object program_, run_, advance_, is_last_;
  nb::object make_, failed_;
  Next next_;
  std::deque<PreparedStep> ready_;
  int64_t prepared_;    // steps with lower numbers are prepared
  bool ended_ = false;  // one of the sources that are called to prepare steps
  mutable nb::ft_mutex mutex_;
  AttributeName plans_name_{"plans"}, behind_name_{"behind"}, error_name_{"error"}, outputs_name_{"outputs"},
      single_name_{"single"}, replay_name_{"replay"};
};

}  // namespace

void bind_step_maker(nb::module_& m) {
  nb::class_<StepMaker>(m, "StepMaker", nb::type_slots(kCollected<StepMaker>),
                        "Makes one step of a program after the other.")
      .def(nb::init<nb::object, nb::object, nb::object, nb::object, int64_t, nb::object>(), nb::arg("program"),
           nb::arg("make"), nb::arg("failed"), nb::arg("listeners"), nb::arg("number"), nb::arg("position").none(),
           nb::sig("def __init__(self, program: object, make: Callable[[int, typing.Any], typing.Any], failed: "
                   "Callable[[typing.Any, BaseException], typing.Any], listeners: Sequence[list[typing.Any]], number: "
                   "int, position: object) -> None"),
           "`make` makes a step that is not like the one before. `failed` is told of an exception: it returns a step "
           "with that, or None to have it raised. Graphs are run by Python code while one of the `listeners` is not "
           "empty.")
      .def("__call__", &StepMaker::make_next, nb::sig("def __call__(self) -> typing.Any"),
           "Makes the next step; the same one again where this was interrupted.")
      .def("prepare", &StepMaker::prepare, nb::arg("end"),
           "Calls the sources that only this thread may call, for all steps with numbers below `end`. Returns False "
           "once "
           "one of them has ended: then there is nothing to prepare any more.");
}

}  // namespace penstock
