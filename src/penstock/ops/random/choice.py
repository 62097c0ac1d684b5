"""Picking from a list."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.names import type_name
from penstock.ops.random.drawing import rank, room
from penstock.schema import Draw, Example, PerSample, examples, operator
from penstock.values.dtypes import BY_CODE, int8, int16, int32, int64, uint8, uint16, uint32, uint64
from penstock.values.samples import from_array, from_arrays
from penstock.values.spec import UNKNOWN, Spec

Array = np.ndarray[Any, Any]

# How far the probabilities may be from adding up to 1; they are scaled to it.
_SUM_TOLERANCE = 1e-4
# What a number of elements to pick from may be given as.
_COUNTS = (uint8, uint16, uint32, uint64, int8, int16, int32, int64)


def _foretell(a: Spec, *shape_like: Spec, p: Any, shape: Any) -> Spec:
    assert a.ndim is not None
    assert a.dtype is not None
    if a.ndim == 0 and a.dtype not in _COUNTS:
        raise RuntimeError(
            f"Data type {type_name(a.dtype)} is not supported for 0D inputs. Supported types are: "
            f"{', '.join(map(type_name, _COUNTS))}."
        )
    ndim = rank(shape, *shape_like)
    if ndim is None:
        return UNKNOWN
    layout = a.layout if ndim == 1 else (a.layout or "")[1:] if ndim == 0 else ""
    return Spec(a.dtype, ndim + max(0, a.ndim - 1), layout)


@operator(name="random.choice", infer=_foretell, numbers_only=False, runs_on="cpu")
def choice(
    a: Array,
    shape_like: Array | None = None,
    *,
    p: PerSample[list[float]] | None = None,
    shape: PerSample[list[int]] | None = None,
    draw: Draw,
) -> Array:
    """Picks elements at random, from range(a) or along the first axis of an array.

        ndd.random.choice(10, shape=[3])
        ndd.random.choice([0, 90, 180, 270], p=[0.7, 0.1, 0.1, 0.1], batch_size=64)

    Args:
        a: How many there are to pick from, or what to pick from.
        shape_like: A sample whose shape the result gets.
        p: How likely each is, or one number for all; all alike by default.
        shape: How many to pick; one by default.
    """
    inputs = () if shape_like is None else (Samples.wrap_one(shape_like),)
    rows = {name: None if value is None else np.asarray(value)[None] for name, value in (("p", p), ("shape", shape))}
    picked: Array = whole(Pool(1), 1, Samples.wrap_one(a), *inputs, draw=draw, **rows).sample(0)
    return picked


@choice.on_samples
def whole(pool: Pool, n: int, a: Samples, *shape_like: Samples, p: Any, shape: Any, draw: Draw) -> Samples:
    counts = np.array([_count(a, i) for i in range(len(a))], np.int64)
    for index, count in enumerate(counts):
        if count <= 0:
            raise RuntimeError(f"Expected positive number of elements for sampling, got: {count} for sample: {index}.")
    indices = room(int64 if a.ndim else BY_CODE[a.code], n, shape, *shape_like)
    chances = None if p is None else _probabilities(p, counts)
    _native.random_indices(pool, indices, draw, counts, chances, a.ndim > 1)
    return _picked(a, indices, n)


def _count(a: Samples, i: int) -> int:
    return int(a.sample(i)) if a.ndim == 0 else int(a.shape(i)[0])


def _probabilities(p: Any, counts: Array) -> Samples:
    given = [np.atleast_1d(np.asarray(row, np.float32)) for row in p]
    rows = []
    for i in range(max(len(given), len(counts))):
        mine, count = given[i if len(given) > 1 else 0], counts[i if len(counts) > 1 else 0]
        if len(mine) == 1:
            mine = np.repeat(mine, count)
        if len(mine) != count:
            raise RuntimeError(f'Unexpected shape for argument "p". Expected {{{count}}}, but got {{{len(mine)}}}')
        for at in np.flatnonzero(~((mine >= 0) & (mine <= 1))):
            raise RuntimeError(
                f"Probabilities must be in range [0, 1], but got: {mine[at]:g} for sample: {i} at index {at}."
            )
        whole = float(mine.sum(dtype=np.float64))
        if abs(whole - 1) > _SUM_TOLERANCE:
            raise RuntimeError(f"Sum of probabilities must be 1.0, but got {whole:g} for sample: {i}.")
        rows.append(mine)
    return from_arrays(rows)


def _picked(a: Samples, indices: Samples, n: int) -> Samples:
    if a.ndim == 0:
        return indices
    if len(a) == 1 and indices.dense:
        return from_array(a.sample(0)[indices.array()])
    return from_arrays([a.sample(i if len(a) > 1 else 0)[indices.sample(i)] for i in range(n)])


choice.examples = examples(
    "ndd.random.choice(10, shape=[500])",
    "ndd.random.choice(4, p=0.25, shape=[50])",
    "ndd.random.choice(7, batch_size=20)",
    Example("ndd.random.choice(10, batch_size=256)", timed=True),
)
