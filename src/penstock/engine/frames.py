"""Frame-by-frame calls: the engine splits sequences into frames, so that operators need to know only images.

An operator declared with `frames=True` gets every frame of a sequence as an image. One that handles sequences itself
gets single frames only where an argument has a value for each of them (`ndd.per_frame`).
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from penstock._native import Samples
from penstock.schema.operator import Operator
from penstock.values.samples import arrays_of, from_arrays
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def is_per_frame(spec: Spec) -> bool:
    return (spec.layout or "").startswith("F")


def unfolds(op: Operator, specs: list[Spec], tensors: dict[str, Spec]) -> bool:
    """Whether a call with these inputs and per-sample arguments runs once for every frame.

    A first input without frames is used for every frame where another input is a sequence, or where an argument is per
    frame and the operator is declared `still` or needs no inputs.
    """
    marked = [name for name, spec in tensors.items() if is_per_frame(spec)]
    if specs and is_per_frame(specs[0]):
        return op.frames or bool(marked)
    if op.frames and (any(map(is_per_frame, specs[1:])) or (marked and not op.min_inputs)):
        return True
    if marked and op.still and specs and specs[0].layout is not None:
        return True
    if marked and specs and specs[0].layout is not None:
        layout = specs[0].layout
        raise RuntimeError(f"{marked[0]} has a value for every frame, but an input of layout {layout!r} has no frames")
    return False


def of_one_frame(spec: Spec) -> Spec:
    if not is_per_frame(spec):
        return spec
    assert spec.ndim is not None
    assert spec.layout is not None
    return Spec(spec.dtype, spec.ndim - 1, spec.layout[1:])


def seen_by_one_frame(arguments: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments of a call for one of its frames: specs and `output_layout` without the frame axis."""
    mine = {name: of_one_frame(value) if isinstance(value, Spec) else value for name, value in arguments.items()}
    if str(mine.get("output_layout", "")).startswith("F"):
        mine["output_layout"] = mine["output_layout"][1:]
    return mine


def of_all_frames(spec: Spec) -> Spec:
    ndim, layout = spec.ndim, spec.layout
    if layout is not None:
        layout = "F" + (layout or "*" * (ndim or 0))
    return Spec(spec.dtype, None if ndim is None else ndim + 1, layout)


class FrameRows(NamedTuple):
    """The argument rows of each sample's frames: `counts[i]` rows from `offsets[i]` on. A single row serves all."""

    counts: list[int]
    offsets: list[int]
    given: str  # the argument or input that has these rows, for error messages

    def of(self, sample: int, frames: int) -> list[int]:
        """Returns the row of every frame of a sample."""
        count, offset = self.counts[sample], self.offsets[sample]
        if count not in (1, frames):
            raise RuntimeError(
                f"The sample {sample} of {self.given} contains {count} per-frame parameters, but there are {frames} "
                "frames in the corresponding sample of input 0. The numbers should match."
            )
        return [offset] * frames if count == 1 else [*range(offset, offset + count)]


def rows_of_frames(values: dict[str, Any], n: int) -> FrameRows:
    """Returns the rows of per-frame arguments and inputs, which must agree on the number of frames of each sample.

    Each of `values` has one array per sample, or one for all, with a row for every frame.
    """
    counts = []
    for i in range(n):
        lengths = {given: len(_at(rows, i)) for given, rows in values.items() if len(_at(rows, i)) != 1}
        first = next(iter(lengths), "")
        for given, length in lengths.items():
            if length != lengths[first]:
                raise RuntimeError(
                    f"The sample {i} of {given} contains {length} per-frame parameters, but there are "
                    f"{lengths[first]} frames in the corresponding sample of {first}. The numbers should match."
                )
        counts.append(lengths.get(first, 1))
    return FrameRows(counts, [0, *accumulate(counts)][:n], next(iter(values)))


def _at(rows: Any, i: int) -> Any:
    return rows[i if len(rows) > 1 else 0]


def rows_of(sample: int, arrays: list[Array], specs: list[Spec], rows: FrameRows | None) -> list[int]:
    """Returns the argument row of every frame of a sample; without per-frame values that is the row of the sample."""
    if rows is None:
        return [sample] * len(arrays[0])
    return rows.of(sample, len(arrays[0]) if specs and is_per_frame(specs[0]) else rows.counts[sample])


def spread_frames(rows: Any, layout: FrameRows) -> Array:
    """Returns a per-frame argument as rows in the order of `layout`."""
    each = [_at(rows, i) for i in range(len(layout.counts))]
    return np.concatenate([np.broadcast_to(r, (c, *r.shape[1:])) for r, c in zip(each, layout.counts, strict=True)])


def spread_samples(rows: Any, layout: FrameRows) -> Any:
    """Repeats an argument with a value for every sample (or one for all) for the rows of `layout`."""
    if len(rows) == 1:
        return rows
    if isinstance(rows, list):
        return [row for row, count in zip(rows, layout.counts, strict=True) for _ in range(count)]
    return np.repeat(rows, layout.counts, axis=0)


def spread_input(samples: Samples, layout: FrameRows) -> Samples:
    """Returns an input other than the first with a sample for every row of `layout`."""
    each = arrays_of(samples)
    if samples.layout.startswith("F"):
        return from_arrays([*spread_frames(each, layout)])
    return samples if len(each) == 1 else from_arrays(spread_samples(each, layout))


def laid_out(array: Array, spec: Spec, counts: list[int]) -> Array:
    """Returns an input with a leading batch axis as one row for every frame; a single image stays one row."""
    if not is_per_frame(spec):
        return array if len(array) == 1 else np.repeat(array, counts, axis=0)
    every = np.broadcast_to(array, (len(counts), *array.shape[1:]))
    return np.concatenate([np.broadcast_to(f, (c, *f.shape[1:])) for f, c in zip(every, counts, strict=True)])


def stacked(made: list[Any], outputs: int) -> Any:
    """Stacks the results of all frames into one array, or into one for every output."""
    if outputs == 1:
        return np.stack(made)
    return tuple(np.stack([each[k] for each in made]) for k in range(outputs))
