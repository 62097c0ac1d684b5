"""The outputs of a pipeline: what can be one, and checks against the types that were declared."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.interop.frameworks import is_array
from penstock.pipeline.definition.call_definition import Input, as_input
from penstock.pipeline.definition.data_node import DataNode
from penstock.pipeline.definition.operands import holds_nodes
from penstock.values.constants import Constant, ScalarConstant
from penstock.values.dtypes import dtype as to_dtype
from penstock.values.spec import spec_of


def as_outputs(returned: Any) -> list[Input]:
    """The outputs of a pipeline, from what its function returned."""
    if returned is None:
        raise NotImplementedError("a pipeline needs outputs: return them, or call set_outputs()")
    several = returned if isinstance(returned, tuple) else (returned,)
    return [_as_output(k, value) for k, value in enumerate(several)]


def as_graph_outputs(returned: Any) -> list[Input]:
    """The outputs of a pipeline, from what its `define_graph` returned: a tuple or a list."""
    return as_outputs(tuple(returned) if isinstance(returned, list) else returned)


def _as_output(place: int, value: Any) -> Input:
    if isinstance(value, (DataNode, Samples)):
        return value
    if holds_nodes(value):
        raise TypeError(
            f"Illegal pipeline output type. The output {place} contains a nested `DataNode`. "
            "Missing list/tuple expansion (*) is the likely cause."
        )
    known = (bool, int, float, list, tuple, np.generic, Enum, Constant, ScalarConstant)
    plain = isinstance(value, known) or is_array(value)
    if not plain:
        raise TypeError(
            f"Illegal output type. The output {place} is a `{type(value)}`. Allowed types are ``DataNode`` and types "
            "convertible to `types.Constant`: numbers, lists of them, and arrays."
        )
    return as_input(value)


class DeclaredOutputs:
    """Types, ranks and layouts that outputs were declared to have: one for all, a list, or None."""

    def __init__(self, dtype: Any, ndim: Any, layout: Any) -> None:
        self.dtype, self.ndim, self.layout = dtype, ndim, layout
        self.is_empty = dtype is None and ndim is None and layout is None

    def for_each(self, count: int) -> list[tuple[Any, Any, Any]]:
        """Type, rank and layout of each output; RuntimeError where a list has another length."""
        columns = [_listed(value, count) for value in (self.dtype, self.ndim, self.layout)]
        if any(len(column) != count for column in columns):
            raise RuntimeError(
                f"Lengths of provided output descriptions do not match. \nExpected num_outputs={count}.\nReceived:\n"
                f"output_dtype={columns[0]}\noutput_ndim={columns[1]}\noutput_layout={columns[2]}"
            )
        return [*zip(*columns, strict=True)]

    def check(self, outputs: Sequence[Samples]) -> None:
        """RuntimeError for outputs that are not as declared."""
        for place, (samples, wanted) in enumerate(zip(outputs, self.for_each(len(outputs)), strict=True)):
            spec, (dtype, ndim, layout) = spec_of(samples), wanted
            if dtype is not None and to_dtype(dtype) != spec.dtype:
                raise _mismatch("Data type", place, to_dtype(dtype), spec.dtype)
            if ndim is not None and ndim != spec.ndim:
                raise _mismatch("Number of dimensions", place, ndim, spec.ndim)
            if layout and layout != spec.layout:
                raise _mismatch("Layout", place, layout, spec.layout)


def _mismatch(what: str, place: int, wanted: Any, got: Any) -> RuntimeError:
    return RuntimeError(f"{what} in the output_idx={place} does not match. Expected: {wanted}. Received: {got}.")


def _listed(value: Any, count: int) -> list[Any]:
    return [*value] if isinstance(value, (list, tuple)) else [value] * count
