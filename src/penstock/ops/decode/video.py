"""Decoding videos that lie in memory, whole or a choice of frames."""

from __future__ import annotations

import math
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock._native import Pool, SampleError, Samples, require_memory
from penstock.ops.decode.image import check_encoded
from penstock.schema import Example, examples, operator
from penstock.schema.params import PerSample
from penstock.values import memory_limit, parallel
from penstock.values.bad_samples import doubt_length
from penstock.values.dtypes import uint8
from penstock.values.spec import Spec
from penstock.video import VideoFile
from penstock.video.frame_selection import FILL, PadMode, chosen

Array = np.ndarray[Any, Any]

_WORTH_A_THREAD = 1 << 30  # bytes: even the shortest video is more work than handing it to a thread


@dataclass
class Frames:
    """The frames to take."""

    frames: PerSample[list[int]] | None = None
    start_frame: PerSample[int] | None = None
    end_frame: PerSample[int] | None = None
    stride: PerSample[int] | None = None
    sequence_length: PerSample[int] | None = None
    pad_mode: PadMode = "constant"

    def of_sample(self, i: int) -> dict[str, Any]:
        """The choice for one sample of a batch, whose arguments are rows."""
        return {
            name: rows if rows is None or name == "pad_mode" else rows[i if len(rows) > 1 else 0]
            for name, rows in vars(self).items()
        }


def _foretell(data: Spec, *, max_bytes: int | None, **arguments: Any) -> Spec:
    check_encoded(data, max_bytes)
    return Spec(uint8, 4, "FHWC")


def _check(*, choice: Frames, fill_value: list[int], **rest: Any) -> None:
    ranges = ("start_frame", "end_frame", "stride", "sequence_length")
    if choice.frames is not None and any(getattr(choice, name) is not None for name in ranges):
        raise RuntimeError("Cannot specify both `frames` and any of " + ", ".join(map("`{}`".format, ranges)))
    if choice.sequence_length is not None and choice.end_frame is not None:
        raise RuntimeError("Cannot specify both `sequence_length` and `end_frame` arguments")
    if len(fill_value) not in (1, 3) or not all(0 <= value <= 255 for value in fill_value):
        raise RuntimeError(f"fill_value must be one number or three, from 0 to 255, got {fill_value}")
    if isinstance(choice.stride, int) and choice.stride <= 0:
        raise RuntimeError(f"stride must be positive, got {choice.stride}")
    if isinstance(choice.sequence_length, int) and choice.sequence_length < 0:
        raise RuntimeError(f"sequence_length must not be negative, got {choice.sequence_length}")


class _Clip:
    """A video and the frames wanted of it."""

    def __init__(self, data: Array, choice: dict[str, Any], threads: int, limit: int) -> None:
        if not data.size:
            raise RuntimeError("there are no data: expected the bytes of a video file")
        self.video = VideoFile(data, name="the video", threads=threads, max_bytes=limit)
        try:
            self.wanted = chosen(self.video.frame_count, **choice)
            self.missing = self.wanted == FILL
            inside = self.wanted[~self.missing]
            self.first = int(inside.min()) if len(inside) else 0
            self.video.prepare(self.first)  # a frame that exists vouches for the size of the result
            require_memory(f"{len(self.wanted)} frames of the video", math.prod(self.shape), limit)
        except BaseException:
            self.video.close()
            raise

    @property
    def shape(self) -> tuple[int, int, int, int]:
        return len(self.wanted), self.video.height, self.video.width, 3

    def read(self, out: Array, fill: Array) -> None:
        self.video.read(np.where(self.missing, self.first, self.wanted), out)
        out[self.missing] = fill


def _blank(good: Array | None, **arguments: Any) -> Array:
    """Black frames, as many and as large as those of another video of the batch, or one of a single pixel."""
    return np.zeros((1, 1, 1, 3) if good is None else good.shape, np.uint8)


@operator(
    name="decoders.video",
    older_names=["experimental.decoders.video"],
    infer=_foretell,
    check=_check,
    blank=_blank,
    runs_on="mixed",
)
def video(
    data: Array,
    *,
    choice: Frames,
    fill_value: list[int] = [0],  # noqa: B006
    affine: bool = True,
    build_index: bool = True,
    max_bytes: int | None = None,
) -> Array:
    """Decodes the bytes of video files, all frames or some of them, to sequences of RGB frames.

        clips = ndd.decoders.video(files, start_frame=10, sequence_length=16, stride=2)
        clips = ndd.decoders.video(files, frames=[0, 30, 15])

    Only what the wanted frames need is decoded: from the key frame before them on. H.264, HEVC, VP8, VP9, AV1, MPEG-4,
    MJPEG and whatever else FFmpeg knows. Needs PyAV: ``pip install penstock[video]``.

    Args:
        frames: The numbers of the frames, in any order and with repeats; instead of a range.
        start_frame: The first frame.
        end_frame: The frame to end before.
        stride: How many frames to go on from each to the next.
        sequence_length: How many frames to take; instead of `end_frame`.
        pad_mode: What stands for frames the video does not have: "constant" for `fill_value`, "edge" ("repeat") for
            its first or last frame, "reflect_101" ("reflect") and "reflect_1001" ("symmetric") for the frames on the
            way back, without and with the last one twice, "none" for nothing, which makes the sequence shorter.
        fill_value: The colour of frames that are not there: one number, or one for each channel.
        affine: Of the GPU decoder; accepted for old programs.
        build_index: Frames are always counted from the packets; accepted for old programs.
        max_bytes: Sequences that take more memory are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
    """
    clip = _Clip(data, vars(choice), 1, memory_limit.max_bytes(max_bytes))
    with clip.video:
        out = np.empty(clip.shape, np.uint8)
        clip.read(out, np.array(fill_value, np.uint8))
    return out


@video.on_samples
def on_samples(
    pool: Pool,
    n: int,
    data: Samples,
    *,
    choice: Frames,
    fill_value: list[int],
    max_bytes: int | None,
    **unused: Any,
) -> Samples:
    limit = memory_limit.max_bytes(max_bytes)
    threads = max(1, pool.threads // max(1, n))
    fill = np.array(fill_value, np.uint8)
    with ExitStack() as opened:

        def open_one(i: int) -> _Clip:
            try:
                clip = _Clip(data.sample(i if len(data) > 1 else 0), choice.of_sample(i), threads, limit)
            except RuntimeError as error:
                raise SampleError(i, str(error)) from None
            opened.callback(clip.video.close)
            return clip

        def read_one(i: int) -> None:
            try:
                clips[i].read(block.sample(i), fill)
            except RuntimeError as error:
                raise SampleError(i, str(error)) from None

        clips = parallel.map_samples(open_one, n, _WORTH_A_THREAD, pool.threads)
        block = Samples.empty_ragged(uint8.code, 4, [clip.shape for clip in clips])
        parallel.map_samples(read_one, n, _WORTH_A_THREAD, pool.threads)
    doubt_length(data, [i for i, clip in enumerate(clips[: len(data)]) if not clip.video.tells_extent])
    return block


video.examples = examples(
    Example("ndd.decoders.video(clip, stride=10)", drawn=True),
    Example(
        'ndd.decoders.video(clip, start_frame=20, sequence_length=4, stride=7, pad_mode="reflect_101")', drawn=True
    ),
)
