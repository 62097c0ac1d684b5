"""What operators promise on GPUs, checked on torch's CPU device or, with PENSTOCK_TEST_GPU=accelerator, on a GPU."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import penstock.dynamic as ndd
from penstock.testing.cases import (
    Arrays,
    Case,
    Made,
    Results,
    arrays_of,
    chosen,
    downloaded,
    listed,
    require,
    require_close,
    require_empty,
    require_same,
    specs_of,
)
from penstock.testing.run_again import check_compiled, check_pipeline
from penstock.values import accelerator

# Kinds of calls whose loops and pipelines have been checked: the values of arguments are nothing to these.
_RUN_AGAIN: set[tuple[Any, ...]] = set()


def gpu_of_tests(stand_in: str = "torch-cpu") -> str:
    """What device="gpu" is in tests of functions for GPUs, as `accelerator.use` takes it.

    That is a stand-in, unless PENSTOCK_TEST_GPU=accelerator has them run on the accelerator that torch finds.
    """
    asked = os.environ.get("PENSTOCK_TEST_GPU", "")
    if asked not in ("", "accelerator"):
        raise ValueError(f'PENSTOCK_TEST_GPU is "accelerator" or not set, got {asked!r}')
    return "" if asked else stand_in


@contextmanager
def on_torch_cpu() -> Iterator[None]:
    """torch's CPU device stands in for a GPU, unless the tests are to run on one."""
    accelerator.use(gpu_of_tests())
    try:
        yield
    finally:
        accelerator.use("")


def check_gpu(
    call: Callable[..., Any],
    *inputs: Arrays,
    layout: str | None = None,
    rtol: float = 0,
    atol: float = 0,
    **arguments: Any,
) -> None:
    """Holds what `call` makes of batches on torch's CPU device to what it makes of them on the CPU, and empty ones."""

    def results(device: str) -> Results:
        return listed(call(*(ndd.batch(each, layout=layout, device=device) for each in inputs), **arguments))

    expected = results("cpu")
    with on_torch_cpu():
        made = results("gpu")
        _require_there(made)
        require(specs_of(made) == specs_of(expected), "the spec on a GPU differs from that on the CPU")
        require_close(downloaded(made), arrays_of(expected), "the GPU differs from the CPU", rtol=rtol, atol=atol)
        batches = [ndd.batch(each, layout=layout, device="gpu") for each in inputs]
        require_empty(listed(call(*(chosen(batch, []) for batch in batches), **arguments)))


def check_case_on_gpu(case: Case, expected: Made, *, rtol: float, atol: float) -> None:
    """Holds a call to what it made on the CPU: in all evaluation modes, run again and again, one sample, and none."""
    case = case.on_gpu()
    batches = case.batches()
    before = downloaded(batches)
    results = case.of_batches(batches)
    foretold = specs_of(results)
    for result in results:
        places = {str(result.device), str(result.evaluate().device)}
        require(places == {"gpu:0"}, f"the result is said to be on {', '.join(sorted(places))}")
    _require_there(results)
    require(foretold == specs_of(results), "the foretold spec is not the real one on a GPU")
    got = downloaded(results)
    require_close(got, expected, "the GPU differs from the CPU", rtol=rtol, atol=atol)
    for mode in (ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu, ndd.EvalMode.sync_full):
        with mode:
            require_same(downloaded(case.of_batches(batches)), got, f"{mode} differs from eager on a GPU")
    require_same(downloaded(case.chained(batches)), got, "a deferred chain differs on a GPU")
    if case.kind not in _RUN_AGAIN:
        _RUN_AGAIN.add(case.kind)
        check_compiled(case, batches, got, " on a GPU")
        check_pipeline(case, batches, got, " on a GPU")
    for i in range(case.size if case.op.draw is None else 1):
        alone = [[np.asarray(tensor.cpu())] for tensor in case.of_sample(i)]
        wanted = [[arrays[i]] for arrays in got]
        require_close(alone, wanted, "a sample alone differs on a GPU", rtol=rtol, atol=atol)
    require_same(downloaded(batches), before, "an input was changed on a GPU")
    if not case.per_sample:
        require_empty(case.of_batches([chosen(batch, []) for batch in batches]))


def _require_there(results: Results) -> None:
    for result in results:
        there = result._placed().elsewhere
        require(there, "the result is not in the memory of the accelerator")
