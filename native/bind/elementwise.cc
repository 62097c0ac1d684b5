// Arithmetic, comparisons and bits of two operands.
#include "steps/elementwise.h"

#include <nanobind/stl/pair.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "bind/convert.h"

namespace penstock {
namespace {

using Terms = std::vector<std::pair<Combination, bool>>;

std::shared_ptr<Formula> make_formula(int within, const Terms& terms) {
  auto formula = std::make_shared<Formula>(static_cast<DType>(within));
  if (terms.empty()) throw nb::value_error("a formula has a term at least");
  for (const auto& [kind, reversed] : terms) {
    if (!combination(kind, formula->within)) throw nb::type_error("no such combination of this element type");
    if (is_comparison(kind) && terms.size() > 1) throw nb::value_error("a comparison is a formula of its own");
    formula->terms.push_back({kind, reversed});
  }
  return formula;
}

// Whether operands of every sample have equal shapes or are single elements.
bool fit(const std::vector<const Samples*>& operands) {
  size_t n = 1;
  bool is_ragged = false;
  for (const Samples* operand : operands) {
    if (operand->size() == 0 || (operand->size() != 1 && n != 1 && operand->size() != n)) return false;
    n = std::max(n, operand->size());
    is_ragged |= !operand->is_dense();
  }
  for (size_t i = 0; i < (is_ragged ? n : 1); ++i) {
    std::optional<Shape> shape;
    for (const Samples* operand : operands) {
      const Shape& own = operand->shape(operand->size() == 1 ? 0 : i);
      shape = shape ? joint_shape(*shape, own) : own;
      if (!shape) return false;
    }
  }
  return true;
}

bool is_single(const Samples& samples, int ndim) {
  if (samples.size() == 0 || samples.ndim() > ndim) return false;
  for (size_t i = 0; i < (samples.is_dense() ? 1 : samples.size()); ++i)
    if (samples.shape(i).volume() != 1) return false;
  return true;
}

std::shared_ptr<Step> make_step(std::shared_ptr<Formula> formula, const Samples* first, int ndim,
                                std::vector<const Samples*> others) {
  if (others.size() != formula->terms.size()) throw nb::value_error("an operand for every term");
  std::vector<Samples> kept;
  for (const Samples* other : others) {
    if (!first && !is_single(*other, ndim)) return nullptr;
    kept.push_back(*other);
  }
  if (first) {
    others.insert(others.begin(), first);
    if (!fit(others)) return nullptr;
  }
  return std::make_shared<Elementwise>(std::move(formula), std::move(kept));
}

}  // namespace

void bind_elementwise_steps(nb::module_& m) {
  nb::enum_<Combination>(m, "Combination")
      .value("add", Combination::add)
      .value("sub", Combination::sub)
      .value("mul", Combination::mul)
      .value("div", Combination::div)
      .value("min", Combination::min)
      .value("max", Combination::max)
      .value("equal", Combination::equal)
      .value("not_equal", Combination::not_equal)
      .value("less", Combination::less)
      .value("less_equal", Combination::less_equal)
      .value("bit_and", Combination::bit_and)
      .value("bit_or", Combination::bit_or)
      .value("bit_xor", Combination::bit_xor);
  nb::class_<Elementwise, Step>(m, "Elementwise");
  nb::class_<Formula>(m, "Formula", "Operands combined one after the other, within one element type.")
      .def(nb::new_(&make_formula), nb::arg("within"), nb::arg("terms"))
      .def("step", &make_step, nb::arg("first").none(), nb::arg("ndim"), nb::arg("others"),
           nb::sig("def step(self, first: Samples | None, ndim: int, others: Sequence[Samples]) -> Step | None"),
           "None where more than single elements would be broadcast; where `first` is not known, it has `ndim` axes.");
}

}  // namespace penstock
