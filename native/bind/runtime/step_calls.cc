// Calls of compiled loops: each call that a loop's body makes is compared with the one that was made ahead for that
// place of the step, and its results are wrapped for the program. Every call comes by here, so no Python code is run.
#include "bind/runtime/collected.h"
#include "bind/runtime/items.h"
#include "bind/runtime/plain_value.h"

namespace penstock {
namespace {

// The class of the Batches, or of the Tensors, of compiled loops.
struct CapturedClass : ValueClass {
  explicit CapturedClass(nb::handle type) : ValueClass(type), port(type, "_port"), step(type, "_step") {}

  SlotMember port, step;
};

// There are two of them, and they live as long as the interpreter.
std::vector<const CapturedClass*>& captured_classes() {
  static auto* classes = new std::vector<const CapturedClass*>;
  return *classes;
}
nb::ft_mutex classes_mutex;

const CapturedClass* known_class(nb::handle type) {
  for (const CapturedClass* known : captured_classes())
    if (known->is(type)) return known;
  return nullptr;
}

const CapturedClass* find_class(nb::handle type) {
  const nb::ft_lock_guard lock(classes_mutex);
  return known_class(type);
}

const CapturedClass& class_of(nb::handle type) {
  const nb::ft_lock_guard lock(classes_mutex);
  if (const CapturedClass* known = known_class(type)) return *known;
  captured_classes().push_back(new CapturedClass(type));
  return *captured_classes().back();
}

nb::tuple captured_values(nb::handle type, nb::tuple outputs, nb::object ports, nb::handle step) {
  const CapturedClass& kind = class_of(type);
  const size_t n = outputs.size();
  if (n != nb::len(ports)) throw std::invalid_argument("a port for every output");
  nb::object made = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(n)));
  throw_if(!made.is_valid());
  for (size_t k = 0; k < n; ++k) {
    nb::object value = kind.of_samples(outputs[k]);
    kind.port.set(value, ports[k]);
    kind.step.set(value, step);
    throw_if(PyTuple_SetItem(made.ptr(), static_cast<Py_ssize_t>(k), value.release().ptr()) != 0);
  }
  return nb::borrow<nb::tuple>(made);
}

// What an input or argument of a call must be: a result of the same step, by its port, or a constant of equal value.
class ExpectedValue {
 public:
  explicit ExpectedValue(nb::handle expected) {
    if (!nb::hasattr(expected, "itself")) {
      port_ = nb::borrow(expected);
      return;
    }
    itself_ = expected.attr("itself");
    equals_ = expected.attr("equals");
    nb::object plain = expected.attr("plain");
    if (!plain.is_none()) plain_ = std::move(plain);
  }

  bool is(nb::handle value, nb::handle step) const {
    if (port_.is_valid()) {
      const CapturedClass* const kind = find_class(reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())));
      return kind && kind->port.get(value).is(port_) && kind->step.get(value).is(step);
    }
    if (value.is(itself_)) return true;
    return plain_.is_valid() ? equals_plain(value, plain_) : nb::cast<bool>(equals_(value));
  }

  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(port_.ptr());
    Py_VISIT(itself_.ptr());
    Py_VISIT(plain_.ptr());
    Py_VISIT(equals_.ptr());
    return 0;
  }

 private:
  nb::object port_;                     // of a result
  nb::object itself_, plain_, equals_;  // of a constant, see `ConstantArgument`
};

// A call of a traced loop, as every step makes it.
class CallPattern {
 public:
  CallPattern(nb::object node, nb::object op, nb::list inputs, nb::dict keywords, bool draws, nb::object result_class,
              nb::object batch_size, nb::tuple specs, nb::tuple ports)
      : node_(std::move(node)),
        op_(std::move(op)),
        draws_(draws),
        class_(&class_of(result_class)),
        batch_size_(std::move(batch_size)) {
    for (nb::handle expected : inputs) inputs_.emplace_back(expected);
    for (auto [name, expected] : keywords) keywords_.emplace_back(nb::borrow(name), ExpectedValue(expected));
    for (nb::handle port : ports) {
      const nb::object index = port.attr("index");
      results_.push_back({nb::borrow(port), index, specs[nb::cast<size_t>(index)]});
    }
  }

  nb::handle node() const { return node_; }
  bool draws() const { return draws_; }
  bool is_of(nb::handle op) const { return op_.is(op); }

