"""Mirroring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import by_bits
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.dtypes import bool_, float16
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("FDHWC", "FHWC", "DHWC", "HWC", "FCDHW", "FCHW", "CDHW", "CHW")


def _foretell(image: Spec, **arguments: Any) -> Spec:
    if image.dtype in (float16, bool_):
        raise RuntimeError(f"The element type {type_name(image.dtype)} is not supported.")
    return image


@operator(layouts=LAYOUTS, channels_last=True, infer=_foretell)
def flip(
    image: Array,
    *,
    horizontal: PerSample[int] = 1,
    vertical: PerSample[int] = 0,
    depthwise: PerSample[int] = 0,
) -> Array:
    """Mirrors an image along the chosen axes.

        ndd.flip(images, horizontal=ndd.random.coin_flip(batch_size=64))

    Args:
        horizontal: Mirror left to right.
        vertical: Mirror top to bottom.
        depthwise: Mirror front to back; volumes only.
    """
    flags = (depthwise, vertical, horizontal)[4 - image.ndim :]
    return image[tuple(slice(None, None, -1 if flag else 1) for flag in flags)]


@flip.native
def native(spec: Spec, *, horizontal: Array, vertical: Array, depthwise: Array) -> _native.Step:
    assert spec.layout is not None
    flags = {"W": horizontal, "H": vertical, "D": depthwise}
    axes = [axis for axis, name in enumerate(spec.layout) if name in flags]
    return _native.Flip.of_columns(axes, [flags[spec.layout[axis]] for axis in axes])


@flip.gpu
def gpu(image: torch.Tensor, *, horizontal: int, vertical: int, depthwise: int) -> torch.Tensor:
    flags = (depthwise, vertical, horizontal)[5 - image.ndim :]
    axes = [axis for axis, flag in enumerate(flags, start=1) if flag]
    return by_bits(lambda image: image.flip(axes), image)


flip.examples = examples(
    Example("ndd.flip(image)", compared=True, drawn=True, plain="cv2.flip(image, 1)"),
    Example("ndd.flip(image, horizontal=0, vertical=1)", compared=True, drawn=True, plain="cv2.flip(image, 0)"),
    "ndd.flip(image, horizontal=ndd.batch([0, 1, 1]), vertical=ndd.batch([1, 1, 0]))",
)
