// The batches that a reader has read ahead, as the program and compiled loops get them. Nearly all batches are whole
// and without bad samples; those are looked up and prepared for their hand-over here, by one call. For all others
// readers/core/prefetch.py does it.
#include <algorithm>

#include "bind/runtime/collected.h"
#include "bind/runtime/python_code.h"

namespace penstock {
namespace {

nb::object member(nb::handle named_tuple, Py_ssize_t k) {
  PyObject* const found = PyTuple_GetItem(named_tuple.ptr(), k);
  throw_if(!found);
  return nb::borrow(found);
}

int64_t number_in(nb::handle named_tuple, Py_ssize_t k) { return nb::cast<int64_t>(member(named_tuple, k)); }

// Members of `ReaderPosition`, `FetchedBatch` and `ReadBatch`.
enum Place : Py_ssize_t { kEpoch, kPosition, kNumber, kRest };
enum Fetched : Py_ssize_t { kBatch, kBehind };
enum Batch : Py_ssize_t { kOutputs, kTaken, kBad, kSkipped };

class BatchQueue {
 public:
  BatchQueue(nb::object look, nb::object drop, nb::object thread, nb::list listeners, int64_t depth,
             nb::object handed_class)
      : look_(std::move(look)),
        drop_(std::move(drop)),
        thread_(std::move(thread)),
        listeners_(std::move(listeners)),
        handed_class_(std::move(handed_class)),
        depth_(depth) {}

  nb::object fetch(nb::handle place, int64_t number) const {
    const nb::object next = member(place, kNumber);
    if (!member(place, kRest).is_none() || nb::cast<int64_t>(next) > number || PyList_Size(listeners_.ptr()) ||
        !running_.of(thread_).is(nb::handle(Py_True)))
      return nb::none();
    call_python(drop_, next);
    return call_python(look_, nb::int_(number), nb::int_(depth_));
  }

  nb::object next(nb::handle place, int64_t left, nb::handle keeper) const {
    const nb::object fetched = fetch(place, number_in(place, kNumber));
    if (fetched.is_none()) return fetched;
    const nb::object batch = member(fetched, kBatch);
    if (!PyTuple_Check(batch.ptr())) return nb::none();  // an exception
    if (PyList_Size(member(batch, kBad).ptr()) || number_in(batch, kSkipped)) return nb::none();
    const int64_t still = std::max<int64_t>(left - number_in(batch, kTaken), 0);
    nb::list claim;
    claim.append(nb::none());
    const nb::object behind =
        named_tuple(place.type(), nb::int_(number_in(place, kEpoch) + (still == 0)), member(fetched, kBehind),
                    nb::int_(number_in(place, kNumber) + 1), nb::none(), nb::int_(still), claim);
    return named_tuple(handed_class_, batch, keeper, place, behind);
  }

  // An error among the batches may refer to frames of the program, and these to the reader.
  int traverse(visitproc visit, void* arg) const {
    return visit_all({&look_, &drop_, &thread_, &listeners_, &handed_class_}, visit, arg);
  }
  void clear() {
    for (nb::object* each : {&look_, &drop_, &thread_, &listeners_, &handed_class_}) each->reset();
  }

 private:
  nb::object look_, drop_, thread_, listeners_, handed_class_;
  int64_t depth_;
  AttributeName running_{"running"};
};

}  // namespace

void bind_batch_queue(nb::module_& m) {
  nb::class_<BatchQueue>(m, "BatchQueue", nb::type_slots(kCollected<BatchQueue>),
                         "Batches that were read ahead, as they are handed over.")
      .def(nb::init<nb::object, nb::object, nb::object, nb::list, int64_t, nb::object>(), nb::arg("look"),
           nb::arg("drop"), nb::arg("thread"), nb::arg("listeners"), nb::arg("depth"), nb::arg("handed_class"),
           nb::sig("def __init__(self, look: Callable[[int, int], typing.Any], drop: Callable[[int], None], thread: "
                   "object, listeners: list[typing.Any], depth: int, handed_class: type) -> None"),
           "`look` and `drop` are those of a `ResultQueue`, whose `thread` has an attribute `running`.")
      .def("fetch", &BatchQueue::fetch, nb::arg("place"), nb::arg("number"),
           nb::sig("def fetch(self, place: object, number: int) -> typing.Any"),
           "The batch with that number, for a program that has got those before `place`; None where Python code has to "
           "see to it: while somebody listens, in a forked child, or where a rest of a batch comes first.")
      .def("next", &BatchQueue::next, nb::arg("place"), nb::arg("left"), nb::arg("keeper"),
           nb::sig("def next(self, place: object, left: int, keeper: object) -> typing.Any"),
           "The batch behind `place`, as a `Handed`, with so many samples left in the epoch; None in the same cases, "
           "and "
           "for batches with bad samples or an error.");
}

}  // namespace penstock
