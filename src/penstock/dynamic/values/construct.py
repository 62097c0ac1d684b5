"""tensor, as_tensor, batch, as_batch: Python data and arrays into Tensors and Batches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np

from penstock._native import Samples, ValueClass
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.operator_calls import calls
from penstock.dynamic.values.samples_from_data import batch_samples, tensor_samples
from penstock.dynamic.values.tensor import Tensor
from penstock.dynamic.values.value import Value
from penstock.values.accelerator import CPU
from penstock.values.literals import int32_scalar

_BATCH = ValueClass(Batch)


def tensor(data: Any, dtype: Any = None, device: Any = None, layout: str | None = None, pad: bool = False) -> Tensor:
    """Copies data into a Tensor.

    Python ints become int32, floats float32; arrays keep their dtype. A Batch is stacked, ragged ones with pad=True.

        ndd.tensor([[1, 2], [3, 4]], dtype=ndd.uint8, layout="HW")
    """
    return Tensor._of_samples(tensor_samples(data, dtype, device, layout, copy=True, pad=pad))


def as_tensor(data: Any, dtype: Any = None, device: Any = None, layout: str | None = None, pad: bool = False) -> Tensor:
    """As `tensor`, but over the memory of an array where that is possible."""
    return Tensor._of_samples(tensor_samples(data, dtype, device, layout, copy=False, pad=pad))


def batch(tensors: Any, dtype: Any = None, device: Any = None, layout: str | None = None) -> Batch:
    """Copies samples into a Batch: a list of tensor-likes, or an array with a leading batch axis.

    The first sample decides dtype and layout; the others are cast to it.

        ndd.batch([[1, 2], [3]])
    """
    return Batch._of_samples(batch_samples(tensors, dtype, device, layout, copy=True))


def as_batch(tensors: Any, dtype: Any = None, device: Any = None, layout: str | None = None) -> Batch:
    """As `batch`, but over the memory of arrays where that is possible."""
    samples = batch_samples(tensors, dtype, device, layout, copy=False)
    if isinstance(tensors, Batch) and samples is tensors._resolve():
        return tensors
    made: Batch = _BATCH.of_samples(samples)
    return made


def operand(value: Any) -> Value:
    """A value as operand of arithmetic, where Python's ints are int32 whatever their size."""
    if isinstance(value, Value):
        return value
    if type(value) is int:
        return _whole_number(value)
    if type(value) is float:
        return _real_number(value, math.copysign(1, value))
    return as_tensor(value)


@lru_cache(maxsize=1024)
def _whole_number(value: int) -> Tensor:
    """The same numbers come back often."""
    return Tensor._of_samples(Samples.wrap_one(int32_scalar(value)))


@lru_cache(maxsize=1024)
def _real_number(value: float, sign: float) -> Tensor:
    """As `_whole_number`. To tell 0.0 from -0.0, the cache needs more than the value."""
    return Tensor._of_samples(Samples.wrap_one(np.array(value, np.float32)))


def operands_on_gpu(given: Sequence[Any]) -> list[Value]:
    """As `operand` for each. Numbers and lists go to the GPU that one of the others is on, arrays are the CPU's."""
    values = [*map(operand, given)]
    device = next((value._device for value in values if value._device != CPU), CPU)
    if device == CPU:
        return values
    return [
        type(value)._of_samples(value._resolve().on_device(device)) if isinstance(each, (Real, list, tuple)) else value
        for each, value in zip(given, values, strict=True)
    ]


calls.operand = operand
calls.operands_on_gpu = operands_on_gpu
