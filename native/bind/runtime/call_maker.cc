// Calls on Tensors and Batches that are like earlier ones, as those of a loop are: the call object and its result are
// made of what is known of the others, without running Python code for each of its parts.
#include "bind/memory/sample_views.h"
#include "bind/runtime/plain_value.h"
#include "bind/runtime/recent_calls.h"
#include "memory/samples.h"

namespace penstock {
namespace {

// An input of a call, or data given as an argument: samples, or a result of a call that has not run yet.
struct Operand {
  nb::object samples;
  nb::object call, index;
  nb::object spec;
};

// What has been read of a call so far.
struct Reading {
  std::vector<Operand> inputs;
  std::vector<std::pair<nb::handle, Operand>> tensors;  // by the names of arguments
  std::vector<NamedArgument> arguments;
  nb::object size = nb::none();  // of the batch
  bool external = false;         // whether some of it is in memory that the program may write to
};

class CallMaker {
 public:
  CallMaker(nb::handle call, nb::handle memo, nb::handle port, nb::handle tensor, nb::handle batch)
      : call_(nb::borrow(call)),
        port_(nb::borrow(port)),
        tensor_(tensor),
        batch_(batch),
        node_(port, "node"),
        index_(port, "index"),
        memo_arguments_(memo, "arguments"),
        memo_specs_(memo, "specs"),
        op_(call, "op"),
        inputs_(call, "inputs"),
        arguments_(call, "arguments"),
        memo_(call, "memo"),
        batch_size_(call, "batch_size"),
        context_(call, "context"),
        device_(call, "device"),
        site_(call, "site"),
        tensors_(call, "tensors"),
        specs_(call, "specs"),
        outputs_(call, "outputs"),
        error_(call, "error"),
        consumers_(call, "consumers"),
        handles_(call, "handles"),
        unset_{SlotMember(call, "numbers"), SlotMember(call, "policy"), SlotMember(call, "words")},
        on_cpu_(nb::int_(Samples::kHost)),
        zero_(nb::int_(0)),
        size_name_(nb::str("batch_size")) {}

  nb::object make(RecentCalls& recent, nb::handle op, nb::tuple inputs, nb::dict keywords, nb::handle context,
                  nb::handle site) const {
    Reading reading;
    if (!read_inputs(reading, inputs, keywords, context) || !read_keywords(reading, keywords, context))
      return nb::none();
    std::vector<nb::handle> specs;
    for (const Operand& input : reading.inputs) specs.push_back(input.spec);
    const nb::object memo = recent.find(reading.arguments, specs);
    if (memo.is_none()) return nb::none();
    const nb::object results = memo_specs_.get(memo);
    if (PyTuple_Size(results.ptr()) != 1) return nb::none();

    const nb::object call = new_object(call_);
    nb::list operands;
    for (const Operand& input : reading.inputs) operands.append(entered(input));
    nb::dict tensors;
    for (const auto& [name, given] : reading.tensors) tensors[name] = entered(given);
    const nb::list handles;
    op_.set(call, op);
    inputs_.set(call, operands);
    tensors_.set(call, tensors);
    arguments_.set(call, memo_arguments_.get(memo));
    memo_.set(call, memo);
    specs_.set(call, results);
    batch_size_.set(call, reading.size);
    context_.set(call, context);
    site_.set(call, site);
    device_.set(call, on_cpu_);
    consumers_.set(call, zero_);
    handles_.set(call, handles);
    outputs_.set(call, nb::none());
    error_.set(call, nb::none());
    for (const SlotMember& member : unset_) member.set(call, nb::none());
    const ValueClass& kind = reading.size.is_none() ? tensor_ : batch_;
    nb::object made = kind.of_call(call, zero_, nb::handle(PyTuple_GetItem(results.ptr(), 0)), reading.size, handles);
    return nb::make_tuple(call, std::move(made), reading.external);
  }

 private:
  static nb::object new_object(nb::handle type) {
    nb::object made = nb::steal(PyType_GenericAlloc(reinterpret_cast<PyTypeObject*>(type.ptr()), 0));
    throw_if(!made.is_valid());
    return made;
  }

  bool read_inputs(Reading& reading, const nb::tuple& inputs, const nb::dict& keywords, nb::handle context) const {
    if (PyObject* const size = PyDict_GetItemWithError(keywords.ptr(), size_name_.ptr())) {
      if (!PyLong_CheckExact(size) || PyLong_AsSsize_t(size) < 0) {
        PyErr_Clear();
        return false;
      }
      reading.size = nb::borrow(size);
    }
    throw_if(PyErr_Occurred());
    reading.inputs.resize(inputs.size());
    for (size_t k = 0; k < inputs.size(); ++k) {
      Operand& read = reading.inputs[k];
      if (!is_value(inputs[k]) || !read_value(reading, read, inputs[k], context)) return false;
      if (k == 0 && read.samples.is_valid() && may_be_planar(nb::cast<const Samples&>(read.samples))) return false;
    }
    return true;
  }

