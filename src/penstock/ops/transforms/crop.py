"""Matrices that carry one box over to another."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.ops.transforms.chaining import alone, chained, foretell, rows, with_translation
from penstock.schema import PerSample, operator
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(*input: Spec, absolute: bool, reverse_order: bool, **corners: Any) -> Spec:
    given = {name: np.array([corner]) for name, corner in corners.items() if isinstance(corner, list)}
    _dims(given)
    return foretell(*input, **corners)


def _dims(corners: dict[str, Array]) -> int:
    """How many axes the corners have; those with one value serve for any number."""
    sizes = {rows(name, corner).shape[1] for name, corner in corners.items()} - {1}
    if len(sizes) > 1:
        raise RuntimeError(
            f"Arguments {', '.join(corners)} should have the same number of dimensions or be scalars, got "
            f"{sorted(sizes)}"
        )
    return sizes.pop() if sizes else 1


@operator(name="transforms.crop", infer=_foretell, frames=True, runs_on="cpu")
def crop(
    input: Array | None = None,
    *,
    from_start: PerSample[list[float]] = [0.0],  # noqa: B006
    from_end: PerSample[list[float]] = [1.0],  # noqa: B006
    to_start: PerSample[list[float]] = [0.0],  # noqa: B006
    to_end: PerSample[list[float]] = [1.0],  # noqa: B006
    absolute: bool = False,
    reverse_order: bool = False,
) -> Array:
    """Makes the matrix of the affine transform that carries one box over to another.

        ndd.transforms.crop(from_start=[0.1, 0.2], from_end=[0.6, 0.7])

    Args:
        input: A transform to go before this one.
        from_start: Lower corner of the first box; one number stands for all axes.
        from_end: Upper corner of the first box.
        to_start: Lower corner of the second box.
        to_end: Upper corner of the second box.
        absolute: Exchange start and end where they are the wrong way round, instead of mirroring.
        reverse_order: Let the transform given as input go after this one.
    """
    corners = {"from_start": from_start, "from_end": from_end, "to_start": to_start, "to_end": to_end}
    return alone(stack, input, corners, absolute=absolute, reverse_order=reverse_order)


@crop.on_stack
def stack(*input: Array, absolute: bool, reverse_order: bool, **corners: Any) -> Array:
    dims = _dims(corners)
    from_start, from_end, to_start, to_end = (
        rows(name, corners[name], dims) for name in ("from_start", "from_end", "to_start", "to_end")
    )
    if absolute:
        from_start, from_end = np.minimum(from_start, from_end), np.maximum(from_start, from_end)
        to_start, to_end = np.minimum(to_start, to_end), np.maximum(to_start, to_end)
    with np.errstate(all="ignore"):
        factors = (to_end - to_start) / (from_end - from_start)
        linear = np.where(np.eye(dims, dtype=bool), factors[:, :, None], np.float32(0))
        return chained(with_translation(linear, to_start - factors * from_start), input, reverse_order)
