"""fn.readers.numpy with regions that other operators calculate: an operator reads them once their bounds are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Pool, SampleError, Samples
from penstock.engine.site import here
from penstock.pipeline.definition.call_definition import Definition, define, register
from penstock.pipeline.definition.data_node import DataNode
from penstock.pipeline.sources.source import ReaderSource
from penstock.readers.arrays.numpy import BOUNDS, NumpyNumbers
from penstock.readers.core.sample_source import UnreadableError
from penstock.schema.operator import Operator
from penstock.values.samples import arrays_of
from penstock.values.spec import UNKNOWN

Array = np.ndarray[Any, Any]


def calculated_bounds(path: str, keywords: dict[str, Any]) -> dict[str, DataNode]:
    """The arguments that are bounds of a region and nodes."""
    if path != "readers.numpy":
        return {}
    return {name: keywords[name] for name in BOUNDS if isinstance(keywords.get(name), DataNode)}


def numpy_of_regions(
    path: str, given: dict[str, Any], name: str | None, device: str, bounds: dict[str, DataNode]
) -> Any:
    """The reader tells which samples are next; an operator reads their regions. `given` are its other arguments."""
    source = ReaderSource(path, NumpyNumbers, {key: value for key, value in given.items() if key not in bounds})
    definition = Definition(source, name, here(), 1)
    definition.takes_seed = True
    register(definition, given.get("seed"))

    def regions(*rows_and_number: Array) -> Array:
        read: Array = on_samples(Pool(1), 1, *map(Samples.wrap_one, rows_and_number)).sample(0)
        return read

    op = Operator(regions, name=path, pure=False, infer=lambda *specs: UNKNOWN, inputs_from="anywhere")

    @op.on_samples
    def on_samples(pool: Pool, n: int, *rows_and_numbers: Samples) -> Samples:
        *rows, numbers = rows_and_numbers
        reader = source.reader
        assert isinstance(reader, NumpyNumbers)
        indices = np.array([int(each[0]) for each in arrays_of(numbers)], np.int64)
        try:
            return reader.regions(
                indices, {bound: _rows(bound, each) for bound, each in zip(bounds, rows, strict=True)}
            )
        except UnreadableError as error:
            raise SampleError(next(iter(error.failures)), str(error)) from None

    # What the bounds need comes first, as in DALI: seeds are given in this order.
    return define(op, [*bounds.values(), definition.outputs[0]], {"device": device})


def _rows(name: str, samples: Samples) -> list[Array]:
    rows = [np.atleast_1d(each) for each in arrays_of(samples)]
    if len({row.shape for row in rows}) > 1 or rows[0].ndim > 1:
        raise RuntimeError(f'Argument "{name}" must have equally many values for all samples of a batch')
    return rows
