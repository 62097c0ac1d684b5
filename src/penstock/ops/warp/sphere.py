"""Images in a glass ball."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.ops.warp.displacement import LAYOUTS, Displacement, pixel_axes, same_image
from penstock.schema import Example, examples, operator
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


@operator(layouts=LAYOUTS, infer=same_image)
def sphere(image: Array, *, displacement: Displacement) -> Array:
    """Shows an image as if through a glass ball, its middle magnified.

        ndd.sphere(images, mask=ndd.random.coin_flip(batch_size=64))

    Args:
        mask: 0 leaves the image as it is.
        interp_type: INTERP_NN or INTERP_LINEAR.
        fill_value: Colour of what comes from outside the image.
    """
    height, width = image.shape[:2]
    radius = np.float32(max(height // 2, width // 2, 1))
    middle_y, middle_x = np.float32(height / 2), np.float32(width / 2)
    down = np.arange(height, dtype=np.float32)[:, None] + np.float32(0.5) - middle_y
    across = np.arange(width, dtype=np.float32) + np.float32(0.5) - middle_x
    share = np.sqrt(across * across + down * down) / radius
    return displacement.look_up(image, [middle_y + share * down, middle_x + share * across])


@sphere.native
def native(image: Spec, *, displacement: Displacement) -> _native.Step:
    mask: Any = displacement.mask
    return _native.Sphere(displacement.options(image), mask)


@sphere.gpu
def gpu(image: torch.Tensor, *, displacement: Displacement) -> torch.Tensor:
    height, width = image.shape[1:3]
    radius = float(max(height // 2, width // 2, 1))
    down, across = pixel_axes(image)
    down, across = down + (0.5 - height / 2), across + (0.5 - width / 2)
    share = (across * across + down * down).sqrt() / radius
    return displacement.look_up_gpu(image, [height / 2 + share * down, width / 2 + share * across])


sphere.examples = examples(
    Example("ndd.sphere(image)", compared=True, drawn=True),
    "ndd.sphere(image, interp_type=types.INTERP_LINEAR, fill_value=77.7)",
    "ndd.sphere(image, mask=ndd.batch([0, 1, 0]))",
    within=1,
    share=0.999,
)
