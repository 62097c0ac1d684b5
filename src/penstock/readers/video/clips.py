"""The clips of a video reader: files with labels, and the range of frames to read from each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from penstock.readers.files.containment import check_names
from penstock.readers.files.listing import label_of, list_folders
from penstock.storage import Names, Storage

VIDEO_FILES = (
    "*.mp4", "*.m4v", "*.mov", "*.mkv", "*.webm", "*.avi", "*.mpg", "*.mpeg", "*.ts", "*.m2ts", "*.mts", "*.mxf",
    "*.vob", "*.wmv", "*.asf", "*.flv", "*.ogv", "*.3gp", "*.3g2", "*.ivf", "*.y4m", "*.h264", "*.h265", "*.hevc",
    "*.mjpeg",
)  # fmt: skip


class Clip(NamedTuple):
    """A video file, or the part of one that a line of a list file gives in frames or seconds."""

    name: str
    label: int = 0
    start: float | None = None
    end: float | None = None
    line: str = ""

    def is_narrow(self, gap: int) -> bool:
        """Whether start and end lie between the same two frames, so that rounding put the start after the end."""
        return gap == 1 and self.start is not None and self.end is not None and self.start <= self.end

    @property
    def called(self) -> str:
        return f"{self.line}: {self.name}" if self.line else self.name


@dataclass(frozen=True)
class ClipFiles:
    """The arguments that say which videos to read, in one of three ways."""

    filenames: list[str] | None = None
    file_root: str = ""
    file_list: str = ""
    labels: list[int] | None = None
    allow_outside: bool = False

    def __post_init__(self) -> None:
        ways = {"filenames": self.filenames, "file_root": self.file_root, "file_list": self.file_list}
        given = [name for name, value in ways.items() if value]
        if len(given) != 1:
            raise RuntimeError(
                "exactly one of `file_list`, `file_root` and `filenames` says which videos to read, got "
                f"{' and '.join(given) or 'none of them'}"
            )
        if self.labels is not None and not self.filenames:
            raise RuntimeError(f"`labels` go with `filenames`; with `{given[0]}` the label comes from there")
        if self.labels and self.filenames and len(self.labels) != len(self.filenames):
            raise RuntimeError(f"Provided {len(self.filenames)} files and {len(self.labels)} labels; they should match")

    @property
    def labelled(self) -> bool:
        return self.labels is not None or not self.filenames

    def listed(self, storage: Storage) -> list[Clip]:
        """Lists all clips, in order. Relative names are relative to the working directory."""
        if self.filenames:
            labels = self.labels or range(len(self.filenames))
            return [Clip(name, label) for name, label in zip(self.filenames, labels, strict=True)]
        if self.file_list:
            clips = _read_list(storage, self.file_list)
            listed = Names.of(clip.name for clip in clips)
            check_names(listed, self.file_list, None, allow_outside=self.allow_outside, from_here=True)
            return clips
        found = list_folders(storage, self.file_root, VIDEO_FILES, None, case_sensitive=False)
        names = (found.names.path(found.root, i) for i in range(len(found.names)))
        return [Clip(name, int(label)) for name, label in zip(names, found.labels, strict=True)]


_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)"
_LINE = re.compile(rf"(?P<name>\S.*?)\s+(?P<label>\d+)(?:\s+(?P<start>{_NUMBER})(?:\s+(?P<end>{_NUMBER}))?)?", re.ASCII)


_BLANKS = " \t\r\f\v"  # of ASCII only: names may begin or end with other kinds of space


def _read_list(storage: Storage, file_list: str) -> list[Clip]:
    clips = []
    for number, line in enumerate(storage.lines(file_list), 1):
        parts = _LINE.fullmatch(line.strip(_BLANKS))
        if parts is not None:
            start, end = (None if parts[key] is None else float(parts[key]) for key in ("start", "end"))
            label = label_of(parts["label"], file_list, number)
            clips.append(Clip(parts["name"], label, start, end, f"{file_list}:{number}"))
        elif line.strip():
            raise RuntimeError(
                f'Incorrect format of the list file "{file_list}":{number} expected a file name, a label, and where '
                f"to start and end; got: {line.rstrip()}"
            )
    if not clips:
        raise RuntimeError(f"No files found: there is not a single line in {file_list}")
    return clips


@dataclass(frozen=True)
class RangeRule:
    """How the start and end of a clip, in frames or seconds, are rounded to a range of frames."""

    in_frames: bool
    start_up: bool
    end_up: bool
    include_end: bool = False

    def frames(self, clip: Clip, timestamps: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[int, int]:
        """The first frame of a clip and the one after its last; raises RuntimeError if the video does not have them."""
        count = len(timestamps)
        marks = _Marks(count, None if self.in_frames else timestamps)
        start = 0 if clip.start is None else marks.at(clip, clip.start, self.start_up)
        end = count if clip.end is None else marks.at(clip, clip.end, self.end_up) + self.include_end
        if start >= count:
            raise RuntimeError(f"{clip.called} has {marks.extent}; there is nothing from {clip.start:g} on")
        if start > end and not clip.is_narrow(start - end):
            raise RuntimeError(f"{clip.called}: the part from {clip.start:g} to {clip.end:g} ends before it starts")
        return start, max(start, min(end, count))


# Seconds; below the resolution of any container's clock, above the rounding error of timestamps.
_SAME_TIME = 1e-6


class _Marks:
    """Converts marks, in frames or seconds, to frame numbers of one video."""

    def __init__(self, count: int, timestamps: np.ndarray[tuple[int], np.dtype[np.float64]] | None) -> None:
        self.extent = f"{count} frames"
        self._count = count
        self._times = None
        if timestamps is not None:
            last = float(timestamps[-1])
            end = last + (last - float(timestamps[-2]) if count > 1 else 0.0)
            self._times = np.append(timestamps, end)
            self.extent = f"{end:.3f} s"

    def at(self, clip: Clip, mark: float, up: bool) -> int:
        """The frame number of a mark, at most the number of frames."""
        if self._times is None:
            number = int(np.ceil(mark) if up else np.floor(mark))
            if number < -self._count:
                raise RuntimeError(f"{clip.called} has {self.extent}; there is no frame {number}")
            return min(number + self._count if number < 0 else number, self._count)
        if mark < 0:
            raise RuntimeError(f"{clip.called}: {mark:g} s is before the first frame, which is at 0 s")
        if up:
            return int(np.searchsorted(self._times, mark - _SAME_TIME))
        return int(np.searchsorted(self._times, mark + _SAME_TIME, side="right")) - 1
