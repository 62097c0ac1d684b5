"""What operators' functions return, as results of a call: checked, labelled, and knowing where they came from."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.engine.arguments import grouped_arguments, result_specs
from penstock.engine.errors import annotate, source_of
from penstock.engine.invocation import Invocation, samples_of
from penstock.values.dtypes import DType, uint8
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
        column = _with_memory_of_their_own([row[k] for row in rows])
        if column:
            _check_foretold(call, spec, column[0])
        else:  # what only running the function would tell is taken from the first input
            spec = spec if spec.known or not specs else specs[0]
        made = from_arrays(column, spec.dtype or uint8, spec.ndim)
        made.layout = spec.layout or ""
        outputs.append(with_origin(made, inputs))
    return outputs


def _with_memory_of_their_own(arrays: list[Array]) -> list[Array]:
    """Copies those that are read-only, and so views of inputs, unless all are about to be copied into one block."""
    if len(arrays) > 1 and all(array.shape == arrays[0].shape for array in arrays):
        return arrays
    return [array if array.flags.writeable else array.copy() for array in arrays]


def _check_foretold(call: Invocation, spec: Spec, made: Array) -> None:
    """Refuses a result that is not what the operator's `infer` told."""
    dtype = DType.by_numpy[made.dtype]
    if spec.known and (dtype.storage, made.ndim) != (spec.dtype.storage, spec.ndim):  # type: ignore[union-attr]
        raise TypeError(
            f"{call.op.name}() made {dtype} with {made.ndim} axes, but its `infer` told {spec.dtype} with {spec.ndim}"
        )


def arrays_made(call: Invocation, made: Any, count: int, first: list[Array] | None = None) -> list[Array]:
    """What an operator's function returned, as arrays; `first` is what it returned for the first sample."""
    if first is not None and count == 1 and type(made) is np.ndarray:
        alike = first[0]  # and so has been checked: what follows takes 1 us for every sample
        if made.dtype is alike.dtype and made.ndim == alike.ndim:
            return [made]
    name = call.op.name
    if count > 1 and not (isinstance(made, (tuple, list)) and len(made) == count):
        got = f"{len(made)}" if isinstance(made, (tuple, list)) else f"a {type(made).__name__}"
        raise TypeError(f"{name}() has {count} results, but its function returned {got}")
    if count == 1 and isinstance(made, tuple) and any(getattr(each, "ndim", 0) for each in made):
        raise TypeError(
            f"{name}() returned {len(made)} arrays; @ndd.operator(results={len(made)}) makes each of them a result"
        )
    arrays: list[Array] = []
    for place, value in enumerate(made if count > 1 else (made,)):
        if value is None:
            raise TypeError(f"{name}() returned None; an operator returns numbers, or arrays of them")
        try:
            array = np.asarray(value)
        except ValueError:
            raise TypeError(f"{name}() returned a list that is no array: its parts differ in shape") from None
        if not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("="))
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
    sources = call.op.sources_of(samples_of(call), *inputs, **grouped_arguments(call))
    for result in results:
        result.sources = sources


def with_origin(result: Samples, inputs: list[Samples]) -> Samples:
    """Copies sources and indices from the inputs that have as many samples as the result; returns the result."""
    for samples in inputs:
        if len(samples) == len(result):
            result.take_origin(samples)
    return result
