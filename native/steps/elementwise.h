#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/elementwise.h"
#include "runtime/samples.h"
#include "runtime/step.h"

namespace penstock {

/// One operand after the other combined with what has been made so far, all in one element type.
struct Formula {
  struct Term {
    Combination kind;
    /// Whether the operand stands to the left of what has been made.
    bool reversed;
  };

  DType within;
  std::vector<Term> terms;

  DType result() const { return is_comparison(terms.back().kind) ? DType::boolean : within; }
};

/// The shape of operands of equal shapes, single elements among them; none where more than those would be broadcast.
std::optional<Shape> joint_shape(const Shape& left, const Shape& right);

/// A formula of the first input and others, which have the first's shape or are single elements, or the other way
/// round.
class Elementwise : public Step {
 public:
  /// One operand for every term.
  Elementwise(std::shared_ptr<const Formula> formula, std::vector<Samples> others)
      : formula_(std::move(formula)), others_(std::move(others)) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;
  bool reads_once() const override { return true; }

 private:
  std::shared_ptr<const Formula> formula_;
  std::vector<Samples> others_;
};

}  // namespace penstock
