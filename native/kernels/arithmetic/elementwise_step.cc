#include "kernels/arithmetic/elementwise_step.h"

#include <algorithm>
#include <stdexcept>

#include "kernels/bytes/interleave.h"
#include "kernels/bytes/stream.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

// A row is made in the first-level cache and streamed from there. Longer rows than 4 KB leave memory idle while they
// are made, shorter ones are more calls. The processor fetches the next ones by itself: asked for all lines of a row at
// once, it takes 1.2 to 1.8 times as long.
constexpr int64_t kRowBytes = 4 << 10;
// Where the processor has more to do than to fetch and store, it does both on its own meanwhile; the fewer calls the
// better then. What goes from one term to the next, or is converted for it, still has to stay near.
constexpr int64_t kLaboriousRowBytes = 64 << 10, kLaboriousTermsRowBytes = 16 << 10;

int64_t row_bytes_of(const Formula& formula) {
  if (!formula.is_laborious) return kRowBytes;
  return formula.terms.size() == 1 ? kLaboriousRowBytes : kLaboriousTermsRowBytes;
}

ConstView of_sample(const Samples& samples, size_t sample) {
  return samples.const_view(samples.size() == 1 ? 0 : sample);
}

// One operand, row by row in the type of the formula.
class Operand {
 public:
  /// `place` holds a row of `row_bytes`, for operands that are not there as they should be.
  Operand(ConstView view, DType within, int64_t n, std::byte* place, int64_t row_bytes)
      : data_(view.data), bytes_(item_bytes(view.dtype)), place_(place) {
    // As in C, the bits of a u64 become an i64.
    const bool is_ready = view.dtype == within || (view.dtype == DType::u64 && within == DType::i64);
    if (!is_ready) convert_ = rounding_conversion(within, view.dtype);
    if (view.shape.volume() != 1 || n == 1) return;
    const int64_t item = item_bytes(within);
    std::byte element[8];
    if (is_ready)
      std::copy_n(data_, item, element);
    else
      convert_(element, data_, 1);
    repeat(place_, std::min(n * item, row_bytes), {element, static_cast<size_t>(item)}, false);
    is_single_ = true;
  }

  bool is_single() const { return is_single_; }
  /// Rows of it are its own memory.
  bool is_direct() const { return !convert_ && !is_single_; }

  const std::byte* row(int64_t start, int64_t n) const {
    if (is_single_) return place_;
    const std::byte* from = data_ + start * bytes_;
    if (!convert_) return from;
    convert_(place_, from, n);
    return place_;
  }

 private:
  const std::byte* data_;
  int64_t bytes_;
  std::byte* place_;
  ConvertRow convert_ = nullptr;
  bool is_single_ = false;
};

// Makes elements from `start` on in `place`; what goes from one term to the next is kept in `between`.
void apply(std::span<const Term> terms, std::byte* place, std::byte* between, const Operand& first,
           std::span<const Operand> others, int64_t start, int64_t count) {
  const std::byte* made = first.row(start, count);
  auto operand = others.begin();
  for (const Term& term : terms) {
    std::byte* const target = &term == &terms.back() ? place : between;
    if (term.takes_operand()) {
      term(target, made, operand->row(start, count), operand->is_single(), count);
      ++operand;
    } else {
      term(target, made, nullptr, false, count);
    }
    made = target;
  }
}

}  // namespace

std::optional<Shape> joint_shape(const Shape& left, const Shape& right) {
  if (left == right || (right.volume() == 1 && right.ndim <= left.ndim)) return left;
  if (left.volume() == 1 && left.ndim <= right.ndim) return right;
  return std::nullopt;
}

Spec Elementwise::infer(size_t sample, const Spec& in, ConstView) const {
  Shape shape = in.shape;
  for (const Samples& other : others_) {
    const std::optional<Shape> joint = joint_shape(shape, of_sample(other, sample).shape);
    if (!joint) throw std::runtime_error("operands of different shapes");
    shape = *joint;
  }
  return {formula_->result(), shape};
}

int64_t Elementwise::reads_once(int64_t input, int64_t) const {
  for (const Samples& other : others_) input = std::max(input, other.bytes());
  return input;
}

std::shared_ptr<const Step> Elementwise::joined(size_t n, const Shape& shape) const {
  std::vector<Samples> others;
  others.reserve(others_.size());
  for (const Samples& other : others_) {
    // A single element with more axes than the samples gives the result its rank.
    if (other.size() == 1 && other.shape(0).volume() == 1 && other.shape(0).ndim <= shape.ndim)
      others.push_back(other);
    else if (other.size() == n && other.is_dense() && other.shape(0) == shape)
      others.push_back(other.joined());
    else
      return nullptr;
  }
  return std::make_shared<Elementwise>(formula_, std::move(others));
}

void Elementwise::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  const int64_t n = out.shape.volume(), item = item_bytes(out.dtype);
  const DType within = formula_->within;
  const bool streams = scratch.past_caches && !formula_->is_laborious;
  const int64_t row_bytes = row_bytes_of(*formula_);
  std::byte* between = scratch.bytes(kStepTemp, (others_.size() + 3) * row_bytes);
  std::byte* held = between + row_bytes;
  const Operand first(in, within, n, held + row_bytes, row_bytes);
  std::vector<Operand> operands;
  operands.reserve(others_.size());
  for (size_t k = 0; k < others_.size(); ++k)
    operands.emplace_back(of_sample(others_[k], sample), within, n, held + (k + 2) * row_bytes, row_bytes);
  const bool clamps = formula_->is_clamp() && operands[0].is_single() && operands[1].is_single();
  const ClampRow clamp = clamps ? clamp_between(within) : nullptr;
  // Every call of a loop of NumPy's ends with reading and clearing the processor's flags: rows of 64 KB take 2 %
  // longer.
  const Term& only = formula_->terms.front();
  const bool in_one_call = !streams && first.is_direct() && (clamp || formula_->terms.size() == 1) &&
                           std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
                             return operand.is_direct() || (operand.is_single() && only.takes_single());
                           });
  const int64_t length = in_one_call ? n : row_bytes / item_bytes(within);
  std::byte* target = out.data;
  int64_t waiting = 0;
  for (int64_t start = 0; start < n; start += length) {
    const int64_t count = std::min(length, n - start);
    std::byte* const place = streams ? held + waiting : target;
    if (clamp)
      clamp(place, first.row(start, count), operands[0].row(start, count), operands[1].row(start, count), count);
    else
      apply(formula_->terms, place, between, first, operands, start, count);
    waiting += count * item;
    // Rows of truth values are too short to be streamed one by one.
    if (streams && waiting + length * item <= row_bytes && start + count < n) continue;
    if (streams) stream(target, held, waiting);
    target += waiting;
    waiting = 0;
  }
  if (streams) finish_streams();
}

}  // namespace penstock
