"""The samples of a batch in another order."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.schema import Draw, Example, PerSample, examples, operator
from penstock.values.dtypes import int32
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(data: Spec, *, indices: Any) -> Spec:
    return data


@operator(infer=_foretell, batchwise=True, numbers_only=False)
def permute_batch(data: list[Array], *, indices: PerSample[list[int]]) -> list[Array]:
    """Puts the samples of a batch in another order; nothing is copied.

        ndd.permute_batch(images, indices=ndd.batch_permutation(batch_size=64))
        ndd.permute_batch(images, indices=[2, 0, 1])

    Samples may be repeated or left out.

    Args:
        indices: For every sample of the result, which one of the input it is.
    """
    return [data[index] for index in _places(indices, len(data), len(data))]


@permute_batch.on_samples(anywhere=True)
def permuted(pool: Pool, n: int, data: Samples, *, indices: Any) -> Samples:
    return data.select(_places(indices, n, len(data)))


def _places(indices: Any, n: int, available: int) -> list[int]:
    """One place for every sample of the result: from a list for all, or from a number for each."""
    places = np.concatenate([np.ravel(row) for row in indices]) if isinstance(indices, list) else indices.ravel()
    if len(places) == 1:
        places = np.repeat(places, n)
    if len(places) != n:
        raise RuntimeError(
            f"The number of sample indices {len(places)} does not match the current batch size, which is {n}"
        )
    for i in np.flatnonzero((places < 0) | (places >= available)):
        raise RuntimeError(
            f"Sample index out of range. indices[{i}] = {places[i]} is not a valid index for an input batch of "
            f"{available} tensors."
        )
    found: list[int] = places.tolist()
    return found


def _foretell_places(**flags: bool) -> Spec:
    return Spec(int32, 0, "")


@operator(infer=_foretell_places, batchwise=True, runs_on="cpu")
def batch_permutation(*, allow_repetitions: bool = False, no_fixed_points: bool = False, draw: Draw) -> list[Array]:
    """Draws a random order of the samples of a batch, for `permute_batch`.

        ndd.batch_permutation(batch_size=64)

    Args:
        allow_repetitions: Draw every place by itself, so that samples may come twice or not at all.
        no_fixed_points: Let no sample stay where it is. A batch of one has no choice.
    """
    drawn = places(Pool(1), 1, allow_repetitions=allow_repetitions, no_fixed_points=no_fixed_points, draw=draw)
    return [drawn.sample(0)]


@batch_permutation.on_samples
def places(pool: Pool, n: int, *, allow_repetitions: bool, no_fixed_points: bool, draw: Draw) -> Samples:
    out = Samples.empty(int32.code, n, [])
    _native.random_permutation(out, draw, allow_repetitions, no_fixed_points)
    return out


batch_permutation.examples = examples(
    Example("ndd.batch_permutation(batch_size=256)", timed=True),
)

permute_batch.examples = examples(
    Example("ndd.permute_batch(scalars, indices=ndd.batch_permutation(batch_size=256))", timed=True),
)
