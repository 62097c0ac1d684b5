"""Noise that replaces pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.gpu.casting import by_bits
from penstock.gpu.types import beside, dtype_of
from penstock.ops.image.extraction import truncated
from penstock.ops.noise.kinds import refuse_types
from penstock.schema import Draw, Example, PerSample, examples, operator
from penstock.schema.params import Layout
from penstock.values.dtypes import DType, float32
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _foretell(input: Spec, *, prob: Any, salt_vs_pepper: Any, per_channel: bool, **values: Any) -> Spec:
    assert input.layout is not None
    assert input.ndim is not None
    refuse_types(input)
    for name, value in (("prob", prob), ("salt_vs_pepper", salt_vs_pepper)):
        if isinstance(value, float):
            _check_share(name, np.array([value]))
    _channel_axis(input.layout, input.ndim, per_channel)
    return input


def _check_share(name: str, values: Array) -> None:
    for value in values[~((values >= 0) & (values <= 1))]:
        raise RuntimeError(f"{name} should be a value within [0.0, 1.0]. Got: {value:g}")


def _channel_axis(layout: str, ndim: int, per_channel: bool) -> int:
    """The axis along which pixels are replaced as a whole; -1 where every element counts for itself."""
    if per_channel or not ndim:
        return -1
    axis = layout.find("C") if layout else ndim - 1
    if axis not in (0, ndim - 1):
        raise RuntimeError(
            "'C' should be the first or the last dimension in the layout, except for empty layouts where channel-last "
            f'is assumed. Got layout: "{layout}"; per_channel=True needs no channels'
        )
    return axis


def _values(dtype: DType, salt: Any, pepper: Any) -> tuple[Array, Array]:
    """What is put in: 1 and -1 by default, and the largest and smallest numbers of integer types."""
    kind = dtype.storage
    low, high = (-1.0, 1.0) if kind.kind == "f" else (float(np.iinfo(kind).min), float(np.iinfo(kind).max))
    chosen = (high if salt is None else salt), (low if pepper is None else pepper)
    return tuple(np.array(value, np.float32).reshape(-1) for value in chosen)  # type: ignore[return-value]


@operator(name="noise.salt_and_pepper", infer=_foretell)
def salt_and_pepper(
    input: Array,
    *,
    prob: PerSample[float] = 0.05,
    salt_vs_pepper: PerSample[float] = 0.5,
    salt_val: PerSample[float] | None = None,
    pepper_val: PerSample[float] | None = None,
    per_channel: bool = False,
    draw: Draw,
    layout: Layout,
) -> Array:
    """Replaces random pixels with salt, the brightest value there is, or pepper, the darkest.

        ndd.noise.salt_and_pepper(images, prob=0.1)
        ndd.noise.salt_and_pepper(images, prob=0.02, salt_vs_pepper=1.0, salt_val=200)

    Args:
        prob: Probability of a pixel being replaced.
        salt_vs_pepper: How many of the replaced pixels are salt, from 0 to 1.
        salt_val: What salt is: 1 for floats, else the largest value of the type.
        pepper_val: What pepper is: -1 for floats, else the smallest value of the type.
        per_channel: Replace the channels of a pixel one by one, not all together.
    """
    salty, peppered = _replaced(input.shape, prob, salt_vs_pepper, _channel_axis(layout, input.ndim, per_channel), draw)
    dtype = DType.by_numpy[input.dtype]
    salt, pepper = (truncated(value, dtype)[0] for value in _values(dtype, salt_val, pepper_val))
    return np.where(salty, salt, np.where(peppered, pepper, input))


def _replaced(shape: Sequence[int], prob: float, salt_vs_pepper: float, axis: int, draw: Draw) -> tuple[Array, Array]:
    """Where there is salt in a sample, and where there is pepper unless there is salt."""
    _check_share("prob", np.array([prob]))
    _check_share("salt_vs_pepper", np.array([salt_vs_pepper]))
    drawn = Samples.empty(float32.code, 1, [1 if k == axis else extent for k, extent in enumerate(shape)])
    _native.random_uniform(Pool(1), drawn, draw, np.array([[0, 1]], np.float32))
    unit = drawn.sample(0)
    return unit < np.float32(prob) * np.float32(salt_vs_pepper), unit < np.float32(prob)


@salt_and_pepper.native
def native(
    input: Spec,
    *,
    prob: Array,
    salt_vs_pepper: Array,
    salt_val: Array | None,
    pepper_val: Array | None,
    per_channel: bool,
    draw: Draw,
) -> _native.Step:
    assert input.dtype is not None
    assert input.layout is not None
    assert input.ndim is not None
    _check_share("prob", prob)
    _check_share("salt_vs_pepper", salt_vs_pepper)
    axis = _channel_axis(input.layout, input.ndim, per_channel)
    return _native.Noise.salt_and_pepper(draw, prob, salt_vs_pepper, *_values(input.dtype, salt_val, pepper_val), axis)


@salt_and_pepper.gpu  # the CPU draws the numbers, as for random.uniform
def gpu(
    input: torch.Tensor,
    *,
    prob: float,
    salt_vs_pepper: float,
    salt_val: float | None,
    pepper_val: float | None,
    per_channel: bool,
    draw: Draw,
    layout: Layout,
) -> torch.Tensor:
    import torch

    axis = _channel_axis(layout, input.ndim - 1, per_channel)
    salty, peppered = (beside(each, input) for each in _replaced(input.shape[1:], prob, salt_vs_pepper, axis, draw))
    dtype = dtype_of(input)
    salt, pepper = (beside(truncated(value, dtype)[0], input) for value in _values(dtype, salt_val, pepper_val))
    return by_bits(
        lambda input, salt, pepper: torch.where(salty, salt, torch.where(peppered, pepper, input)), input, salt, pepper
    )


salt_and_pepper.examples = examples(
    "ndd.noise.salt_and_pepper(image)",
    "ndd.noise.salt_and_pepper(image, prob=0.4, salt_vs_pepper=0.2)",
    "ndd.noise.salt_and_pepper(image, prob=0.4, salt_val=200.7, pepper_val=3.2)",
    "ndd.noise.salt_and_pepper(image, prob=0.4, per_channel=True)",
    "ndd.noise.salt_and_pepper(image, prob=ndd.batch([0.0, 0.5, 1.0]), salt_val=ndd.batch([1.0, 2.0, 3.0]))",
    Example("ndd.noise.salt_and_pepper(image, prob=0.1)", drawn=True),
)
