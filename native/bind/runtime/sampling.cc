// Sampling of short events. Asked at every stage and every wait while a profile is on, so it takes no Python code.
#include "runtime/sampling.h"

#include "bind/convert.h"

namespace penstock {
namespace {

// Strings are told apart by their addresses, so those that are known are kept. Equal strings may be two keys.
struct SamplingByName {
  Sampling sampling;
  std::vector<nb::str> names;
  int complete = 0;

  int64_t weight(const nb::str& name) {
    const int64_t weight = sampling.weight(name.ptr());
    if (names.size() < sampling.keys()) names.push_back(name);
    return weight;
  }
};

}  // namespace

void bind_sampling(nb::module_& m) {
  using Self = SamplingByName;
  nb::class_<Self>(m, "Sampling", "Decides which short events of a kind are measured, by the name of their operator.")
      .def(nb::init<>())
      .def_prop_rw(
          "complete", [](const Self& self) { return self.complete; },
          [](Self& self, int count) {
            self.complete = count;
            self.sampling.is_complete = count > 0;
          },
          "How many listeners want all events.")
      .def("weight", &Self::weight, nb::arg("name"),
           "How many events the one that happens now stands for, 0 where it is not to be measured.")
      .def(
          "measured", [](Self& self, const nb::str& name, double seconds) { self.sampling.note(name.ptr(), seconds); },
          nb::arg("name"), nb::arg("seconds"),
          "Notes how long an event lasted, and decides how many like it are left out before the next one.")
      .def(
          "left_out", [](Self& self, const nb::str& name) { return self.sampling.left_out(name.ptr()); },
          nb::arg("name"), "How many events have been left out since the last one that was measured.")
      .def(
          "forget",
          [](Self& self) {
            self.sampling.forget();
            self.names.clear();
          },
          "Forgets all names, for a listener that begins: what was left out before is not its own.");
}

}  // namespace penstock
