"""fn.experimental.inputs.video: long videos given to `feed_input`, split into sequences of frames."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np

from penstock._native import Samples, require_memory
from penstock.engine.site import here
from penstock.engine.threads import get_num_threads
from penstock.pipeline.definition.call_definition import Definition, register
from penstock.pipeline.definition.devices import checked_device
from penstock.pipeline.functions.input_count import takes_inputs
from penstock.pipeline.sources.batch_from_arrays import DeclaredInput, as_samples
from penstock.pipeline.sources.feed_source import FeedSource
from penstock.pipeline.sources.source import SourceBatch
from penstock.values import memory_limit
from penstock.values.dtypes import BY_CODE, uint8
from penstock.video import VideoFile


class _Part(NamedTuple):
    """The frames of a video that are one batch."""

    video: VideoFile
    start: int
    frames: int


class VideoInput(FeedSource):
    """A source of videos given to `feed_input`, one at a time. Frames are decoded when their batch is fetched."""

    path = "experimental.inputs.video"

    def __init__(
        self, sequence_length: int, last_sequence_policy: str, blocking: bool, max_bytes: int | None = None
    ) -> None:
        super().__init__([DeclaredInput("FHWC", uint8, 4)], blocking=blocking)
        if sequence_length <= 0:
            raise RuntimeError(f"sequence_length must be positive, got {sequence_length}")
        if last_sequence_policy not in ("partial", "pad"):
            raise RuntimeError(
                f"Provided `last_sequence_policy` is not supported: {last_sequence_policy}; 'partial' and 'pad' are"
            )
        self.arguments: dict[str, Any] = {
            "sequence_length": sequence_length, "last_sequence_policy": last_sequence_policy, "blocking": blocking,
            "max_bytes": max_bytes,
        }  # fmt: skip
        self._limit = memory_limit.max_bytes(max_bytes)
        self._length = sequence_length
        self._pads = last_sequence_policy == "pad"

    def afresh(self) -> Any:
        return VideoInput(**self.arguments)

    def feed(self, data: Any, layout: str | None) -> None:
        samples = as_samples(data)
        if len(samples) != 1:
            raise RuntimeError(f"one video is fed at a time, got {len(samples)}; call feed_input for each")
        fed = samples.sample(0)
        if samples.code != uint8.code or fed.ndim == 0 or fed.size != fed.shape[-1]:
            raise RuntimeError(
                "a video is fed as its bytes, in a uint8 array with one axis, before which there may be axes of length "
                f"1; got {BY_CODE[samples.code]} of the shape {fed.shape}"
            )
        name = "the video that was fed"
        video = VideoFile(fed.reshape(-1), name=name, threads=get_num_threads(), max_bytes=self._limit)
        frames, most = video.frame_count, self._length * self.batch_size
        self._give([_Part(video, start, min(frames - start, most)) for start in range(0, frames, most)])

    def fetch(self, number: int) -> SourceBatch:
        part = self._kept.get(number)
        try:
            if part is None:
                raise RuntimeError("No data was provided to the InputOperator. Make sure to feed it properly.")
            return SourceBatch((self._sequences(part),))
        except Exception as error:
            return SourceBatch((), error)

    def _sequences(self, part: _Part) -> Samples:
        count = part.frames
        part.video.prepare(part.start)  # sizes in headers may be wrong: those of a decoded frame are used below
        starts = range(0, count, self._length)
        lengths = [self._length if self._pads else min(self._length, count - start) for start in starts]
        frame = part.video.height, part.video.width, 3
        require_memory(f"a sequence of {lengths[0]} frames", lengths[0] * math.prod(frame), self._limit)
        made = Samples.empty_ragged(uint8.code, 4, [(length, *frame) for length in lengths])
        for i, start in enumerate(starts):
            sequence, filled = made.sample(i), min(self._length, count - start)
            part.video.read(part.start + np.arange(start, start + filled), out=sequence[:filled])
            sequence[filled:] = 0
        made.layout = "FHWC"
        return made

    def state(self) -> Any:
        raise RuntimeError(
            f"Checkpointing is not implemented for this operator: `nvidia.dali.fn.{self.path}`: what was fed is not "
            "kept in checkpoints"
        )


@takes_inputs(VideoInput.path, 0)
def video_input(
    *,
    sequence_length: int | None = None,
    last_sequence_policy: Literal["partial", "pad"] = "partial",
    blocking: bool = False,
    affine: bool = True,
    no_copy: bool = False,
    max_bytes: int | None = None,
    name: str | None = None,
    device: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: Any = None,
    **unknown: Any,
) -> Any:
    """Splits videos that are given to `feed_input` into sequences of frames, a batch of them in every iteration.

    Example:
        >>> frames = fn.experimental.inputs.video(name="video", sequence_length=16)
        >>> pipeline.feed_input("video", [np.fromfile("long.mp4", np.uint8)])

    A video may be fed before the last one has ended. The last batch of a video has as many sequences as are left.

    Args:
        sequence_length: Frames in a sequence.
        last_sequence_policy: The last sequence of a video may be shorter ("partial"), or it ends in black frames
            ("pad").
        blocking: If there is no data, wait until another thread feeds some; without it that is an error.
        affine: Has no effect.
        no_copy: Has no effect: the bytes are copied, the frames never.
        max_bytes: Sequences that take more memory are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
    """
    for argument in unknown:
        raise KeyError(f'Argument "{argument}" is not defined for operator "experimental__inputs__Video".')
    if sequence_length is None:
        raise RuntimeError(
            'Not all required arguments were specified for op "experimental__inputs__Video". Please specify values for '
            'arguments: "sequence_length"'
        )
    source = VideoInput(sequence_length, last_sequence_policy, blocking, max_bytes)
    definition = Definition(source, name, here(), 1, checked_device(device))
    definition.preserve = preserve
    register(definition, None)
    return definition.outputs[0]


video_input.__name__ = "video"