  bool read_keywords(Reading& reading, const nb::dict& keywords, nb::handle context) const {
    for (auto [name, value] : keywords) {
      if (name.is(size_name_) || PyUnicode_Compare(name.ptr(), size_name_.ptr()) == 0) continue;
      if (!is_value(value)) {
        reading.arguments.push_back({name, value});
        continue;
      }
      auto& [argument, given] = reading.tensors.emplace_back(name, Operand{});
      if (!read_value(reading, given, value, context)) return false;
      reading.arguments.push_back({name, given.spec});
    }
    return true;
  }

  bool is_value(nb::handle value) const { return batch_.is_class_of(value) || tensor_.is_class_of(value); }

  // False for what Python code has to look at: other sizes, devices and contexts, and calls that failed.
  bool read_value(Reading& reading, Operand& read, nb::handle value, nb::handle context) const {
    const bool is_batch = batch_.is_class_of(value);
    const ValueClass& kind = is_batch ? batch_ : tensor_;
    if (is_batch && !agrees(reading, kind.size(value))) return false;
    read.samples = kind.samples(value);
    if (read.samples.is_none()) {
      read.call = kind.call(value);
      if (!is_call(read.call) || !error_.get(read.call).is_none()) return false;
      if (outputs_.get(read.call).is_none()) {
        if (!context_.get(read.call).is(context) || !is_on_cpu(device_.get(read.call))) return false;
        read.samples.reset();
        read.index = kind.index(value);
        read.spec = kind.spec(value);
        return true;
      }
      read.samples = made_samples(value, kind, read.call);
    }
    const Samples* samples = nullptr;
    if (!nb::try_cast(read.samples, samples) || !samples || samples->device != Samples::kHost) return false;
    reading.external |= samples->external;
    read.spec = spec(*samples);
    return true;
  }

  // The samples of a result whose call has run, as they are if they are of the type that was foretold; members of an
  // enumeration have to be given theirs. The call is given, as another thread may have the value let go of it.
  nb::object made_samples(nb::handle value, const ValueClass& kind, nb::handle call) const {
    const nb::object outputs = outputs_.get(call);
    PyObject* const made = PyList_GetItem(outputs.ptr(), PyLong_AsSsize_t(kind.index(value).ptr()));
    throw_if(!made);
    const Samples* samples = nullptr;
    if (nb::try_cast(nb::handle(made), samples) && samples && spec(*samples).is(kind.spec(value)))
      return nb::borrow(made);
    return value.attr("_made")();
  }

  static bool agrees(Reading& reading, const nb::object& size) {
    if (reading.size.is_none()) reading.size = size;
    return reading.size.is(size) || PyLong_AsSsize_t(reading.size.ptr()) == PyLong_AsSsize_t(size.ptr());
  }

  bool is_call(nb::handle value) const { return reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())) == call_.ptr(); }

  static bool is_on_cpu(const nb::object& device) { return PyLong_AsLong(device.ptr()) == Samples::kHost; }

  // Images without a layout that have 3 rows may be meant otherwise, of which the program is to be warned.
  static bool may_be_planar(const Samples& samples) {
    if (!samples.layout.empty() || samples.ndim() < 3 || samples.size() == 0) return false;
    const Shape& shape = samples.shape(0);
    return shape.extent[shape.ndim - 3] == 3;
  }

  // What a call refers to: samples, or a port of the call that makes them, which has one more consumer.
  nb::object entered(const Operand& operand) const {
    if (operand.samples.is_valid()) return operand.samples;
    nb::object port = new_object(port_);
    node_.set(port, operand.call);
    index_.set(port, operand.index);
    const nb::object consumers = consumers_.get(operand.call);
    consumers_.set(operand.call, nb::int_(PyLong_AsLong(consumers.ptr()) + 1));
    return port;
  }

  nb::object call_, port_;
  ValueClass tensor_, batch_;
  SlotMember node_, index_;
  SlotMember memo_arguments_, memo_specs_;
  SlotMember op_, inputs_, arguments_, memo_, batch_size_, context_, device_, site_, tensors_, specs_, outputs_, error_,
      consumers_, handles_;
  SlotMember unset_[3];
  nb::object on_cpu_, zero_, size_name_;
};

}  // namespace

void bind_call_maker(nb::module_& m) {
  nb::class_<CallMaker>(m, "CallMaker", "Makes calls that are like earlier ones.")
      .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, nb::handle>(), nb::arg("call"), nb::arg("memo"),
           nb::arg("port"), nb::arg("tensor"), nb::arg("batch"),
           nb::sig("def __init__(self, call: type, memo: type, port: type, tensor: type, batch: type) -> None"))
      .def("make", &CallMaker::make, nb::arg("recent"), nb::arg("op"), nb::arg("inputs"), nb::arg("keywords"),
           nb::arg("context"), nb::arg("site"),
           nb::sig("def make(self, recent: RecentCalls, op: object, inputs: tuple[object, ...], keywords: dict[str, "
                   "typing.Any], context: object, site: object) -> tuple[typing.Any, typing.Any, bool] | None"),
           "A call of an operator, its result, and whether it reads memory that the program may write to. None, with "
           "nothing done, where no call like it was made lately, or where it is on anything but Tensors and Batches of "
           "the CPU's.");
}

}  // namespace penstock
