// Finding the memo of calls that are equal to one, and making their results. Every call does both, so no Python code is
// run.
#include "bind/runtime/recent_calls.h"

#include <algorithm>

#include "bind/runtime/collected.h"
#include "bind/runtime/items.h"
#include "bind/runtime/plain_value.h"

namespace penstock {
namespace {

// Loops make a few kinds of calls of an operator in every step. Other calls are found by their hash.
constexpr size_t kMostRecent = 8;

bool is_builtin(PyObject* value) {
  return PyLong_CheckExact(value) || PyFloat_CheckExact(value) || PyUnicode_CheckExact(value);
}

// Whether an argument is the same, or equal to it by comparisons of the interpreter's own: no other thread may run
// during a search. What it takes for another one is found by its hash.
bool equals_builtin(nb::handle given, nb::handle kept) {
  if (given.is(kept)) return true;
  const auto value = compared(given);
  const bool is_list = PyList_CheckExact(value.ptr());
  if (is_list || PyTuple_CheckExact(value.ptr())) {
    const Py_ssize_t n = is_list ? PyList_Size(value.ptr()) : PyTuple_Size(value.ptr());
    for (Py_ssize_t k = 0; k < n; ++k)
      if (!is_builtin(is_list ? PyList_GetItem(value.ptr(), k) : PyTuple_GetItem(value.ptr(), k))) return false;
  } else if (!is_builtin(value.ptr())) {
    return false;
  }
  return equals_plain(value, kept);
}

nb::tuple values_of(const ValueClass& kind, nb::tuple outputs) {
  nb::object made = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(outputs.size())));
  throw_if(!made.is_valid());
  for (size_t k = 0; k < outputs.size(); ++k)
    throw_if(PyTuple_SetItem(made.ptr(), static_cast<Py_ssize_t>(k), kind.of_samples(outputs[k]).release().ptr()) != 0);
  return nb::borrow<nb::tuple>(made);
}

// Arguments by position, as most calls of a kind name them in the same order, else by name.
nb::handle argument_named(std::span<const NamedArgument> arguments, nb::handle name, size_t place) {
  if (arguments[place].name.is(name)) return arguments[place].value;
  for (const NamedArgument& argument : arguments)
    if (argument.name.is(name) || PyUnicode_Compare(argument.name.ptr(), name.ptr()) == 0) return argument.value;
  return {};
}

nb::object find_call(RecentCalls& recent, nb::dict keywords, nb::list specs) {
  std::vector<NamedArgument> arguments;
  for (auto [name, value] : keywords) arguments.push_back({name, value});
  std::vector<nb::handle> inputs;
  for (nb::handle spec : specs) inputs.push_back(spec);
  return recent.find(arguments, inputs);
}

}  // namespace

nb::object RecentCalls::find(std::span<const NamedArgument> arguments, std::span<const nb::handle> specs) {
  const nb::ft_lock_guard lock(mutex_);
  for (size_t k = 0; k < calls_.size(); ++k)
    if (calls_[k].is(arguments, specs)) {
      std::rotate(calls_.begin(), calls_.begin() + k, calls_.begin() + k + 1);
      return calls_[0].memo;
    }
  return nb::none();
}

void RecentCalls::keep(nb::dict keywords, nb::list specs, nb::object memo) {
  Call call{{}, {}, std::move(memo)}, oldest;
  for (auto [name, value] : keywords) call.keywords.emplace_back(nb::borrow(name), unchanging(value));
  for (nb::handle spec : specs) call.specs.push_back(nb::borrow(spec));
  const nb::ft_lock_guard lock(mutex_);
  if (calls_.size() == kMostRecent) {
    oldest = std::move(calls_.back());
    calls_.pop_back();
  }
  calls_.insert(calls_.begin(), std::move(call));
}

int RecentCalls::traverse(visitproc visit, void* arg) const {
  for (const Call& call : calls_) {
    for (const auto& [name, value] : call.keywords) {
      Py_VISIT(name.ptr());
      Py_VISIT(value.ptr());
    }
    for (const nb::object& spec : call.specs) Py_VISIT(spec.ptr());
    Py_VISIT(call.memo.ptr());
  }
  return 0;
}

// Specs are compared by identity: those of equal data, and those of the results of equal calls, are one object.
bool RecentCalls::Call::is(std::span<const NamedArgument> arguments, std::span<const nb::handle> inputs) const {
  if (arguments.size() != keywords.size() || inputs.size() != specs.size()) return false;
  for (size_t k = 0; k < specs.size(); ++k)
    if (!specs[k].is(inputs[k])) return false;
  for (size_t k = 0; k < keywords.size(); ++k) {
    const nb::handle other = argument_named(arguments, keywords[k].first, k);
    if (!other.is_valid() || !equals_builtin(other, keywords[k].second)) return false;
  }
  return true;
}

void bind_recent_calls(nb::module_& m) {
  nb::class_<RecentCalls>(m, "RecentCalls", nb::type_slots(kCollected<RecentCalls>),
                          "The last kinds of calls of an operator.")
      .def(nb::init<>())
      .def("find", &find_call, nb::arg("keywords"), nb::arg("specs"),
           nb::sig("def find(self, keywords: dict[str, typing.Any], specs: list[typing.Any]) -> typing.Any"),
           "The memo of calls with these constant arguments and input specs; None where there was none lately.")
      .def("keep", &RecentCalls::keep, nb::arg("keywords"), nb::arg("specs"), nb::arg("memo"),
           nb::sig("def keep(self, keywords: dict[str, typing.Any], specs: list[typing.Any], memo: object) -> None"),
           "Keeps the memo of a call whose arguments are constants, or lists or tuples of them.");
  nb::class_<ValueClass>(m, "ValueClass", "The class Tensor or Batch, of which every call makes an object.")
      .def(nb::init<nb::handle>(), nb::arg("type"), nb::sig("def __init__(self, type: type) -> None"))
      .def("of_outputs", &values_of, nb::arg("outputs"),
           nb::sig("def of_outputs(self, outputs: tuple[Samples, ...]) -> tuple[typing.Any, ...]"),
           "A value for each of the outputs of a reader.")
      .def("of_samples", &ValueClass::of_samples, nb::arg("samples"),
           nb::sig("def of_samples(self, samples: Samples) -> typing.Any"), "A value of samples that are there.")
      .def("of_call",
           nb::overload_cast<nb::handle, nb::handle, nb::handle, nb::handle, nb::handle>(&ValueClass::of_call,
                                                                                         nb::const_),
           nb::arg("call"), nb::arg("index"), nb::arg("spec"), nb::arg("size").none(), nb::arg("handles"),
           nb::sig("def of_call(self, call: object, index: int, spec: object, size: int | None, handles: "
                   "list[typing.Any]) -> typing.Any"),
           "A result of a call that may not have run yet; a weak reference to it is added to `handles`.");
}

}  // namespace penstock
