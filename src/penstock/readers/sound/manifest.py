"""Manifests of speech data: a JSON object on each line with a sound file, a part of it and its transcript."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from penstock.readers.files.containment import check_names
from penstock.storage import Names, Storage


class ManifestEntry(NamedTuple):
    """A line of a manifest. Offset and duration are in seconds; a negative duration means up to the end of the file."""

    path: str
    text: bytes
    offset: float
    duration: float


class Manifest(NamedTuple):
    """The entries of all manifests, packed. Text i is `texts[text_ends[i]:text_ends[i + 1]]`."""

    paths: Names
    texts: bytes
    text_ends: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.float64]
    durations: npt.NDArray[np.float64]
    numbers: npt.NDArray[np.int64]  # index among the entries kept of its own manifest
    files: Sequence[str]
    lines: npt.NDArray[np.int64]  # of each entry: the index of its file, and the line

    def place(self, index: int) -> str:
        file, line = self.lines[index]
        return f"{self.files[file]}, line {line}"

    def text(self, index: int) -> npt.NDArray[np.uint8]:
        return np.frombuffer(self.texts[self.text_ends[index] : self.text_ends[index + 1]], np.uint8)


def read_manifests(
    storage: Storage, files: Sequence[str], min_duration: float, max_duration: float, allow_outside: bool = False
) -> Manifest:
    """Reads the entries with a duration between the limits; a `max_duration` that is not positive is no limit."""
    entries: list[ManifestEntry] = []
    numbers, lines = [], []
    shortest, longest = np.float32(min_duration), np.float32(max_duration if max_duration > 0 else math.inf)
    for which, file in enumerate(files):
        kept, first = 0, len(entries)
        try:
            text = storage.read_text(file)
        except RuntimeError as error:
            raise RuntimeError(f'Could not open NEMO ASR manifest file: "{file}": {error}') from None
        for line, entry in _entries(file, text):
            if shortest <= np.float32(entry.duration) <= longest or (entry.duration < 0 and shortest <= 0):
                entries.append(entry)
                numbers.append(kept)
                lines.append((which, line))
                kept += 1
        names = Names.of(entry.path for entry in entries[first:])
        check_names(names, file, None, allow_outside=allow_outside, from_here=True)
    if not entries:
        looked = ", ".join(files) or "no manifest"
        raise RuntimeError(
            f"No files found. Looked in {looked}; min_duration and max_duration say which entries count."
        )
    return Manifest(
        Names.of([entry.path for entry in entries]),
        b"".join(entry.text for entry in entries),
        np.cumsum([0, *(len(entry.text) for entry in entries)]),
        np.array([entry.offset for entry in entries]),
        np.array([entry.duration for entry in entries]),
        np.array(numbers, np.int64),
        files,
        np.array(lines, np.int64),
    )


def _entries(file: str, text: str) -> Iterator[tuple[int, ManifestEntry]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line and not line.isspace():
            try:
                yield number, _entry(line)
            except ValueError as error:
                raise RuntimeError(f"{file}, line {number}: {error}") from None


def _entry(line: str) -> ManifestEntry:
    try:
        fields = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise ValueError("not JSON: nested too deeply") from None
    if not isinstance(fields, dict):
        raise ValueError(f"a JSON object is expected, got {type(fields).__name__}")
    path, text = _string(fields, "audio_filepath"), _string(fields, "text", "")
    if not path:
        raise ValueError("audio_filepath is empty")
    return ManifestEntry(path, text.encode(), _seconds(fields, "offset", 0.0), _seconds(fields, "duration", -1.0))


def _string(fields: dict[str, Any], name: str, default: str | None = None) -> str:
    value = fields.get(name, default)
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a string, got {value!r}" if name in fields else f"there is no {name}")
    return value


def _seconds(fields: dict[str, Any], name: str, default: float) -> float:
    value = fields.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{name} must be a number of seconds, got {value!r}")
    return float(value)
