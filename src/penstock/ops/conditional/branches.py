"""A batch split by a condition, and the batches of both branches merged."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.conditional.logic import refuse_axes
from penstock.schema import operator
from penstock.values.dtypes import int32
from penstock.values.samples import as_batch_array, from_array
from penstock.values.spec import UNKNOWN, Spec, spec_of

Array = np.ndarray[Any, Any]


def _foretell_both(sample: Spec, predicate: Spec) -> tuple[Spec, Spec]:
    return sample, sample


def _foretell_either(yes: Spec, no: Spec, predicate: Spec) -> Spec:
    return yes if yes == no else UNKNOWN  # one of them may turn out to have no samples


@operator(name="_conditional.numbers", infer=lambda: Spec(int32, 0), runs_on="cpu")
def numbers() -> Array:
    """Which sample of the batch each is."""
    return np.zeros((), np.int32)


@numbers.on_samples
def counted(pool: Pool, n: int) -> Samples:
    return from_array(np.arange(n, dtype=np.int32))


@operator(
    name="_conditional.split",
    infer=_foretell_both,
    results=2,
    batchwise=True,
    numbers_only=False,
    inputs_from=(1,),
)
def split(samples: list[Array], predicate: list[Array]) -> tuple[list[Array], list[Array]]:
    """The samples for which a condition holds, and the others, as two batches."""
    pairs = [*zip(samples, predicate, strict=True)]
    return [sample for sample, holds in pairs if holds], [sample for sample, holds in pairs if not holds]


@split.on_samples(anywhere=True)
def split_samples(pool: Pool, n: int, samples: Samples, predicate: Samples) -> tuple[Samples, Samples]:
    refuse_axes(predicate.ndim, "Conditions inside `if` statements are", " as a condition of the `if` statement")
    chosen = _chosen(predicate, n)
    if not samples.elsewhere:
        return _native.split(samples, chosen)
    every = samples if len(samples) == n else samples.select([0] * n)
    return tuple(every.select([i for i in range(n) if chosen[i] is side]) for side in (True, False))  # type: ignore[return-value]


@operator(name="_conditional.merge", infer=_foretell_either, batchwise=True, numbers_only=False, inputs_from=(2,))
def merge(yes: list[Array], no: list[Array], predicate: list[Array]) -> list[Array]:
    """Sample by sample the next of `yes` where a condition holds, else the next of `no`."""
    yes, no = [*reversed(yes)], [*reversed(no)]
    return [(yes if holds else no).pop() for holds in predicate]


@merge.on_samples(anywhere=True)
def merge_samples(pool: Pool, n: int, yes: Samples, no: Samples, predicate: Samples) -> Samples:
    chosen = _chosen(predicate, n)
    if any(chosen) and not all(chosen):
        _check_alike(spec_of(yes), spec_of(no))
    if yes.elsewhere or no.elsewhere:
        from penstock.gpu.samples import merged, upload

        device = max(yes.device, no.device)
        return merged(upload(yes, device), upload(no, device), chosen)
    return _native.merge(yes, no, chosen)


def _chosen(predicate: Samples, n: int) -> list[bool]:
    chosen: list[bool] = as_batch_array(predicate).astype(bool).tolist()
    return chosen * n if len(chosen) == 1 else chosen


def _check_alike(yes: Spec, no: Spec) -> None:
    for what, one, other in (
        ("types", yes.dtype, no.dtype),
        ("sample dimensions", yes.ndim, no.ndim),
        ("layouts", f'"{yes.layout}"', f'"{no.layout}"'),
    ):
        if one != other:
            raise RuntimeError(
                "Divergent data found in different branches of conditional operation. All paths in conditional "
                "operation are merged into one batch which must have consistent type, number of dimensions, layout "
                f"and other metadata. Found distinct {what}: {one} and {other}."
            )
