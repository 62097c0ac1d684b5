"""`ndd.readers.Numpy`, whose regions may be Batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.dynamic.readers import Reader
from penstock.dynamic.values.batch import Batch
from penstock.readers.arrays.numpy import Numpy as _Numpy


class Numpy(_Numpy, Reader):
    def __init__(self, *by_position: Any, **arguments: Any) -> None:
        if any(isinstance(value, Batch) for value in arguments.values()):
            raise ValueError("Readers cannot be constructed with batch keyword arguments")
        super().__init__(*by_position, **arguments)

    def __call__(self, *, batch_size: int | None = None, **bounds: Any) -> Any:
        rows = {name: _rows(name, value) if isinstance(value, Batch) else value for name, value in bounds.items()}
        return super().__call__(batch_size=batch_size, **rows)


def _rows(name: str, bounds: Batch) -> list[Any]:
    """A row of numbers for each sample of a batch of bounds."""
    rows = [np.atleast_1d(np.asarray(each)) for each in bounds]
    if len({row.shape for row in rows}) > 1:
        raise RuntimeError(f'Argument "{name}" must have equally many values for all samples of a batch')
    return rows
