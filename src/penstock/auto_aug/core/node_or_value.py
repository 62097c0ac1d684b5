"""Augmentations for both faces of the library: nodes of pipelines, and Tensors and Batches at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from penstock import types
from penstock.dynamic.calls.functions import function as of_values
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.construct import tensor
from penstock.dynamic.values.value import Value
from penstock.ops.declaration import declaration
from penstock.ops.tensor.subscript import Input, Ranges
from penstock.pipeline.definition.call_definition import define
from penstock.pipeline.definition.data_node import DataNode
from penstock.pipeline.functions.operator_functions import function as of_nodes

Array = np.ndarray[Any, Any]

PER_SAMPLE = (DataNode, Value)
_ONE_ROW = Ranges((Input(0),))


def operator_of(data: Any, path: str) -> Callable[..., Any]:
    """The function of an operator for samples of this kind."""
    return of_values(path) if isinstance(data, Value) else of_nodes(path)


def drawn(data: Any, seed: int | None = None, **options: Any) -> Any:
    """Random numbers for every sample."""
    if not isinstance(data, Value):
        return of_nodes("random.uniform")(**options, **given(seed=seed))
    if seed is not None:
        raise ValueError("`seed` is for pipelines: what is drawn for a Batch comes from ndd.random, which has set_seed")
    size = {"batch_size": data.batch_size} if isinstance(data, Batch) else {}
    return of_values("random.uniform")(**options, **size)


def part(value: Any, position: int) -> Any:
    """An element of every sample."""
    return value.slice[position] if isinstance(value, Batch) else value[position]


def row_of(rows: Array, place: Any) -> Any:
    """The row of a table for every sample; for a place that is a number, that row."""
    if isinstance(place, Value):
        return of_values("_subscript_by")(tensor(rows), place, ranges=_ONE_ROW)
    if isinstance(place, DataNode):
        return define(declaration("_subscript_by"), (types.Constant(rows), place), {"ranges": _ONE_ROW})
    return rows[place]


def constant(data: Any, value: Any) -> Any:
    """What is the same for all samples, as operations on samples of this kind are given it."""
    if isinstance(data, Value) or isinstance(value, PER_SAMPLE):
        return value
    return types.Constant(value, device="cpu")


def given(**options: Any) -> dict[str, Any]:
    """Those options that are not None."""
    return {name: value for name, value in options.items() if value is not None}
