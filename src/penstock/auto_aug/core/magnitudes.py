"""Magnitudes of augmentations: numbered bins, a sign that may be drawn at random, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock import types
from penstock.auto_aug.core.node_or_value import PER_SAMPLE, drawn, given, part
from penstock.pipeline.definition.data_node import DataNode

Array = np.ndarray[Any, Any]
Bin = Any  # a number, or a node or Batch with one for every sample


class SignedBin:
    """A bin and whether its magnitude is negated, which is known for every sample only when the pipeline runs.

    `place` is where a table that holds every magnitude and then its negative has it. Tables for a bin that is known
    have no others, so that only the sign counts.
    """

    def __init__(self, magnitude_bin: Bin, random_sign: Any, place: Any = None) -> None:
        self.bin = magnitude_bin
        self.random_sign = random_sign
        self.place = place
        if place is None:
            self.place = random_sign if isinstance(magnitude_bin, int) else 2 * magnitude_bin + random_sign

    def __getitem__(self, position: int) -> SignedBin:
        """One of several that were drawn together; a bin that is a number is the same for all."""
        own = self.bin if isinstance(self.bin, int) else part(self.bin, position)
        return SignedBin(own, part(self.random_sign, position), part(self.place, position))


def signed_bin(
    magnitude_bin: Bin,
    random_sign: Any = None,
    seed: int | None = None,
    shape: Sequence[int] | int | None = None,
) -> SignedBin:
    """Lets magnitudes be negated at random, the same way by all augmentations that the result is given to.

    Args:
        magnitude_bin: A number from 0, or a node or Batch with one for every sample.
        random_sign: 1 where magnitudes are negated, else 0; drawn if not given.
        seed: For drawing.
        shape: Several signs for every sample, which the result is then indexed for.
    """
    check_bin(magnitude_bin)
    if random_sign is None:
        random_sign = signs(magnitude_bin, seed, shape)
    return SignedBin(magnitude_bin, random_sign)


def signs(data: Any, seed: int | None = None, shape: Sequence[int] | int | None = None) -> Any:
    """0 or 1 for every sample."""
    return drawn(data, seed, values=[0, 1], dtype=types.INT32, **given(shape=shape))


def check_bin(magnitude_bin: Any) -> None:
    if not isinstance(magnitude_bin, (int, *PER_SAMPLE)):
        raise TypeError(
            "The `magnitude_bin` must be an int or _DataNode with an int from [0..num_magnitude_bins-1] for every "
            f"sample. Got {magnitude_bin!r} instead."
        )


def table(magnitudes: Array, signed: bool, to_parameter: Callable[[Any], Any]) -> Array:
    """What every magnitude becomes, each followed by its negative where they are signed."""
    every = magnitudes
    if signed:
        every = np.stack([magnitudes, -magnitudes], axis=1).reshape(-1, *magnitudes.shape[1:])
    rows = [_row(to_parameter(magnitude)) for magnitude in every]
    for magnitude, row in zip(every, rows, strict=True):
        if row.shape != rows[0].shape or row.dtype != rows[0].dtype:
            raise ValueError(
                "must return the arrays of the same type and shape for different magnitudes. Got param of shape "
                f"{rows[0].shape} and {rows[0].dtype} type for magnitude {every[0]}, but for magnitude {magnitude} the "
                f"returned array has shape {row.shape} and type {row.dtype}."
            )
    return np.stack(rows)


def _row(parameter: Any) -> Array:
    if isinstance(parameter, DataNode):
        raise ValueError(
            "returned `DataNode`, i.e. an output of DALI pipelined operator, which is not supported there. It must "
            "return an array, or what NumPy makes one of, because it is called while the pipeline is defined."
        )
    return np.asarray(parameter)
