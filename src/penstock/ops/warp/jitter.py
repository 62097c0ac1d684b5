"""Images through frosted glass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.types import beside
from penstock.ops.warp.displacement import LAYOUTS, Displacement, pixel_axes, same_image
from penstock.schema import Draw, Example, examples, operator
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _foretell(image: Spec, *, nDegree: int, displacement: Displacement) -> Spec:  # noqa: N803
    if not 0 <= nDegree < 2**16:
        raise RuntimeError(f"nDegree must be at least 0 and below 65536, got {nDegree}")
    return same_image(image, displacement=displacement)


@operator(layouts=LAYOUTS, infer=_foretell)
def jitter(image: Array, *, nDegree: int = 2, displacement: Displacement, draw: Draw) -> Array:  # noqa: N803
    """Moves every pixel by a random amount, as seen through frosted glass.

        ndd.jitter(images, nDegree=6, rng=ndd.random.RNG(7))

    Args:
        nDegree: Pixels come from up to half as far away, across and down.
        mask: 0 leaves the image as it is.
        interp_type: INTERP_NN or INTERP_LINEAR; shifts are whole pixels, so that both show the same.
        fill_value: Colour of what comes from outside the image.
    """
    height, width = image.shape[:2]
    shifts = np.asarray(_native.jitter_shifts(draw.words, draw.sample, height * width, nDegree // 2))
    across, down = shifts.reshape(2, height, width)
    rows, columns = np.arange(height)[:, None] + np.float32(0.5), np.arange(width) + np.float32(0.5)
    return displacement.look_up(image, [rows + down, columns + across])


@jitter.native
def native(image: Spec, *, nDegree: int, displacement: Displacement, draw: Draw) -> _native.Step:  # noqa: N803
    mask: Any = displacement.mask
    return _native.Jitter(displacement.options(image), mask, draw.words, nDegree // 2)


@jitter.gpu
def gpu(image: torch.Tensor, *, nDegree: int, displacement: Displacement, draw: Draw) -> torch.Tensor:  # noqa: N803
    height, width = image.shape[1:3]
    shifts = np.asarray(_native.jitter_shifts(draw.words, draw.sample, height * width, nDegree // 2))
    across, down = beside(shifts.reshape(2, height, width), image)
    rows, columns = pixel_axes(image)
    return displacement.look_up_gpu(image, [rows + 0.5 + down, columns + 0.5 + across])


jitter.examples = examples(
    Example("ndd.jitter(image, nDegree=6)", drawn=True),
)
