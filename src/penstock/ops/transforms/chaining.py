"""What the transforms share: matrices [M | T] for a whole batch, put together with those before them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from penstock.ops.names import type_name
from penstock.values.dtypes import float32
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]

MOST_DIMS = 6
LAYOUT = "**"
_EXPECTED = "The input, if provided, is expected to be a 2D tensor with dimensions (ndim, ndim+1)"


def check_input(*input: Spec, refusal: str = "Unexpected input data type") -> None:
    """Refuses what cannot be a transform before its shape is known."""
    for spec in input:
        if spec.dtype is not float32:
            raise RuntimeError(f"{refusal}. Expected float, got: {type_name(spec.dtype)}")
        if spec.ndim != 2:
            raise RuntimeError(f"{_EXPECTED}; got {spec.ndim} dimensions")


def foretell(*input: Spec, **vectors: Any) -> Spec:
    """The spec of a transform made of `vectors`: constants, or specs of arguments that differ by sample."""
    check_input(*input)
    for name, value in vectors.items():
        if isinstance(value, Spec) and value.ndim is not None and value.ndim > 1:
            raise RuntimeError(f"{name} takes a list of numbers per sample, got {value.ndim} dimensions")
    return Spec(float32, 2, LAYOUT)


def rows(name: str, values: Any, dims: int | None = None) -> Array:
    """An argument's values, a row per sample. One value serves all `dims` axes."""
    if isinstance(values, list):
        raise RuntimeError(f"{name} has values for different numbers of axes: such samples are made one by one")
    given: Array = values.astype(np.float32, copy=False)
    if dims is None:
        if not 0 < given.shape[1] <= MOST_DIMS:
            raise RuntimeError(f"Unsupported number of dimensions {given.shape[1]}; 1 to {MOST_DIMS} are")
        return given
    if given.shape[1:] not in ((dims,), (1,)):
        raise RuntimeError(f'Expected {dims} values for argument "{name}", got {given.shape[1]}')
    return given if given.shape[1] == dims else np.broadcast_to(given, (len(given), dims))


def with_translation(linear: Array, translation: Array | None = None) -> Array:
    """The matrices [M | T]; T is zero where none is given."""
    dims = linear.shape[-1]
    n = max(len(linear), 0 if translation is None else len(translation))
    made = np.zeros((n, dims, dims + 1), np.float32)
    made[:, :, :dims] = linear
    if translation is not None:
        made[:, :, dims] = translation
    return made


def about(linear: Array, center: Any) -> Array:
    """The matrices that leave `center` where it is."""
    if center is None:
        return with_translation(linear)
    fixed = rows("center", center, linear.shape[-1])
    return with_translation(linear, fixed - _matrix_product(linear, fixed[:, :, None])[:, :, 0])


def _matrix_product(left: Array, right: Array) -> Array:
    """By products that are rounded before they are added, as NumPy's `@` does on CPUs without FMA only."""
    made: Array = left[:, :, :1] * right[:, :1]
    for k in range(1, left.shape[2]):
        made += left[:, :, k : k + 1] * right[:, k : k + 1]
    return made


def product(second: Array, first: Array) -> Array:
    """The transform that does what `first` and then `second` does."""
    dims = second.shape[1]
    made = _matrix_product(second[:, :, :dims], first)
    made[:, :, dims] += second[:, :, dims]
    return made


def check_matrices(matrices: Array) -> None:
    if matrices.shape[2] != matrices.shape[1] + 1:
        raise RuntimeError(f"{_EXPECTED}; got {matrices.shape[1]} rows and {matrices.shape[2]} columns")


def chained(made: Array, input: tuple[Array, ...], reverse_order: bool) -> Array:
    """The new transform after the one given, or before it."""
    if not input:
        return made
    check_matrices(input[0])
    if input[0].shape[1] != made.shape[1]:
        raise RuntimeError(
            f"The input describes a {input[0].shape[1]}D transform but other arguments suggest a {made.shape[1]}D "
            "transform"
        )
    return product(input[0], made) if reverse_order else product(made, input[0])


def alone(whole: Callable[..., Array], input: Array | None, vectors: dict[str, Any], **constants: Any) -> Array:
    """One sample by the function that makes whole batches."""
    given = {name: None if value is None else np.atleast_1d(value)[None] for name, value in vectors.items()}
    inputs = () if input is None else (input[None],)
    made: Array = whole(*inputs, **given, **constants)[0]
    return made