  bool matches(nb::handle inputs, nb::handle keywords, nb::handle step) const {
    if (PyTuple_Size(inputs.ptr()) != static_cast<Py_ssize_t>(inputs_.size()) ||
        PyDict_Size(keywords.ptr()) != static_cast<Py_ssize_t>(keywords_.size()))
      return false;
    for (size_t k = 0; k < inputs_.size(); ++k)
      if (!inputs_[k].is(PyTuple_GetItem(inputs.ptr(), static_cast<Py_ssize_t>(k)), step)) return false;
    for (const auto& [name, expected] : keywords_) {
      const auto value = find_item(keywords, name);
      if (!value.is_valid() || !expected.is(value, step)) return false;
    }
    return true;
  }

  nb::tuple results(nb::handle step, nb::handle call) const {
    nb::object made = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(results_.size())));
    throw_if(!made.is_valid());
    for (size_t k = 0; k < results_.size(); ++k)
      throw_if(PyTuple_SetItem(made.ptr(), static_cast<Py_ssize_t>(k), result(k, step, call).release().ptr()) != 0);
    return nb::borrow<nb::tuple>(made);
  }

  /// The only result, or all of them as a tuple, as the program gets them.
  nb::object handed(nb::handle step, nb::handle call) const {
    return results_.size() == 1 ? result(0, step, call) : nb::object(results(step, call));
  }

  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(node_.ptr());
    Py_VISIT(op_.ptr());
    Py_VISIT(batch_size_.ptr());
    for (const ExpectedValue& input : inputs_)
      if (const int stop = input.traverse(visit, arg)) return stop;
    for (const auto& [name, expected] : keywords_) {
      Py_VISIT(name.ptr());
      if (const int stop = expected.traverse(visit, arg)) return stop;
    }
    for (const Result& result : results_) {
      Py_VISIT(result.port.ptr());
      Py_VISIT(result.index.ptr());
      Py_VISIT(result.spec.ptr());
    }
    return 0;
  }
  void clear() {
    node_.reset();
    op_.reset();
    batch_size_.reset();
    inputs_.clear();
    keywords_.clear();
    results_.clear();
  }

 private:
  struct Result {
    nb::object port, index, spec;
  };

  nb::object result(size_t k, nb::handle step, nb::handle call) const {
    nb::object made = class_->of_call(call, results_[k].index, results_[k].spec, batch_size_);
    class_->port.set(made, results_[k].port);
    class_->step.set(made, step);
    return made;
  }

  nb::object node_, op_;
  bool draws_;
  const CapturedClass* class_;
  nb::object batch_size_;
  std::vector<ExpectedValue> inputs_;
  std::vector<std::pair<nb::object, ExpectedValue>> keywords_;
  std::vector<Result> results_;
};

// The calls of a step: those that the body is expected to make, in order, and those that it has made so far.
class StepCalls {
 public:
  void begin(nb::object step, nb::list expected, nb::list made_so_far, nb::object known, nb::dict made_ahead) {
    replace({std::move(step), std::move(expected), std::move(made_so_far), std::move(known), std::move(made_ahead), 0});
  }

  /// Whether the calls of the step were those that were expected, in their order.
  bool end() {
    const Step ended = replace({});
    return ended.step.is_valid() && ended.foreseen == PyList_Size(ended.expected.ptr()) &&
           ended.foreseen == PyList_Size(ended.so_far.ptr());
  }

