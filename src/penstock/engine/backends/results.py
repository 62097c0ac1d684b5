"""What operators' functions return, as results of a call: checked, labelled, and knowing where they came from."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.engine.arguments import batch_arguments, result_specs
from penstock.engine.errors import annotate, source_of
from penstock.engine.invocation import Invocation, samples_of
from penstock.values.dtypes import DType
from penstock.values.samples import from_arrays
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def collect(call: Invocation, results: list[Any], specs: list[Spec], inputs: list[Samples]) -> list[Samples]:
    """The results of a call from what its function returned for each sample."""
    outputs = []
    declared = result_specs(call, specs)
    rows: list[list[Array]] = []
    for i, result in enumerate(results):
        try:
            rows.append(arrays_made(call, result, len(declared), rows[0] if rows else None))
        except Exception as error:
            annotate(error, call, i, source_of(inputs, i))
            raise
    for k, spec in enumerate(declared):
        made = from_arrays([row[k] for row in rows], spec.dtype, spec.ndim)
        made.layout = spec.layout or ""
        outputs.append(with_origin(made, inputs))
    return outputs


def arrays_made(call: Invocation, made: Any, count: int, first: list[Array] | None = None) -> list[Array]:
    """What an operator's function returned, as arrays; `first` is what it returned for the first sample."""
    name = call.op.name
    if count > 1 and not (isinstance(made, (tuple, list)) and len(made) == count):
        got = f"{len(made)}" if isinstance(made, (tuple, list)) else f"a {type(made).__name__}"
        raise TypeError(f"{name}() has {count} results, but its function returned {got}")
    arrays: list[Array] = []
    for place, value in enumerate(made if count > 1 else (made,)):
        try:
            array = np.asarray(value)
        except ValueError:
            raise TypeError(f"{name}() returned a list that is no array: its parts differ in shape") from None
        if array.dtype not in DType.by_numpy:
            kind = array.dtype if isinstance(value, np.ndarray) else type(value).__name__
            raise TypeError(f"{name}() returned {kind}, {value!r:.60}; an operator returns numbers, or arrays of them")
        if first is not None and (array.dtype, array.ndim) != (first[place].dtype, first[place].ndim):
            raise TypeError(
                f"{name}() returned {array.dtype} with {array.ndim} axes, but {first[place].dtype} with "
                f"{first[place].ndim} for the first sample; the samples of a batch are alike in both"
            )
        arrays.append(array)
    return arrays


def tell_sources(call: Invocation, inputs: list[Samples], results: list[Samples]) -> None:
    """Labels results whose samples are made of several input samples each with the files those came from."""
    assert call.op.sources_of is not None
    if all(samples.sources is None for samples in inputs):
        return
    sources = call.op.sources_of(samples_of(call), *inputs, **call.op.grouped(batch_arguments(call)))
    for result in results:
        result.sources = sources


def with_origin(result: Samples, inputs: list[Samples]) -> Samples:
    """Copies sources and indices from the inputs that have as many samples as the result; returns the result."""
    for samples in inputs:
        if len(samples) == len(result):
            result.take_origin(samples)
    return result
