"""`check_operator`: what every operator promises, checked in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

import penstock.dynamic as ndd
from penstock.testing.cases import (
    Arrays,
    Case,
    Made,
    arrays_of,
    chosen,
    plain_only,
    require,
    require_close,
    require_empty,
    require_same,
    specs_of,
)
from penstock.testing.gpu import check_case_on_gpu, on_torch_cpu
from penstock.testing.run_again import check_compiled, check_pipeline

_THREADED_FROM_BYTES = 1 << 19  # more than what the engine keeps to one thread
_MOST_REPEATED = 1 << 12


def check_operator(
    operator: Callable[..., Any],
    *inputs: Arrays,
    layout: str | Sequence[str | None] | None = None,
    per_sample: dict[str, Sequence[Any]] | None = None,
    rtol: float = 0,
    atol: float = 0,
    gpu_rtol: float | None = None,
    gpu_atol: float | None = None,
    gpu: bool = True,
    **arguments: Any,
) -> Any:
    """Holds an operator to its promises, and returns its results for closer looks: arrays, one for every sample.

        @ndd.operator
        def posterize(image, *, bits: ndd.PerSample[int] = 4):
            return image & (256 - (1 << (8 - bits)))

        def test_posterize():
            images = [np.full((4, 6, 3), 200, np.uint8), np.full((1, 5, 3), 77, np.uint8)]
            first, second = check_operator(posterize, images, layout="HWC", per_sample={"bits": [2, 4]})
            assert first.max() == 192

    A batch equals its samples one by one; every evaluation mode agrees, and so do a compiled loop, a pipeline and
    several threads; what is foretold of results holds; inputs are left alone; an empty batch makes an empty batch.
    Where an operator has more than its function on one sample, all of it equals that. What runs on GPUs makes the same
    on torch's CPU device, in all these ways. What does not hold is an AssertionError that says so.

    Random operators are given a generator that starts anew for each call. Pipelines draw from seeds of their own, so
    two of one seed are compared.

    Args:
        operator: One made by `@ndd.operator`, or a function such as `ndd.flip`.
        inputs: For each input a list of arrays, one for every sample.
        layout: Layout of the first input, or a list with one for every input.
        per_sample: Arguments with a value for every sample.
        rtol, atol: How far what else it has may differ from its function on one sample, where the method differs.
        gpu_rtol, gpu_atol: How far the function for GPUs may differ; as the others if None.
        gpu: Whether its function for GPUs takes these arguments; it is checked only where torch is installed.
        arguments: Those of the operator.
    """
    layouts = [layout] if layout is None or isinstance(layout, str) else [*layout]
    case = Case(operator, inputs, [*layouts, *[None] * (len(inputs) - len(layouts))], per_sample or {}, arguments)
    batches = case.batches()
    before = [[np.array(sample) for sample in batch] for batch in batches]

    results = case.of_batches(batches)
    foretold = specs_of(results)
    expected = arrays_of(results)
    require(foretold == specs_of(results), "the foretold spec is not the real one")
    for result, arrays in zip(results, expected, strict=True):
        require(all(result.dtype.numpy == array.dtype for array in arrays), "the type of the batch is not its samples'")

    with plain_only(case.op):
        plain = arrays_of(case.of_batches(batches))
    require_close(expected, plain, "differs from the plain function", rtol=rtol, atol=atol)
    for mode in (ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu, ndd.EvalMode.sync_full):
        with mode:
            require_same(arrays_of(case.of_batches(batches)), expected, f"{mode} differs from eager")
    require_same(arrays_of(case.chained(batches)), expected, "fused differs from unfused")
    _check_samples(case, expected)
    if case.is_plain:
        _check_threads(case, expected)
        check_compiled(case, batches, expected)
        check_pipeline(case, batches, expected)
    require_same([[np.array(sample) for sample in batch] for batch in batches], before, "an input was changed")
    if not case.per_sample:
        require_empty(case.of_batches([chosen(batch, []) for batch in batches]))
    if gpu and case.op.runs_on != "cpu" and find_spec("torch"):
        within = {"rtol": rtol if gpu_rtol is None else gpu_rtol, "atol": atol if gpu_atol is None else gpu_atol}
        with on_torch_cpu():
            check_case_on_gpu(case, expected, **within)
    return expected[0] if len(expected) == 1 else tuple(expected)


def _check_samples(case: Case, expected: Made) -> None:
    """A sample alone; of a random operator only the first, since others draw numbers by their place in the batch."""
    for i in range(case.size if case.op.draw is None else 1):
        alone = [[np.asarray(tensor)] for tensor in case.of_sample(i)]
        require_same(alone, [[arrays[i]] for arrays in expected], "a sample alone differs from the batch")


def _check_threads(case: Case, expected: Made) -> None:
    """The samples again and again, until there are enough of them for the threads."""
    if case.per_sample or case.op.draw is not None:
        return
    size = sum(array.nbytes for samples in case.inputs for array in samples)
    times = min(_THREADED_FROM_BYTES // max(size, 1) + 1, _MOST_REPEATED)
    many = [chosen(batch, [*range(case.size)] * times) for batch in case.batches()]
    require_same(arrays_of(case.of_batches(many)), [arrays * times for arrays in expected], "threads change results")
