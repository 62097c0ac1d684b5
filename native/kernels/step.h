// One sample-wise native operation, holding its arguments for the whole batch.
#pragma once

#include <cstddef>
#include <memory>

#include "memory/part.h"
#include "memory/scratch.h"
#include "memory/spec.h"
#include "memory/view.h"

namespace penstock {

class Step {
 public:
  virtual ~Step() = default;

  /// What `run` will write for `sample`. `data` has memory only in the first step of a chain, where a decoder
  /// reads its header; later steps see a null pointer.
  virtual Spec infer(size_t sample, const Spec& in, ConstView data) const = 0;

  /// Whether `infer` tells the same of every sample, given the same spec. What is wrong with the arguments of one of
  /// them then shows in `run`.
  virtual bool infers_alike() const { return false; }

  /// Writes the result into `out`, which has the shape and dtype `infer` told and does not overlap `in`.
  virtual void run(size_t sample, View out, ConstView in, Scratch& scratch) const = 0;

  /// Whether `run` may be given a larger `out` than `infer` told, as where the frames of a sequence share one canvas.
  virtual bool fills_any_canvas() const { return false; }

  /// Whether the result is the input's memory, seen otherwise: in a chain nothing is run then.
  virtual bool only_views() const { return false; }

  /// Whether the result is the input as it is: in a chain its neighbours are each other's, and nothing is run.
  virtual bool leaves_alone(size_t /*sample*/) const { return false; }

  /// How many bytes `run` goes through once and in order for the whole batch, which has `input` bytes to go through and
  /// becomes `output`: they take as much of the caches as the result.
  virtual int64_t reads_once(int64_t /*input*/, int64_t /*output*/) const { return 0; }

  /// The step that does the same to `n` samples of this shape when they are seen as a single one, with one more axis;
  /// null where what is done to an element depends on its sample or its place.
  virtual std::shared_ptr<const Step> joined(size_t /*n*/, const Shape& /*shape*/) const { return nullptr; }

  /// Does the work of this step and the next without storing what goes from one to the other, to the same bits; false
  /// where it cannot, and nothing has been done.
  virtual bool run_through(size_t /*sample*/, const Step& /*next*/, View /*out*/, ConstView /*in*/,
                           Scratch& /*scratch*/) const {
    return false;
  }

  /// As `run_through`, but what goes from one to the other is stored in `kept` too.
  virtual bool run_both(size_t /*sample*/, const Step& /*next*/, View /*out*/, View /*kept*/, ConstView /*in*/,
                        Scratch& /*scratch*/) const {
    return false;
  }

  /// Whether the result may be a part of the input, which `narrow` then tells.
  virtual bool is_part() const { return false; }

  /// Makes `part`, of elements of `dtype`, the part of it that the result is; false where the result has other
  /// elements.
  virtual bool narrow(size_t /*sample*/, DType /*dtype*/, Part& /*part*/) const { return false; }

  /// Whether `run_part` may do the work: if not, nobody need tell which part it would be given.
  virtual bool takes_parts() const { return false; }

  /// Like `run`, on a part of `in` that steps before have told, to the same bits as if it had been stored; false where
  /// it cannot, and nothing has been done.
  virtual bool run_part(size_t /*sample*/, View /*out*/, ConstView /*in*/, const Part& /*part*/,
                        Scratch& /*scratch*/) const {
    return false;
  }
};

}  // namespace penstock
