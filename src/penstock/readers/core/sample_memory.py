"""The memory that all outputs of a sample take together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from penstock._native import Samples
from penstock.readers.core.order import Indices
from penstock.readers.core.sample_source import UnreadableError
from penstock.values.dtypes import BY_CODE
from penstock.values.memory_limit import refusal


def require_together(taken: Indices, limit: int, what: str, source: Callable[[int], str]) -> None:
    """Raises `UnreadableError` for the samples that take more than `limit` bytes; `source` gives their names."""
    large = np.flatnonzero(taken > limit).tolist()
    if large:
        failures = {at: str(refusal(what, int(taken[at]), limit)) for at in large}
        raise UnreadableError(failures, {at: source(at) for at in large})


def bytes_of(outputs: Sequence[Samples]) -> Indices:
    """The number of bytes of each sample, all outputs together."""
    sizes = [
        [math.prod(shape) * BY_CODE[output.code].storage.itemsize for shape in output.shapes()] for output in outputs
    ]
    taken: Indices = np.array(sizes, np.int64).sum(axis=0)
    return taken
