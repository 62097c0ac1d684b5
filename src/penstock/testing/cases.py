"""A call of an operator to be checked: made again and again, of batches, samples and nodes, on either device."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import penstock.dynamic as ndd
from penstock.schema.operator import Operator

Arrays = list[np.ndarray[Any, Any]]
Results = list[ndd.Batch]
Made = list[Arrays]  # for each result its samples

_SEED = 7


class Case:
    """An operator with samples for its inputs and arguments.

    Random operators draw from a generator that starts anew for each call, so that all calls draw the same numbers.
    """

    def __init__(
        self,
        operator: Callable[..., Any],
        inputs: Sequence[Arrays],
        layouts: Sequence[str | None],
        per_sample: dict[str, Sequence[Any]],
        arguments: dict[str, Any],
    ) -> None:
        op = getattr(operator, "operator", None)
        if not isinstance(op, Operator):
            raise TypeError(f"an operator such as ndd.flip, or one made by @ndd.operator, is checked; got {operator!r}")
        if not inputs or not inputs[0]:
            raise ValueError(f"{op.name}() is checked with samples of every input")
        self.op = op
        self.inputs = [list(samples) for samples in inputs]
        self.size = len(self.inputs[0])
        self.per_sample = per_sample
        self._call = operator
        self._layouts = layouts
        self._arguments = arguments
        self.inputs_on = "cpu"

    def on_gpu(self) -> Case:
        """The same call on a GPU: its inputs are there, or on the CPU where the operator takes them from it."""
        mixed = self.op.runs_on == "mixed"
        arguments = self._arguments | ({"device": "gpu"} if mixed else {})
        case = Case(self._call, self.inputs, self._layouts, self.per_sample, arguments)
        case.inputs_on = "cpu" if mixed else "gpu"
        return case

    def batches(self) -> list[ndd.Batch]:
        pairs = zip(self.inputs, self._layouts, strict=True)
        return [ndd.batch(samples, layout=layout, device=self.inputs_on) for samples, layout in pairs]

    def values(self) -> dict[str, ndd.Batch]:
        """The arguments that have a value for every sample."""
        return {name: ndd.batch(list(values)) for name, values in self.per_sample.items()}

    def of_batches(self, batches: Sequence[Any], values: dict[str, Any] | None = None) -> Results:
        """The results of a call."""
        values = self.values() if values is None else values
        return listed(self._call(*batches, **self._arguments, **values, **self._generator()))

    def chained(self, batches: Results) -> Results:
        """The results of a call between copies, which a deferred evaluation runs as one chain."""
        with ndd.EvalMode.deferred:
            return [ndd.copy(result) for result in self.of_batches([ndd.copy(batch) for batch in batches])]

    def of_sample(self, i: int) -> list[ndd.Tensor]:
        pairs = zip(self.inputs, self._layouts, strict=True)
        inputs = [ndd.tensor(samples[i], layout=layout, device=self.inputs_on) for samples, layout in pairs]
        own = {name: ndd.tensor(values[i]) for name, values in self.per_sample.items()}
        return listed(self._call(*inputs, **self._arguments, **own, **self._generator()))

    def of_nodes(self, define: Callable[..., Any], nodes: Sequence[Any], values: dict[str, Any]) -> list[Any]:
        """The nodes of a call in a pipeline."""
        told = {"device": "mixed"} if "device" in self._arguments else {}  # what pipelines call it
        return listed(define(self.op, nodes, {**self._arguments, **told, **values}))

    def _generator(self) -> dict[str, Any]:
        return {} if self.op.draw is None else {"rng": ndd.random.RNG(_SEED)}

    @property
    def kind(self) -> tuple[Any, ...]:
        """What a plan is made for: the operator, what its inputs are, and which arguments it has."""
        specs = [(samples[0].dtype, samples[0].ndim) for samples in self.inputs]
        return (self.op, *self._layouts, *specs, *self._arguments, "per sample", *self.per_sample)

    @property
    def is_plain(self) -> bool:
        """Whether it has nothing but a function in Python on one sample."""
        op = self.op
        return not (op.batchwise or op.native_step or op.stacked or op.on_storage)


def listed(results: Any) -> list[Any]:
    return [*results] if isinstance(results, (tuple, list)) else [results]


def chosen(batch: ndd.Batch, places: list[int]) -> ndd.Batch:
    """Samples of a batch, or none of them."""
    some = batch.select(places)
    assert isinstance(some, ndd.Batch)
    return some


def specs_of(results: Sequence[Any]) -> list[Any]:
    return [(each.dtype, each.ndim, each.layout) for each in results]


def arrays_of(results: Sequence[Any]) -> Made:
    return [[np.asarray(tensor) for tensor in batch] for batch in results]


def downloaded(results: Sequence[ndd.Batch]) -> Made:
    return [[np.array(tensor) for tensor in batch.cpu()] for batch in results]


def require(holds: bool, message: str) -> None:
    """Raises AssertionError with a message unless something holds, also under `python -O`."""
    if not holds:
        raise AssertionError(message)


def require_same(got: Made, wanted: Made, message: str) -> None:
    for one, other in _pairs(got, wanted, message):
        assert_array_equal(one, other, err_msg=message, strict=True)


def require_close(got: Made, wanted: Made, message: str, *, rtol: float, atol: float) -> None:
    for one, other in _pairs(got, wanted, message):
        require(one.dtype == other.dtype, f"{message}: {one.dtype} is not {other.dtype}")
        assert_allclose(one, other, rtol=rtol, atol=atol, err_msg=message)


def _pairs(got: Made, wanted: Made, message: str) -> Iterator[tuple[Any, Any]]:
    require(
        [*map(len, got)] == [*map(len, wanted)], f"{message}: {[*map(len, got)]} samples, not {[*map(len, wanted)]}"
    )
    for ours, theirs in zip(got, wanted, strict=True):
        yield from zip(ours, theirs, strict=True)


def require_empty(results: Sequence[ndd.Batch]) -> None:
    for empty in results:
        require(empty.batch_size == 0 and empty.evaluate().shape == [], "an empty batch does not make an empty batch")


@contextmanager
def plain_only(op: Operator) -> Iterator[None]:
    """Has an operator run as its function on one sample, whatever else it has."""
    kept = op.native_step, op.stacked, op.on_storage
    op.native_step = op.stacked = op.on_storage = None
    try:
        yield
    finally:
        op.native_step, op.stacked, op.on_storage = kept
