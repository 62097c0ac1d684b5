// Finding chains among calls that wait to be run, as the calls of a loop's step mostly are, and running those that are
// like one that has run.
#include "bind/runtime/items.h"
#include "bind/runtime/native_chain.h"
#include "bind/runtime/python_code.h"

namespace penstock {
namespace {

class ChainFinder {
 public:
  ChainFinder(nb::handle call, nb::handle memo, nb::handle port)
      : port_(nb::borrow(port)),
        node_(port, "node"),
        index_(port, "index"),
        choices_(memo, "choices"),
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

  /// Runs a chain of calls with these memos; false where its steps are not known, and where that fails.
  bool run(nb::list calls, nb::tuple memos, Pool& pool) const {
    const size_t n = calls.size();
    if (!n || memos.size() != n) throw std::invalid_argument("a memo for every call");
    const auto kept = find_item(choices_.get(memos[n - 1]), memos);
    if (!kept.is_valid() || kept.is_none()) return false;
    const nb::object chain = chain_.of(kept);
    const nb::object first = calls[0], last = calls[n - 1], samples = samples_for(first), size = batch_size_.get(first);
    if (chain.is_none() || !samples.is_valid()) return false;
    std::optional<Samples> made;
    try {
      const auto& in = nb::cast<const Samples&>(samples);
      if (in.is_elsewhere()) return false;
      made = nb::cast<const NativeChain&>(chain).run(in, size.is_none() ? 1 : nb::cast<size_t>(size), pool, nullptr);
    } catch (const nb::python_error&) {
      throw;
    } catch (const std::exception&) {  // such as too little memory: Python code, which runs it again, tells of it
    }
    if (!made) return false;
    nb::list outputs;
    outputs.append(nb::cast(std::move(*made)));
    outputs_.set(last, outputs);
    inputs_.set(last, nb::list());
    tensors_.set(last, nb::dict());
    return true;
  }

 private:
  // What the first input of a call is; not valid where there is none, or it has not been made.
  nb::object samples_for(nb::handle call) const {
    const nb::object inputs = inputs_.get(call);
    if (!PyList_Size(inputs.ptr())) return {};
    const nb::object operand = nb::borrow(list_item(inputs, 0));
    if (reinterpret_cast<PyObject*>(Py_TYPE(operand.ptr())) != port_.ptr()) return operand;
    const nb::object outputs = outputs_.get(node_.get(operand));
    return outputs.is_none() ? nb::object() : nb::object(outputs[index_.get(operand)]);
  }

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
  SlotMember node_, index_;
  SlotMember choices_;
  AttributeName chain_{"chain"};
  SlotMember memo_, policy_, device_, batch_size_, inputs_, tensors_, outputs_, error_, consumers_, handles_;
};

}  // namespace

void bind_call_chain(nb::module_& m) {
  nb::class_<ChainFinder>(m, "ChainFinder", "Finds calls that are a chain, and runs them.")
      .def(nb::init<nb::handle, nb::handle, nb::handle>(), nb::arg("call"), nb::arg("memo"), nb::arg("port"),
           nb::sig("def __init__(self, call: type, memo: type, port: type) -> None"))
      .def(
          "memos", &ChainFinder::memos, nb::arg("calls"),
          nb::sig("def memos(self, calls: list[typing.Any]) -> tuple[typing.Any, ...] | None"),
          "The memos of calls each of which feeds the next, and nothing else; None for others, and where they wait for "
          "calls that are not among them.")
      .def("run", &ChainFinder::run, nb::arg("calls"), nb::arg("memos"), nb::arg("pool"),
           nb::sig("def run(self, calls: list[typing.Any], memos: tuple[typing.Any, ...], pool: Pool) -> bool"),
           "Runs a chain with these memos as one of native steps, if one like it was; returns whether that was done.");
}

}  // namespace penstock
