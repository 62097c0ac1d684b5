"""`readers.Video` and `experimental.readers.Video`: sequences of frames from video files."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from penstock.readers.core.arguments import params_of, read_options
from penstock.readers.core.paths import path_text, several
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_source import SampleSource
from penstock.readers.video.clip_source import ClipSource, SequenceOutputs
from penstock.readers.video.clips import ClipFiles, RangeRule
from penstock.readers.video.frame_windows import Windows
from penstock.readers.video.probe import probe_clips
from penstock.schema.params import Param
from penstock.storage import Storage
from penstock.values.dtypes import DType, float32, uint8
from penstock.values.enums import ImageType
from penstock.video.frame_selection import PadMode


@dataclass(frozen=True, kw_only=True)
class VideoOptions(ClipFiles, ABC):
    """The arguments of both readers of videos."""

    sequence_length: int
    step: int = -1
    stride: int = 1
    enable_frame_num: Literal["none", "scalar", "sequence"] = "none"
    enable_timestamps: bool = False
    image_type: ImageType = ImageType.RGB

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("sequence_length", "stride"):
            if getattr(self, name) < 1:
                raise RuntimeError(f"`{name}` must be at least 1, got {getattr(self, name)}")
        if self.image_type not in (ImageType.RGB, ImageType.YCbCr):
            raise RuntimeError(f"frames of videos are RGB or YCbCr, not {self.image_type.name}")

    @abstractmethod
    def source(self, storage: Storage, leave_out: bool) -> SampleSource:
        """Opens the clips; `leave_out` those that cannot be opened instead of raising."""

    def windows(self, pad_mode: PadMode, uniform: bool = False) -> Windows:
        span = self.sequence_length * self.stride
        return Windows(self.sequence_length, self.stride, self.step if self.step > 0 else span, span, pad_mode, uniform)

    def handed(self, **more: Any) -> SequenceOutputs:
        return SequenceOutputs(self.labelled, self.enable_frame_num, self.enable_timestamps, self.image_type, **more)


@dataclass(frozen=True, kw_only=True)
class PlainOptions(VideoOptions):
    """The arguments of `readers.Video`."""

    file_list_frame_num: bool = False
    file_list_include_preceding_frame: bool = False
    pad_sequences: bool = False
    skip_vfr_check: bool = False
    dtype: DType = uint8
    normalized: bool = False
    channels: int = 3
    additional_decode_surfaces: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dtype not in (uint8, float32):
            raise RuntimeError(f"`dtype` of frames is uint8 or float32, got {self.dtype}")
        if self.normalized and self.dtype is not float32:
            raise RuntimeError("`normalized` frames have values from 0 to 1; they need dtype=float32")
        if self.channels != 3:
            raise RuntimeError(f"frames have 3 channels, got channels={self.channels}")

    def source(self, storage: Storage, leave_out: bool) -> SampleSource:
        near = self.file_list_include_preceding_frame and not self.file_list_frame_num
        rule = RangeRule(self.file_list_frame_num, start_up=not near, end_up=near)
        clips = probe_clips(self.listed(storage), rule, storage, uneven=self.skip_vfr_check, leave_out=leave_out)
        handed = self.handed(dtype=self.dtype, scale=1 / 255 if self.normalized else 1.0)
        return ClipSource(clips, self.windows("constant" if self.pad_sequences else "none"), handed)


@dataclass(frozen=True, kw_only=True)
class ExperimentalOptions(VideoOptions):
    """The arguments of `experimental.readers.Video`."""

    file_list_format: Literal["timestamps", "frames"] = "timestamps"
    file_list_rounding: Literal["start_down_end_up", "start_up_end_down", "all_up", "all_down"] = "start_down_end_up"
    file_list_include_end: bool = True
    pad_mode: PadMode = "none"
    fill_value: list[int] = field(default_factory=lambda: [0])
    uniform_sample: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.fill_value) not in (1, 3) or not all(0 <= value <= 255 for value in self.fill_value):
            raise RuntimeError(f"`fill_value` is one value or three, from 0 to 255, got {self.fill_value}")
        if self.uniform_sample and (self.step > 0 or self.stride != 1 or self.pad_mode != "none"):
            warnings.warn("with uniform_sample, step, stride and pad_mode have no effect", stacklevel=5)

    def source(self, storage: Storage, leave_out: bool) -> SampleSource:
        rule = RangeRule(
            self.file_list_format == "frames",
            start_up=self.file_list_rounding in ("start_up_end_down", "all_up"),
            end_up=self.file_list_rounding in ("start_down_end_up", "all_up"),
            include_end=self.file_list_include_end,
        )
        clips = probe_clips(self.listed(storage), rule, storage, uneven=True, leave_out=leave_out)
        windows = self.windows(self.pad_mode, self.uniform_sample)
        return ClipSource(clips, windows, self.handed(fill_value=tuple(self.fill_value)))


class _ClipReader(Reader):
    """Base class of the readers of videos, whose own arguments are the fields of `_clip_options`."""

    _on_gpu = True

    _clip_options: ClassVar[type[VideoOptions]] = PlainOptions

    def __init__(self, *by_position: Any, **arguments: Any) -> None:
        own = {name: arguments.pop(name) for name in params_of(self._clip_options) if name in arguments}
        super().__init__(*by_position, **arguments)
        self._clips = read_options(type(self), self._clip_options, _simplified(own))

    @classmethod
    def _own_params(cls) -> Mapping[str, Param]:
        return params_of(cls._clip_options)

    @property
    def _output_count(self) -> int:
        handed = self._clips.handed()
        return 1 + handed.labels + (handed.frame_numbers != "none") + handed.timestamps

    def _open_source(self) -> SampleSource:
        return self._clips.source(self.storage, leave_out=self._on_error != "raise")


def _simplified(given: dict[str, Any]) -> dict[str, Any]:
    """Converts paths to text, and a boolean `enable_frame_num` to its literal."""
    names = given.get("filenames")
    if names is not None:
        given["filenames"] = several(names)
    for name in ("file_root", "file_list"):
        if given.get(name) is not None:
            given[name] = path_text(given[name])
    if isinstance(given.get("enable_frame_num"), bool):
        given["enable_frame_num"] = "scalar" if given["enable_frame_num"] else "none"
    return given


_ARGUMENTS = """
        filenames: Paths of videos; one of the three ways to say which videos to read.
        file_root: A folder of class folders with videos; the label is the place of the folder among its siblings.
        file_list: A text file with a path and a label on each line, and where in the video to start and to end.
        allow_outside: Names in `file_list` may be URLs; those in a list at a URL may leave its folder.
        labels: The labels of `filenames`; an empty list numbers them. Without it, no labels are handed out.
        sequence_length: Frames in a sequence.
        step: Frames from the start of one sequence to that of the next; by default they follow each other.
        stride: Every how many-th frame is taken.
        enable_frame_num: Also hand out the number of the first frame ("scalar") or of every frame ("sequence").
        enable_timestamps: Also hand out when each frame is shown, in seconds after the first of the video.
        image_type: RGB or YCbCr."""


class Video(_ClipReader):
    __doc__ = f"""Reads sequences of frames from videos: all formats and codecs of the FFmpeg that comes with PyAV.

    Outputs: frames, `FHWC`; the label, `int32` of shape `(1,)`, unless `filenames` come without `labels`; the number of
    the first frame or of each, `int32`; and the times of the frames in seconds, `float64`. The last two are asked for.
    A sequence takes up `sequence_length * stride` frames; what is left at the end of a video is not handed out.

    Example:
        >>> reader = ndd.readers.Video(file_root="clips", sequence_length=16, random_shuffle=True)
        >>> for frames, labels in reader.next_epoch(batch_size=8):
        ...     frames = ndd.resize(frames, resize_shorter=128)

    Args:{_ARGUMENTS}
        file_list_frame_num: Starts and ends in `file_list` are frames, negative ones counted from the end, not seconds.
        file_list_include_preceding_frame: A start or an end in seconds that is between two frames means the one
            outside of the part instead of the one inside.
        pad_sequences: Also hand out what is left at the end of a video, filled up with black; frame numbers and times
            are -1 there.
        skip_vfr_check: Also read videos whose frames come unevenly in time. Frames and times are right for them too.
        dtype: uint8 or float32.
        normalized: Floats from 0 to 1 instead of 0 to 255.
        channels: 3.
        additional_decode_surfaces: No effect: there are no surfaces on the CPU.
    """

    _clip_options = PlainOptions


class ExperimentalVideo(_ClipReader):
    __doc__ = f"""Reads sequences of frames from videos, with more ways to pad them and to choose the frames.

    Outputs: as `readers.Video`.

    Example:
        >>> reader = ndd.experimental.readers.Video(file_root="clips", sequence_length=16, pad_mode="edge")
        >>> for frames, labels in reader.next_epoch(batch_size=8):
        ...     frames = ndd.resize(frames, resize_shorter=128)

    Args:{_ARGUMENTS}
        file_list_format: Starts and ends in `file_list` are "timestamps" in seconds, or "frames", negative ones counted
            from the end.
        file_list_rounding: Which frame a start or end between two frames means.
        file_list_include_end: The frame at the end belongs to the part.
        pad_mode: What fills up a sequence where a video has no more frames: "none" leaves the sequence out, "constant"
            is `fill_value`, "edge" the last frame; "reflect_101" and "reflect_1001" go back from there, without or with
            the last frame once more.
        fill_value: One value, or one for each channel.
        uniform_sample: One sequence for each clip, its frames spread evenly from the first to the last.
    """

    _clip_options = ExperimentalOptions
