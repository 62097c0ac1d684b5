// Finding chains among calls that wait to be run, as the calls of a loop's step mostly are.
#include "bind/runtime/value_class.h"
#include "memory/samples.h"

namespace penstock {
namespace {

class ChainFinder {
 public:
  ChainFinder(nb::handle call, nb::handle port)
      : port_(nb::borrow(port)),
        node_(port, "node"),
        memo_(call, "memo"),
        policy_(call, "policy"),
        device_(call, "device"),
        batch_size_(call, "batch_size"),
        inputs_(call, "inputs"),
        tensors_(call, "tensors"),
        outputs_(call, "outputs"),
        error_(call, "error"),
        consumers_(call, "consumers"),
        handles_(call, "handles") {}

  nb::object memos(nb::list calls) const {
    const size_t n = calls.size();
    nb::list found;
    for (size_t k = 0; k < n; ++k) {
      const nb::object call = calls[k], memo = memo_.get(call);
      if (memo.is_none() || !policy_.get(call).is_none() || !is_number(device_.get(call), Samples::kHost) ||
          is_done(call) || !is_fed_by(call, k ? nb::handle(calls[k - 1]) : nb::handle()))
        return nb::none();
      if (k + 1 < n && (!is_number(consumers_.get(call), 1) || is_held(call))) return nb::none();
      found.append(memo);
    }
    return nb::tuple(found);
  }

 private:
  static bool is_number(const nb::object& value, long number) { return PyLong_AsLong(value.ptr()) == number; }

  bool is_done(nb::handle call) const { return !outputs_.get(call).is_none() || !error_.get(call).is_none(); }

  // Whether a call that has not run makes this operand.
  bool is_pending(nb::handle operand) const {
    if (reinterpret_cast<PyObject*>(Py_TYPE(operand.ptr())) != port_.ptr()) return false;
    return outputs_.get(node_.get(operand)).is_none();
  }

  // Whether `feeder` alone is waited for, as first input of a batch of as many samples; without one, nothing is.
  bool is_fed_by(nb::handle call, nb::handle feeder) const {
    const nb::object inputs = inputs_.get(call), tensors = tensors_.get(call);
    const Py_ssize_t n = PyList_Size(inputs.ptr());
    if (feeder.is_valid()) {
      const nb::handle first = n ? PyList_GetItem(inputs.ptr(), 0) : nullptr;
      if (!first.is_valid() || !is_pending(first) || !node_.get(first).is(feeder)) return false;
      if (!batch_size_.get(call).equal(batch_size_.get(feeder))) return false;
    }
    for (Py_ssize_t k = feeder.is_valid(); k < n; ++k)
      if (is_pending(PyList_GetItem(inputs.ptr(), k))) return false;
    for (auto [name, operand] : nb::borrow<nb::dict>(tensors))
      if (is_pending(operand)) return false;
    return true;
  }

  bool is_held(nb::handle call) const {
    for (nb::handle handle : nb::borrow<nb::list>(handles_.get(call)))
      if (!handle().is_none()) return true;
    return false;
  }

  nb::object port_;
  SlotMember node_;
  SlotMember memo_, policy_, device_, batch_size_, inputs_, tensors_, outputs_, error_, consumers_, handles_;
};

}  // namespace

void bind_call_chain(nb::module_& m) {
  nb::class_<ChainFinder>(m, "ChainFinder", "Finds calls that are a chain.")
      .def(nb::init<nb::handle, nb::handle>(), nb::arg("call"), nb::arg("port"),
           nb::sig("def __init__(self, call: type, port: type) -> None"))
      .def(
          "memos", &ChainFinder::memos, nb::arg("calls"),
          nb::sig("def memos(self, calls: list[typing.Any]) -> tuple[typing.Any, ...] | None"),
          "The memos of calls each of which feeds the next, and nothing else; None for others, and where they wait for "
          "calls that are not among them.");
}

}  // namespace penstock
