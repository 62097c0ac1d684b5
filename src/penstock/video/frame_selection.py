"""Frame numbers selected by range, stride or list, padded where the video has no such frame."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

Array = np.ndarray[Any, Any]

PadMode = Literal["constant", "edge", "repeat", "reflect_1001", "symmetric", "reflect_101", "reflect", "none"]

FILL = -1  # stands for padding with a constant


def chosen(
    count: int,
    *,
    frames: Array | None = None,
    start_frame: int | None = None,
    end_frame: int | None = None,
    stride: int | None = None,
    sequence_length: int | None = None,
    pad_mode: PadMode = "constant",
) -> Array:
    """The numbers of the selected frames of a video of `count` frames; FILL for those padded with a constant."""
    if frames is not None:
        return padded(np.asarray(frames, np.int64).reshape(-1), count, pad_mode)
    start, step = start_frame or 0, 1 if stride is None else stride
    if start >= count:
        raise RuntimeError(f"start_frame is {start}, but the video has {count} frames, the last is {count - 1}")
    if step <= 0:
        raise RuntimeError(f"stride must be positive, got {step}")
    if sequence_length is not None:
        if sequence_length < 0:
            raise RuntimeError(f"sequence_length must not be negative, got {sequence_length}")
        end = start + sequence_length * step
    elif end_frame is not None:
        end = end_frame
        if end <= start:
            raise RuntimeError(f"end_frame ({end}) must be greater than start_frame ({start})")
    else:
        end = count
    return padded(np.arange(start, min(end, count) if pad_mode == "none" else end, step), count, pad_mode)


def padded(numbers: Array, count: int, mode: PadMode) -> Array:
    """Replaces numbers outside of 0 .. count - 1 as the mode says; "none" raises RuntimeError for them."""
    outside = (numbers < 0) | (numbers >= count)
    if not outside.any():
        return numbers
    if mode == "none":
        raise RuntimeError(
            f"there is no frame {numbers[outside][0]}, the video has {count}; any pad_mode but 'none' would fill it"
        )
    if mode == "constant":
        return np.where(outside, FILL, numbers)
    if mode in ("edge", "repeat"):
        return numbers.clip(0, count - 1)
    return _mirrored(numbers, count, repeats_edge=mode in ("reflect_1001", "symmetric"))


def _mirrored(numbers: Array, count: int, repeats_edge: bool) -> Array:
    last = 2 * count - (1 if repeats_edge else 2)  # the number that is reflected to frame 0
    folded = numbers % (last + repeats_edge or 1)
    return np.asarray(np.minimum(folded, last - folded))
