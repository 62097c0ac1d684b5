"""What every operator promises, checked in one call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import penstock.dynamic as ndd
from penstock.dynamic.functions import declaration, function
from penstock.schema.operator import Operator
from penstock.values import accelerator

Arrays = list[np.ndarray[Any, Any]]


def photos(sizes: Sequence[tuple[int, int]], channels: int = 3, dtype: Any = np.uint8, seed: int = 0) -> Arrays:
    """Random images of the given heights and widths."""
    random = np.random.default_rng(seed)
    return [random.integers(0, 256, (*size, channels)).astype(dtype) for size in sizes]


def check_operator(
    path: str,
    samples: Arrays,
    *,
    layout: str | None = "HWC",
    per_sample: dict[str, Sequence[Any]] | None = None,
    rtol: float = 0,
    atol: float = 0,
    gpu_rtol: float | None = None,
    gpu_atol: float | None = None,
    gpu: bool = True,
    **arguments: Any,
) -> list[np.ndarray[Any, Any]]:
    """Holds an operator with one input and one output to its promises; returns its results for closer looks.

    Every backend equals the plain function, fused or not; a batch equals its samples one by one; every evaluation
    mode agrees; the foretold spec is the real one; inputs are left alone; an empty batch gives an empty batch. Its
    function for GPUs, if it has one, makes the same on torch's CPU device, in all these ways.

    Args:
        per_sample: Arguments with a value for every sample.
        rtol, atol: How far the plain function may differ where the method differs by nature.
        gpu_rtol, gpu_atol: How far the function for GPUs may differ; as the plain one if None.
        gpu: Whether its function for GPUs takes these arguments.
    """
    op, call = declaration(path), function(path)
    each = per_sample or {}
    batch = ndd.batch(samples, layout=layout)
    before = [np.array(t) for t in batch]

    def on_batch(x: ndd.Batch) -> ndd.Batch:
        return call(x, **arguments, **{name: ndd.batch(list(values)) for name, values in each.items()})

    result = on_batch(batch)
    foretold = (result.dtype, result.ndim, result.layout)
    expected = _arrays(result)
    assert foretold == (result.dtype, result.ndim, result.layout), "the foretold spec is not the real one"
    assert all(np.dtype(result.dtype.numpy) == array.dtype for array in expected)

    with _plain_only(op):
        for got, wanted in zip(expected, _arrays(on_batch(batch)), strict=True):
            assert_allclose(got, wanted, rtol=rtol, atol=atol, err_msg="differs from the plain function")
    for mode in (ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu, ndd.EvalMode.sync_full):
        with mode:
            _same(_arrays(on_batch(batch)), expected, f"{mode} differs from eager")
    _same(_arrays(_fused(on_batch, batch)), expected, "fused differs from unfused")
    for i, sample in enumerate(samples):
        own = {name: ndd.tensor(values[i]) for name, values in each.items()}
        alone = call(ndd.tensor(sample, layout=layout), **arguments, **own)
        _same([np.asarray(alone)], [expected[i]], "a sample alone differs from the batch")
    _same([np.array(t) for t in batch], before, "the input was changed")
    if not each:
        empty = call(ndd.batch([], dtype=batch.dtype).__class__._of_samples(batch._resolve().select([])), **arguments)
        assert empty.batch_size == 0
        assert empty.evaluate().shape == []
    if gpu and (op.gpu_function is not None or op.stored_anywhere):
        within = {"rtol": rtol if gpu_rtol is None else gpu_rtol, "atol": atol if gpu_atol is None else gpu_atol}
        with on_torch_cpu():
            _check_gpu(call, on_batch, samples, layout, each, arguments, expected, within)
    return expected


@contextmanager
def on_torch_cpu() -> Iterator[None]:
    """torch's CPU device stands in for a GPU."""
    accelerator.use("torch-cpu")
    try:
        yield
    finally:
        accelerator.use("")


