"""What operators with several inputs or results promise, or with counts only the data can tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import penstock.dynamic as ndd
from ops.promises import on_torch_cpu
from penstock.dynamic.calls.functions import declaration, function
from penstock.schema.operator import Operator

Arrays = list[np.ndarray[Any, Any]]


def check_several(
    path: str,
    *columns: Arrays,
    per_sample: dict[str, Sequence[Any]] | None = None,
    seed: int = 1234,
    tolerance: float = 0,
    gpu_tolerance: float | None = None,
    **arguments: Any,
) -> list[Arrays]:
    """Holds an operator on batches to its promises; returns the arrays of every result.

    The whole-batch function equals the plain one; a batch equals its samples one by one (of random operators the
    first); every evaluation mode agrees; foretold specs are the real ones; inputs are left alone; an empty batch
    gives empty batches. Random operators draw from `seed` in every call. Its function for GPUs, if it has one, makes
    the same on torch's CPU device, where torch is installed, within `gpu_tolerance` or else `tolerance`.
    """
    op, call = declaration(path), function(path)
    each = {name: ndd.batch(list(values)) for name, values in (per_sample or {}).items()}
    batches = [ndd.batch(column) for column in columns]

    def on(*inputs: Any, **own: Any) -> tuple[Any, ...]:
        drawn = {"rng": ndd.random.RNG(seed)} if op.draw else {}
        made = call(*inputs, **arguments, **own, **drawn)
        return made if isinstance(made, tuple) else (made,)

    results = on(*batches, **each)
    foretold = [(result.dtype, result.ndim, result.layout) for result in results]
    expected = [_arrays(result) for result in results]
    assert foretold == [(result.dtype, result.ndim, result.layout) for result in results]
    assert all(array.dtype == result.dtype.numpy for result in results for array in _arrays(result))
    with plain_only(op):
        for got, wanted in zip(expected, on(*batches, **each), strict=True):
            _alike(got, _arrays(wanted), tolerance)
    for mode in (ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu, ndd.EvalMode.sync_full):
        with mode:
            for got, wanted in zip(on(*batches, **each), expected, strict=True):
                _alike(_arrays(got), wanted)
    for i in range(len(columns[0]) if op.draw is None else 1):
        own = {name: ndd.tensor(values[i]) for name, values in (per_sample or {}).items()}
        alone = on(*(ndd.tensor(column[i]) for column in columns), **own)
        for got, wanted in zip(alone, expected, strict=True):
            _alike([np.asarray(got)], [wanted[i]])
    for batch, column in zip(batches, columns, strict=True):
        _alike(_arrays(batch), column)
    _check_empty(on, batches, bool(each))
    if op.gpu_function is not None and find_spec("torch"):
        with on_torch_cpu():
            _check_gpu(on, columns, each, expected, tolerance if gpu_tolerance is None else gpu_tolerance)
    return expected


def _check_gpu(
    on: Any, columns: Sequence[Arrays], each: dict[str, ndd.Batch], expected: list[Arrays], tolerance: float
) -> None:
    batches = [ndd.batch(column, device="gpu") for column in columns]
    results = on(*batches, **each)
    foretold = [(result.dtype, result.ndim, result.layout) for result in results]
    for result, wanted in zip(results, expected, strict=True):
        assert result.evaluate()._resolve().elsewhere, "the result is not in the memory of the accelerator"
        _alike(_arrays(result.cpu()), wanted, tolerance)
    assert foretold == [(result.dtype, result.ndim, result.layout) for result in results]
    with ndd.EvalMode.deferred:
        for got, result in zip(on(*batches, **each), results, strict=True):
            _alike(_arrays(got.cpu()), _arrays(result.cpu()))
    for batch, column in zip(batches, columns, strict=True):
        _alike(_arrays(batch.cpu()), column)
    if not each:
        for empty in on(*(ndd.Batch._of_samples(batch._placed().select([])) for batch in batches)):
            assert empty.batch_size == 0
            assert empty.evaluate().shape == []


def _check_empty(on: Any, batches: list[ndd.Batch], given_each: bool) -> None:
    if given_each:
        return
    for empty in on(*(ndd.Batch._of_samples(batch._resolve().select([])) for batch in batches)):
        assert empty.batch_size == 0
        assert empty.evaluate().shape == []


def _arrays(batch: ndd.Batch) -> Arrays:
    return [np.array(tensor) for tensor in batch]


def _alike(got: Arrays, wanted: Arrays, tolerance: float = 0) -> None:
    assert len(got) == len(wanted)
    for a, b in zip(got, wanted, strict=True):
        if tolerance:
            assert a.shape == b.shape
            assert_allclose(a, b, rtol=tolerance, atol=tolerance)
        else:
            assert_array_equal(a, b, strict=True)


@contextmanager
def plain_only(op: Operator) -> Iterator[None]:
    kept = op.on_storage, op.native_step
    op.on_storage = op.native_step = None
    try:
        yield
    finally:
        op.on_storage, op.native_step = kept
