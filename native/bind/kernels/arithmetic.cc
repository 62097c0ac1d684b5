// Arithmetic, comparisons, bits and functions of numbers.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/variant.h>

#include "kernels/arithmetic/elementwise_step.h"

// Only the layout of a ufunc is needed, none of NumPy's functions.
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "bind/convert.h"

namespace penstock {
namespace {

bool is_ufunc(nb::handle object) { return nb::isinstance(object, nb::module_::import_("numpy").attr("ufunc")); }

struct Ufunc : nb::object {
  NB_OBJECT(Ufunc, nb::object, "numpy.ufunc", [](PyObject* object) { return is_ufunc(object); })
  const PyUFuncObject& fields() const { return *reinterpret_cast<const PyUFuncObject*>(ptr()); }
};

using Terms = std::vector<std::pair<std::variant<Combination, Root, Ufunc>, bool>>;

int numpy_type(DType dtype) {
  constexpr int types[] = {NPY_UINT8, NPY_UINT16, NPY_UINT32, NPY_UINT64, NPY_INT8,   NPY_INT16,
                           NPY_INT32, NPY_INT64,  NPY_HALF,   NPY_FLOAT,  NPY_DOUBLE, NPY_BOOL};
  return types[static_cast<int>(dtype)];
}

// The loop whose operands have this type and whose result has it too or is bool; without a function where there is
// none.
UfuncLoop loop_of(const Ufunc& given, DType dtype) {
  const PyUFuncObject& ufunc = given.fields();
  if (ufunc.nin > 2 || ufunc.nout != 1) throw nb::type_error("a ufunc of one or two operands");
  for (int k = 0; k < ufunc.ntypes; ++k) {
    const char *types = ufunc.types + k * ufunc.nargs, *made = types + ufunc.nin;
    if (std::any_of(types, made, [&](char type) { return type != numpy_type(dtype); })) continue;
    for (const DType result : {dtype, DType::boolean})
      if (*made == numpy_type(result))
        return {ufunc.functions[k], ufunc.data ? ufunc.data[k] : nullptr, ufunc.nin, dtype, result};
  }
  return {};
}

std::shared_ptr<Formula> make_formula(int within, const Terms& terms, bool is_laborious) {
  const auto dtype = dtype_from(within);
  auto formula = std::make_shared<Formula>(Formula{dtype, is_laborious, {}});
  if (terms.empty()) throw nb::value_error("a formula has a term at least");
  for (const auto& [rule, reversed] : terms) {
    if (const Combination* kind = std::get_if<Combination>(&rule))
      formula->terms.emplace_back(*kind, dtype, reversed);
    else if (const Root* root = std::get_if<Root>(&rule))
      formula->terms.emplace_back(*root, dtype);
    else
      formula->terms.emplace_back(loop_of(std::get<Ufunc>(rule), dtype), reversed);
    const Term& term = formula->terms.back();
    if (!term.exists()) throw nb::type_error("no such term of this element type");
    if (reversed && !term.takes_operand()) throw nb::value_error("only a term of two operands can be reversed");
    if (term.result() != dtype && terms.size() > 1) throw nb::value_error("a comparison is a formula of its own");
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
  const auto taken = std::count_if(formula->terms.begin(), formula->terms.end(), std::mem_fn(&Term::takes_operand));
  if (std::ssize(others) != taken) throw nb::value_error("an operand for every term that takes one");
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

void bind_arithmetic_steps(nb::module_& m) {
  nb::enum_<Combination>(m, "Combination")
      .value("add", Combination::add)
      .value("sub", Combination::sub)
      .value("mul", Combination::mul)
      .value("div", Combination::div)
      .value("quotient", Combination::quotient)
      .value("remainder", Combination::remainder)
      .value("pow", Combination::pow)
      .value("min", Combination::min)
      .value("max", Combination::max)
      .value("bit_and", Combination::bit_and)
      .value("bit_or", Combination::bit_or)
      .value("bit_xor", Combination::bit_xor)
      .value("shift_left", Combination::shift_left)
      .value("shift_right", Combination::shift_right);
  nb::enum_<Root>(m, "Root").value("square", Root::square).value("reciprocal_square", Root::reciprocal_square);
  nb::class_<Elementwise, Step>(m, "Elementwise");
  nb::class_<Formula>(m, "Formula", "Terms applied one after the other, within one element type.")
      .def(nb::new_(&make_formula), nb::arg("within"), nb::arg("terms"), nb::arg("is_laborious"),
           "A term is one of ours or a ufunc, whose operand may stand to the left of what has been made; TypeError "
           "where it does not take elements of this type.")
      .def("step", &make_step, nb::arg("first").none(), nb::arg("ndim"), nb::arg("others"),
           nb::sig("def step(self, first: Samples | None, ndim: int, others: Sequence[Samples]) -> Step | None"),
           "None where more than single elements would be broadcast; where `first` is not known, it has `ndim` axes.");
}

}  // namespace penstock
