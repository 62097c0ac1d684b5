"""Python indexing as operators: with numbers known at the call, and with numbers that come as inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from penstock.schema.operator import operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import Kind, int32
from penstock.values.samples import separate
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]

NO_INDEX = "an index is a whole number, got {}"
ARRAY_INDEX = "Array indices must be scalar (0D). Got {}D tensor."


class OutOfRangeError(RuntimeError, IndexError):
    """An index beyond an axis."""

    place: tuple[int, int, int]  # the index, the axis and its length

    @classmethod
    def of(cls, index: int, axis: int, length: int) -> OutOfRangeError:
        error = cls(f"Index {index} is out of range for axis {axis} of length {length}")
        error.place = index, axis, length
        return error


class Input(NamedTuple):
    """A number that is not known yet: which of the inputs it comes from."""

    position: int


class Ranges:
    """What is asked of every axis from the first on: a number, or a slice; their numbers may be `Input`s.

    None, between them, is a new axis.
    """

    __slots__ = ("added", "axes", "removed")

    def __init__(self, axes: tuple[Any, ...]) -> None:
        self.axes = axes
        asked = [item for item in axes if item is not None]
        self.added = len(axes) - len(asked)
        self.removed = {k: item for k, item in enumerate(asked) if not isinstance(item, slice)}

    def filled(self, numbers: list[int]) -> Ranges:
        """The same with the inputs' numbers in place."""

        def number(bound: Any) -> Any:
            return numbers[bound.position] if isinstance(bound, Input) else bound

        return Ranges(
            tuple(
                slice(number(item.start), number(item.stop), number(item.step))
                if isinstance(item, slice)
                else number(item)
                for item in self.axes
            )
        )


def _foretell(data: Spec, *numbers: Spec, ranges: Ranges) -> Spec:
    assert data.ndim is not None
    for spec in numbers:
        if spec.ndim:
            raise RuntimeError(ARRAY_INDEX.format(spec.ndim))
        if spec.dtype is not None and spec.dtype.kind is Kind.float:
            raise TypeError(NO_INDEX.format(f"a tensor of {spec.dtype}"))
    named = "" if ranges.added else data.layout or ""  # nobody said what a new axis means
    layout = "".join(name for axis, name in enumerate(named) if axis not in ranges.removed)
    return Spec(data.dtype, data.ndim - len(ranges.removed) + ranges.added, layout)


@operator(name="_subscript", infer=_foretell, numbers_only=False)
def subscript(data: Array, *, ranges: Ranges) -> Array:
    """A part of an array."""
    return _part(data, ranges, ())


@subscript.on_stack
def stacked(data: Array, *, ranges: Ranges) -> Array:
    return _part(data, ranges, (slice(None),))


@subscript.gpu
def subscript_gpu(data: torch.Tensor, *, ranges: Ranges) -> torch.Tensor:
    return _part_gpu(data, ranges)


@operator(name="_subscript_by", infer=_foretell, numbers_only=False, inputs_from="cpu too")
def subscript_by(data: Array, *numbers: Array, ranges: Ranges) -> Array:
    """A part of an array, by numbers that may differ from sample to sample."""
    return _part(data, ranges.filled([int(cast_array(number, int32)) for number in numbers]), ())


@subscript_by.on_stack
def rows_by(data: Array, *numbers: Array, ranges: Ranges) -> Array:
    if len(ranges.axes) != 1 or not isinstance(ranges.axes[0], Input):
        raise LookupError("all but single rows are taken sample by sample")
    places = cast_array(numbers[0].reshape(len(numbers[0])), int32)
    return np.asarray(data[np.arange(len(data)) if len(data) > 1 else 0, places])


@subscript_by.gpu
def subscript_by_gpu(data: torch.Tensor, *numbers: Array, ranges: Ranges) -> torch.Tensor:
    filled = ranges.filled([int(cast_array(number, int32)) for number in numbers])
    return _part_gpu(data, filled)


def _part_gpu(data: torch.Tensor, ranges: Ranges) -> torch.Tensor:
    """As `_part`, of samples under a leading axis; torch's own slices have no negative steps."""
    from penstock.gpu.casting import by_bits  # here, since this file is imported with penstock.dynamic

    places: list[Any] = [slice(None)]
    turned: list[int] = []
    for axis, item in enumerate(ranges.axes, start=1):
        size = data.shape[axis]
        if not isinstance(item, slice):
            if not -size <= item < size:
                raise OutOfRangeError.of(item, axis - 1, size)
            places.append(item)
            continue
        if item.step == 0:
            raise RuntimeError("Step cannot be zero.")
        start, stop, step = item.indices(size)
        if step < 0:
            turned.append(axis)
            start, stop, step = size - 1 - start, size - 1 - stop, -step
        places.append(slice(start, max(stop, start), step))
    return by_bits(lambda data: (data.flip(turned) if turned else data)[tuple(places)].clone(), data)


def _part(data: Array, ranges: Ranges, before: tuple[slice, ...]) -> Array:
    try:
        return separate(data[before + ranges.axes])
    except IndexError:
        shape = data.shape[len(before) :]
        axis = next(k for k, index in ranges.removed.items() if not -shape[k] <= index < shape[k])
        raise OutOfRangeError.of(ranges.removed[axis], axis, shape[axis]) from None
    except ValueError:
        raise RuntimeError("Step cannot be zero.") from None
