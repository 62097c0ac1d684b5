"""Motion between frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.ops.names import type_name
from penstock.schema import operator
from penstock.values.dtypes import float32, uint8
from penstock.values.enums import ImageType
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


# By the preset's place between slow and fast.
_PRESETS = ("DISOPTICAL_FLOW_PRESET_MEDIUM", "DISOPTICAL_FLOW_PRESET_FAST", "DISOPTICAL_FLOW_PRESET_ULTRAFAST")
_GRIDS = (1, 2, 4)
_SMALLEST = 12  # frames in which OpenCV finds anything have an edge of at least so many pixels


def _foretell(
    frames: Spec,
    hints: Spec | None = None,
    *,
    preset: float,
    output_grid: int,
    hint_grid: int,
    enable_external_hints: bool,
    image_type: ImageType,
    **rest: Any,
) -> Spec:
    if frames.dtype not in (None, uint8):
        raise RuntimeError(f"optical_flow takes uint8 frames, got {type_name(frames.dtype)}; cast them")
    if not 0 <= preset <= 1:
        raise RuntimeError(f"`preset` must be from 0.0 to 1.0, got {preset:g}")
    for name, grid in (("output_grid", output_grid), ("hint_grid", hint_grid)):
        if grid not in _GRIDS:
            raise RuntimeError(f"`{name}` must be 1, 2 or 4, got {grid}")
    if image_type not in (ImageType.RGB, ImageType.BGR, ImageType.GRAY):
        raise RuntimeError(f"`image_type` must be RGB, BGR or GRAY, got {image_type.name}")
    if enable_external_hints != (hints is not None):
        raise RuntimeError("hints are the second input, which is given exactly where `enable_external_hints` is True")
    if hints is not None and hints.dtype not in (None, float32):
        raise RuntimeError(f"hints must be float32, got {type_name(hints.dtype)}; cast them")
    return Spec(float32, 4, "FHWC")


@operator(layouts=("FHWC",), infer=_foretell, needs_gpu=True, by_cpu=True, renamed={"output_format": "output_grid"})
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
    """Tells for every pixel of a video where it moves to in the next frame.

        ndd.optical_flow(videos.gpu(), output_grid=4, device="gpu")

    The result has a frame less than the video, and in every square of pixels how far it moves across and down. The
    flow is OpenCV's dense inverse search (DIS), found by the CPU: frames are copied to it, and the flow back to the
    device. DALI asks the optical flow engine of NVIDIA GPUs instead, which finds other, similar vectors.

    Args:
        hints: A flow to begin with, a vector for every square of `hint_grid` pixels.
        preset: Speed against quality: 0.0 is slow and good, 0.5 in between, 1.0 fast.
        output_grid: Size of the squares of pixels that share one vector.
        hint_grid: The same of the hints.
        enable_temporal_hints: Begin with the flow of the frames before.
        enable_external_hints: Begin with `hints`.
        image_type: RGB, BGR or GRAY.
    """
    import cv2

    count, height, width = frames.shape[:3]
    shape = (max(count - 1, 0), -(-height // output_grid), -(-width // output_grid), 2)
    made: Array = np.zeros(shape, np.float32)
    if not made.size:
        return made
    if max(height, width) < _SMALLEST:
        raise RuntimeError(f"an edge of the frames must have {_SMALLEST} pixels or more, got {height} x {width}")
    _check_hints(hints, count - 1, height, width, hint_grid)
    search = cv2.DISOpticalFlow.create(getattr(cv2, _PRESETS[round(2 * preset)]))
    greys = [_grey(frame, image_type) for frame in frames]
    flow: Any = None
    for k in range(count - 1):
        start: Any = flow if enable_temporal_hints else None
        if hints is not None:
            start = _spread(hints[k], hint_grid, height, width)
        start = start if start is None else start.copy()  # it is written to
        flow = search.calc(greys[k], greys[k + 1], start)
        made[k] = _averaged(flow, output_grid)
    return made


def _grey(frame: Array, image_type: ImageType) -> Array:
    import cv2

    channels = 1 if image_type == ImageType.GRAY else 3
    if frame.shape[-1] != channels:
        raise RuntimeError(f"{image_type.name} frames have {channels} channel(s), got {frame.shape[-1]}")
    if channels == 1:
        return np.ascontiguousarray(frame[..., 0])
    code = cv2.COLOR_RGB2GRAY if image_type == ImageType.RGB else cv2.COLOR_BGR2GRAY
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(frame), code))


def _check_hints(hints: Array | None, count: int, height: int, width: int, grid: int) -> None:
    wanted = (count, -(-height // grid), -(-width // grid), 2)
    if hints is not None and hints.shape != wanted:
        raise RuntimeError(f"hints for these frames have the shape {wanted}, got {hints.shape}")


def _spread(vectors: Array, grid: int, height: int, width: int) -> Array:
    """A vector for every pixel, from one for every square of them."""
    spread = vectors.repeat(grid, axis=0).repeat(grid, axis=1)
    return np.ascontiguousarray(spread[:height, :width], np.float32)


def _averaged(flow: Array, grid: int) -> Array:
    """The mean vector of every square of pixels; edge pixels go on where the last one is not full."""
    padded = np.pad(flow, [(0, -flow.shape[0] % grid), (0, -flow.shape[1] % grid), (0, 0)], "edge")
    squares = padded.reshape(padded.shape[0] // grid, grid, padded.shape[1] // grid, grid, 2)
    return np.asarray(squares.mean(axis=(1, 3)))
