"""Motion between frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.schema import operator
from penstock.values.dtypes import float32
from penstock.values.enums import ImageType
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(*frames: Spec, **arguments: Any) -> Spec:
    return Spec(float32, 4, "FHWC")


@operator(layouts=("FHWC",), infer=_foretell, needs_gpu=True, renamed={"output_format": "output_grid"})
def optical_flow(
    frames: Array,
    hints: Array | None = None,
    *,
    preset: float = 0.0,
    output_grid: int = 4,
    hint_grid: int = 4,
    enable_temporal_hints: bool = False,
    enable_external_hints: bool = False,
    image_type: ImageType = ImageType.RGB,
) -> Array:
    """Tells for every pixel of a video where it moves to in the next frame, as NVIDIA's optical flow engine sees it.

        ndd.optical_flow(videos.gpu(), output_grid=4, device="gpu")

    This is a part of some NVIDIA GPUs; there is no such thing on a CPU.

    Args:
        hints: A flow to begin with.
        preset: Speed against quality: 0.0 is slow and good, 0.5 in between, 1.0 fast.
        output_grid: Size of the squares of pixels that share one vector.
        hint_grid: The same of the hints.
        enable_temporal_hints: Begin with the flow of the frames before.
        enable_external_hints: Begin with `hints`.
        image_type: RGB, BGR or GRAY.
    """
    raise RuntimeError("optical_flow needs the optical flow engine of an NVIDIA GPU, and this device has none")