  nb::object next(nb::handle op, nb::tuple inputs, nb::dict keywords) {
    nb::object expected, step, so_far, known, ahead;
    {
      const nb::ft_lock_guard lock(mutex_);
      if (!now_.step.is_valid()) return nb::none();
      const Py_ssize_t place = PyList_Size(now_.so_far.ptr());
      if (place >= PyList_Size(now_.expected.ptr())) return nb::none();
      // Comparing may run Python code, during which another thread may end the step.
      expected = nb::borrow(list_item(now_.expected, place));
      step = now_.step, so_far = now_.so_far, known = now_.known, ahead = now_.ahead;
    }
    const auto& call = nb::cast<const CallPattern&>(expected);
    if (!call.is_of(op) || !call.matches(inputs, keywords, step)) return nb::none();
    const int is_known = PySet_Contains(known.ptr(), call.node().ptr());
    throw_if(is_known < 0);
    if (!is_known) return nb::none();
    const auto made = find_item(ahead, call.node());
    nb::object handed = call.handed(step, made.is_valid() ? nb::handle(made) : nb::handle(Py_None));
    if (call.draws() && !nb::cast<bool>(call.node().attr("pass_draw")(keywords, step))) return nb::none();
    throw_if(PyList_Append(so_far.ptr(), call.node().ptr()) != 0);
    const nb::ft_lock_guard lock(mutex_);
    if (now_.step.is(step)) ++now_.foreseen;
    return handed;
  }

  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(now_.step.ptr());
    Py_VISIT(now_.expected.ptr());
    Py_VISIT(now_.so_far.ptr());
    Py_VISIT(now_.known.ptr());
    Py_VISIT(now_.ahead.ptr());
    return 0;
  }
  void clear() { end(); }

 private:
  struct Step {
    nb::object step, expected, so_far, known, ahead;
    Py_ssize_t foreseen = 0;  // how many calls so far were those that were expected at their places
  };

  // Returns the step before, which is let go without the lock: that may run Python code.
  Step replace(Step other) {
    const nb::ft_lock_guard lock(mutex_);
    std::swap(now_, other);
    return other;
  }

  Step now_;
  nb::ft_mutex mutex_;
};

}  // namespace

void bind_step_calls(nb::module_& m) {
  m.def("captured_values", &captured_values, nb::arg("type"), nb::arg("outputs"), nb::arg("ports"), nb::arg("step"),
        nb::sig("def captured_values(type: type, outputs: tuple[Samples, ...], ports: Sequence[typing.Any], step: "
                "object) -> tuple[typing.Any, ...]"),
        "The outputs of one of a step's sources, as values of the class that is given.");
  nb::class_<CallPattern>(m, "CallPattern", nb::type_slots(kCollected<CallPattern>),
                          "A call of a traced loop: what its inputs and arguments must be, and what its results are.")
      .def(
          nb::init<nb::object, nb::object, nb::list, nb::dict, bool, nb::object, nb::object, nb::tuple, nb::tuple>(),
          nb::arg("node"), nb::arg("op"), nb::arg("inputs"), nb::arg("keywords"), nb::arg("draws"),
          nb::arg("result_class"), nb::arg("batch_size").none(), nb::arg("specs"), nb::arg("ports"),
          nb::sig(
              "def __init__(self, node: object, op: object, inputs: list[typing.Any], keywords: dict[str, typing.Any], "
              "draws: bool, result_class: type, batch_size: int | None, specs: tuple[object, ...], "
              "ports: tuple[object, ...]) -> None"))
      .def("matches", &CallPattern::matches, nb::arg("inputs"), nb::arg("keywords"), nb::arg("step"),
           nb::sig(
               "def matches(self, inputs: tuple[object, ...], keywords: dict[str, typing.Any], step: object) -> bool"),
           "Whether a call of the operator in a step has these inputs and arguments.")
      .def("results", &CallPattern::results, nb::arg("step"), nb::arg("call").none(),
           nb::sig("def results(self, step: object, call: object | None) -> tuple[typing.Any, ...]"),
           "The results of the call in a step. Where `call` is None it is not made before somebody asks.");
  nb::class_<StepCalls>(m, "StepCalls", nb::type_slots(kCollected<StepCalls>),
                        "The calls that the body of a loop makes in a step, and those that it is expected to make.")
      .def(nb::init<>())
      .def("begin", &StepCalls::begin, nb::arg("step"), nb::arg("expected"), nb::arg("made_so_far"), nb::arg("known"),
           nb::arg("made_ahead"),
           nb::sig("def begin(self, step: object, expected: list[CallPattern], made_so_far: list[typing.Any], known: "
                   "frozenset[typing.Any], made_ahead: dict[typing.Any, typing.Any]) -> None"),
           "Begins a step; the nodes of its calls are appended to `made_so_far`. Nodes that are not in `known` are not "
           "part of its plan.")
      .def("end", &StepCalls::end,
           "Ends the step: no call is expected any more. Returns whether its calls were those that were expected.")
      .def("next", &StepCalls::next, nb::arg("op"), nb::arg("inputs"), nb::arg("keywords"),
           nb::sig("def next(self, op: object, inputs: tuple[object, ...], keywords: dict[str, typing.Any]) -> "
                   "typing.Any"),
           "The result of the call that is expected next, or a tuple of them; None for another call.");
}

}  // namespace penstock
