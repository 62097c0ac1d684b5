#include "runtime/each_frame_step.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace penstock {
namespace {

Shape without_frames(const Shape& shape) {
  Shape frame;
  frame.ndim = shape.ndim - 1;
  for (int axis = 1; axis < shape.ndim; ++axis) frame[axis - 1] = shape[axis];
  return frame;
}

template <typename Byte>
BasicView<Byte> frame_of(const BasicView<Byte>& sequence, int64_t frame) {
  BasicView<Byte> view{nullptr, sequence.dtype, without_frames(sequence.shape)};
  if (sequence.data) view.data = sequence.data + frame * view.bytes();
  return view;
}

}  // namespace

size_t EachFrame::row(size_t sample, int64_t frame) const {
  if (counts_.empty()) return sample;
  return static_cast<size_t>(offsets_[sample] + (counts_[sample] > 1 ? frame : 0));
}

Spec EachFrame::infer(size_t sample, const Spec& in, ConstView data) const {
  if (still_) return of_frames(sample, counts_[sample], in, data);
  const int64_t frames = in.shape[0];
  const bool per_frame = !counts_.empty() && counts_[sample] > 1;
  if (per_frame && counts_[sample] != frames)
    throw std::runtime_error("The sample " + std::to_string(sample) + " of " + given_ + " contains " +
                             std::to_string(counts_[sample]) + " per-frame parameters, but there are " +
                             std::to_string(frames) +
                             " frames in the corresponding sample of input 0. The numbers should match.");
  const ConstView first = data.data && frames ? frame_of(data, 0) : ConstView{};
  return of_frames(sample, frames, {in.dtype, without_frames(in.shape)}, first);
}

Spec EachFrame::of_frames(size_t sample, int64_t frames, const Spec& frame, ConstView first) const {
  Spec made = step_->infer(row(sample, 0), frame, first);
  for (int64_t k = 1; !counts_.empty() && counts_[sample] > 1 && k < frames; ++k) {
    const Shape next = step_->infer(row(sample, k), frame, {}).shape;
    if (next == made.shape) continue;
    if (!step_->fills_any_canvas()) throw std::runtime_error("the frames of a sequence would differ in size");
    for (int axis = 0; axis < next.ndim; ++axis) made.shape[axis] = std::max(made.shape[axis], next[axis]);
  }
  for (int axis = made.shape.ndim++; axis > 0; --axis) made.shape[axis] = made.shape[axis - 1];
  made.shape[0] = frames;
  return made;
}

void EachFrame::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  for (int64_t k = 0; k < out.shape[0]; ++k)
    step_->run(row(sample, k), frame_of(out, k), still_ ? in : frame_of(in, k), scratch);
}

}  // namespace penstock
