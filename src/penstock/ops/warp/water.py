"""Images under water."""

from __future__ import annotations

import math
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
def water(
    image: Array,
    *,
    ampl_x: float = 10.0,
    ampl_y: float = 10.0,
    freq_x: float = math.pi / 64,
    freq_y: float = math.pi / 64,
    phase_x: float = 0.0,
    phase_y: float = 0.0,
    displacement: Displacement,
) -> Array:
    """Shows an image as if under water: rows are shifted by one wave, columns by another.

        ndd.water(images, ampl_x=4, freq_x=0.2, interp_type=types.INTERP_LINEAR)

    Args:
        ampl_x: How far rows are shifted, in pixels.
        ampl_y: How far columns are shifted.
        freq_x: Angular frequency of the wave that shifts rows, per pixel down.
        freq_y: Angular frequency of the wave that shifts columns, per pixel across.
        phase_x: Where the first wave begins, as an angle.
        phase_y: Where the second wave begins.
        mask: 0 leaves the image as it is.
        interp_type: INTERP_NN or INTERP_LINEAR.
        fill_value: Colour of what comes from outside the image.
    """
    height, width = image.shape[:2]
    rows, columns = np.arange(height, dtype=np.float32)[:, None], np.arange(width, dtype=np.float32)
    across = np.float32(ampl_x) * np.sin(np.float32(freq_x) * rows + np.float32(phase_x))
    down = np.float32(ampl_y) * np.cos(np.float32(freq_y) * columns + np.float32(phase_y))
    return displacement.look_up(image, [rows + down, columns + across])


@water.native
def native(
    image: Spec,
    *,
    ampl_x: float,
    ampl_y: float,
    freq_x: float,
    freq_y: float,
    phase_x: float,
    phase_y: float,
    displacement: Displacement,
) -> _native.Step:
    across, down = _native.Wave(ampl_x, freq_x, phase_x), _native.Wave(ampl_y, freq_y, phase_y)
    mask: Any = displacement.mask
    return _native.Water(displacement.options(image), mask, across, down)


@water.gpu
def gpu(
    image: torch.Tensor,
    *,
    ampl_x: float,
    ampl_y: float,
    freq_x: float,
    freq_y: float,
    phase_x: float,
    phase_y: float,
    displacement: Displacement,
) -> torch.Tensor:
    rows, columns = pixel_axes(image)
    across = ampl_x * (freq_x * rows + phase_x).sin()
    down = ampl_y * (freq_y * columns + phase_y).cos()
    return displacement.look_up_gpu(image, [rows + down, columns + across])


water.examples = examples(
    "ndd.water(image)",
    "ndd.water(image, interp_type=types.INTERP_LINEAR)",
    "ndd.water(image, ampl_x=3.3, ampl_y=5.5, freq_x=0.1, freq_y=0.2, phase_x=0.4, phase_y=0.9)",
    "ndd.water(image, ampl_x=3.3, ampl_y=5.5, interp_type=types.INTERP_LINEAR, fill_value=77.7)",
    "ndd.water(image, mask=ndd.batch([0, 1, 0]))",
    Example("ndd.water(image, ampl_x=6.0, ampl_y=4.0)", drawn=True),
    within=1,
    share=0.999,
)