def check_gpu(
    call: Any, *inputs: Arrays, layout: str | None = None, rtol: float = 0, atol: float = 0, **arguments: Any
) -> None:
    """Holds what `call` makes of batches on torch's CPU device to what it makes of them on the CPU, and empty ones."""

    def results(device: str) -> list[ndd.Batch]:
        made = call(*(ndd.batch(each, layout=layout, device=device) for each in inputs), **arguments)
        return list(made) if isinstance(made, tuple) else [made]

    expected = results("cpu")
    with on_torch_cpu():
        for got, wanted in zip(results("gpu"), expected, strict=True):
            assert got.evaluate()._resolve().elsewhere, "the result is not in the memory of the accelerator"
            assert (got.dtype, got.ndim, got.layout) == (wanted.dtype, wanted.ndim, wanted.layout)
            for one, other in zip(_downloaded(got), _arrays(wanted), strict=True):
                assert (one.dtype, one.shape) == (other.dtype, other.shape)
                assert_allclose(one, other, rtol=rtol, atol=atol, err_msg="the GPU differs from the CPU")
        batches = [ndd.batch(each, layout=layout, device="gpu") for each in inputs]
        made = call(*(ndd.Batch._of_samples(batch._placed().select([])) for batch in batches), **arguments)
        for empty in made if isinstance(made, tuple) else [made]:
            assert empty.batch_size == 0
            assert empty.evaluate().shape == []


def _check_gpu(
    call: Any,
    on_batch: Any,
    samples: Arrays,
    layout: str | None,
    each: dict[str, Sequence[Any]],
    arguments: dict[str, Any],
    expected: Arrays,
    within: dict[str, float],
) -> None:
    batch = ndd.batch(samples, layout=layout, device="gpu")
    before = _downloaded(batch)
    result = on_batch(batch)
    foretold = (result.dtype, result.ndim, result.layout)
    assert str(result.device) == str(result.evaluate().device) == "gpu:0"
    assert result._resolve().elsewhere, "the result is not in the memory of the accelerator"
    assert foretold == (result.dtype, result.ndim, result.layout), "the foretold spec is not the real one on a GPU"
    got = _downloaded(result)
    for one, wanted in zip(got, expected, strict=True):
        assert one.dtype == wanted.dtype
        assert_allclose(one, wanted, **within, err_msg="the GPU differs from the CPU")
    for mode in (ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu, ndd.EvalMode.sync_full):
        with mode:
            _same(_downloaded(on_batch(batch)), got, f"{mode} differs from eager on a GPU")
    _same(_downloaded(_fused(on_batch, batch)), got, "a deferred chain differs on a GPU")
    for i, sample in enumerate(samples):
        own = {name: ndd.tensor(values[i]) for name, values in each.items()}
        alone = call(ndd.tensor(sample, layout=layout, device="gpu"), **arguments, **own)
        assert_allclose(np.asarray(alone.cpu()), got[i], **within, err_msg="a sample alone differs on a GPU")
    _same(_downloaded(batch), before, "the input was changed on a GPU")
    if not each:
        empty = call(ndd.Batch._of_samples(batch._placed().select([])), **arguments)
        assert empty.batch_size == 0
        assert empty.evaluate().shape == []


def _downloaded(batch: ndd.Batch) -> Arrays:
    return [np.array(tensor) for tensor in batch.cpu()]


def _fused(on_batch: Any, batch: ndd.Batch) -> ndd.Batch:
    """The operator between two copies, which a deferred evaluation runs as one chain."""
    with ndd.EvalMode.deferred:
        return function("copy")(on_batch(function("copy")(batch)))


def _arrays(batch: ndd.Batch) -> Arrays:
    return [np.asarray(tensor) for tensor in batch]


def _same(got: Arrays, wanted: Arrays, message: str) -> None:
    assert len(got) == len(wanted), message
    for a, b in zip(got, wanted, strict=True):
        assert_array_equal(a, b, err_msg=message, strict=True)


@contextmanager
def _plain_only(op: Operator) -> Iterator[None]:
    kept = op.native_step, op.stacked, op.on_storage
    op.native_step = op.stacked = op.on_storage = None
    try:
        yield
    finally:
        op.native_step, op.stacked, op.on_storage = kept
