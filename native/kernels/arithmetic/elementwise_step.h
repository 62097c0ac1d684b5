// The step of arithmetic: terms applied to rows one after the other while they are in the cache.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/arithmetic/elementwise.h"
#include "kernels/arithmetic/roots.h"
#include "kernels/arithmetic/ufunc_loop.h"
#include "kernels/step.h"
#include "memory/samples.h"

namespace penstock {

/// What is made of a row and, where it takes one, of another operand's: by rules of ours or a loop of NumPy's.
class Term {
 public:
  /// `reversed`: the operand stands to the left of what has been made.
  Term(Combination kind, DType within, bool reversed)
      : kind_(kind),
        combine_(combination(kind, within)),
        with_one_((reversed ? combination_of_one : combination_with_one)(kind, within)),
        result_(within),
        reversed_(reversed) {}
  Term(Root kind, DType within) : root_(root_row(kind, within)), result_(within), reversed_(false) {}
  Term(UfuncLoop loop, bool reversed) : loop_(loop), result_(loop.result), reversed_(reversed) {}

  bool exists() const { return combine_ || root_ || loop_.function; }
  bool takes_operand() const { return combine_ || loop_.operands == 2; }
  DType result() const { return result_; }
  bool is_reversed(Combination kind) const { return reversed_ && combine_ && kind_ == kind; }
  /// Of an operand whose elements are all the same only the first is read.
  bool takes_single() const { return with_one_ || (loop_.reads_single() && !reversed_); }

  /// `is_single` tells that the elements of the operand are all the same.
  void operator()(std::byte* out, const std::byte* made, const std::byte* operand, bool is_single, int64_t n) const {
    if (reversed_) std::swap(made, operand);
    if (is_single && with_one_)
      with_one_(out, made, operand, n);
    else if (combine_)
      combine_(out, made, operand, n);
    else if (root_)
      root_(out, made, n);
    else
      loop_(out, made, operand, is_single && !reversed_, n);
  }

 private:
  Combination kind_ = {};  // of combine_
  CombineRow combine_ = nullptr, with_one_ = nullptr;
  RootRow root_ = nullptr;
  UfuncLoop loop_;
  DType result_;
  bool reversed_;
};

/// Terms applied one after the other to what has been made so far, all in one element type.
struct Formula {
  DType within;
  /// Its terms take longer than fetching the operands and storing the result.
  bool is_laborious;
  std::vector<Term> terms;

  DType result() const { return terms.back().result(); }
  /// It is max(lowest, x) and then min(highest, ...), which take single numbers in one go.
  bool is_clamp() const {
    return terms.size() == 2 && terms[0].is_reversed(Combination::max) && terms[1].is_reversed(Combination::min);
  }
};

/// The shape of operands of equal shapes, single elements among them; none where more than those would be broadcast.
std::optional<Shape> joint_shape(const Shape& left, const Shape& right);

/// A formula of the first input and others, which have the first's shape or are single elements, or the other way
/// round.
class Elementwise : public Step {
 public:
  /// One operand for every term that takes one.
  Elementwise(std::shared_ptr<const Formula> formula, std::vector<Samples> others)
      : formula_(std::move(formula)), others_(std::move(others)) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;
  int64_t reads_once(int64_t input, int64_t output) const override;
  std::shared_ptr<const Step> joined(size_t n, const Shape& shape) const override;

 private:
  std::shared_ptr<const Formula> formula_;
  std::vector<Samples> others_;
};

}  // namespace penstock
