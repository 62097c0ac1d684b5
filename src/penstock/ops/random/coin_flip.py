"""Yes or no."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.names import type_name
from penstock.ops.random.drawing import alone, foretell, room
from penstock.schema import Draw, Example, PerSample, examples, operator
from penstock.values.dtypes import DType, bool_, int32, uint8
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(*shape_like: Spec, probability: Any, shape: Any, dtype: DType | None) -> Spec:
    wanted = dtype or int32
    if wanted not in (bool_, uint8, int32):
        raise RuntimeError(
            f"Data type {type_name(wanted)} is currently not supported. Supported types are : bool, uint8, int32"
        )
    if not isinstance(probability, Spec):
        _check_probability([float(np.float32(probability))])
    return foretell(wanted, shape, *shape_like)


def _check_probability(values: list[float]) -> None:
    for index, value in enumerate(values):
        if not 0 <= value <= 1:
            raise RuntimeError(
                f"The `probability` must be in range [0, 1], got `{value:g}` for sample at index {index}."
            )


@operator(name="random.coin_flip", infer=_foretell, inputs_from="anywhere")
def coin_flip(
    shape_like: Array | None = None,
    *,
    probability: PerSample[float] = 0.5,
    shape: PerSample[list[int]] | None = None,
    dtype: DType | None = None,
    draw: Draw,
) -> Array:
    """Draws 1 with a given probability, else 0.

        ndd.flip(images, horizontal=ndd.random.coin_flip(batch_size=64))

    Args:
        shape_like: A sample whose shape the result gets.
        probability: How often 1 comes up, from 0 to 1.
        shape: Shape of the result; a scalar by default.
        dtype: Element type: int32 by default, bool or uint8.
    """
    return alone(whole, shape_like, draw, dtype, probability=probability, shape=shape)


@coin_flip.on_samples
def whole(
    pool: Pool, n: int, *shape_like: Samples, probability: Array, shape: Any, dtype: DType | None, draw: Draw
) -> Samples:
    _check_probability(probability.tolist())
    out = room(dtype or int32, n, shape, *shape_like)
    _native.random_coin_flip(pool, out, draw, probability)
    return out


@coin_flip.draws_numbers
def numbers(*, probability: Array, shape: Any, dtype: DType | None) -> _native.NumberSource:
    _check_probability(probability.tolist())
    return _native.NumberSource.coin_flip((dtype or int32).code, float(probability[0]))


coin_flip.examples = examples(
    "ndd.random.coin_flip()",
    Example("ndd.random.coin_flip(batch_size=256)", timed=True),
)
