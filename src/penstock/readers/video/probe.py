"""Opens every video of a reader once, to learn its frame count, frame size and timestamps."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from penstock.engine.threads import get_num_threads
from penstock.readers.core.order import Indices
from penstock.readers.video.clips import Clip, RangeRule
from penstock.readers.video.decoder_pool import DecoderPool
from penstock.storage import Storage
from penstock.storage.seekable_file import openable
from penstock.values import parallel
from penstock.video import VideoFile
from penstock.video.track import pyav

_SHOWN_FAILURES = 5
_WORTH_THREADS = 1 << 30  # bytes of work to claim, as opening a file is slow whatever its size


class ProbedClips(NamedTuple):
    """The clips to read: file, label and range of frames of each, and for each file the height and width of frames."""

    videos: DecoderPool
    files: Indices
    labels: npt.NDArray[np.int32]
    starts: Indices
    stops: Indices
    sizes: list[tuple[int, int]]
    unknown_length: list[bool]  # of each file, whether its container does not tell its length


class _Probed(NamedTuple):
    size: tuple[int, int]
    parts: list[tuple[int, int]]
    unknown_length: bool


def probe_clips(clips: list[Clip], rule: RangeRule, storage: Storage, *, uneven: bool, leave_out: bool) -> ProbedClips:
    """Opens every file once. Those that cannot be read are listed in an error or, with `leave_out`, in a warning.

    Videos of variable frame rate count as unreadable unless `uneven` is set.
    """
    pyav()
    of_file: dict[str, list[Clip]] = {}
    for clip in clips:
        of_file.setdefault(clip.name, []).append(clip)
    names = list(of_file)
    videos = DecoderPool(names, storage)

    def look(file: int) -> _Probed | Exception:
        try:
            return _probe_file(videos, file, of_file[names[file]], rule, uneven)
        except (RuntimeError, OSError) as error:
            return error

    found = parallel.map_samples(look, len(names), _WORTH_THREADS, get_num_threads())
    failures = [error for error in found if isinstance(error, Exception)]
    if failures:
        _report(failures, leave_out and len(failures) < len(found))
    sizes = [(0, 0) if isinstance(seen, Exception) else seen.size for seen in found]
    unknown_length = [not isinstance(seen, Exception) and seen.unknown_length for seen in found]
    left = {name: iter(seen.parts) for name, seen in zip(names, found, strict=True) if isinstance(seen, _Probed)}
    clips = [clip for clip in clips if clip.name in left]
    parts = np.array([next(left[clip.name]) for clip in clips], np.int64)
    for clip, (start, stop) in zip(clips, parts, strict=True):
        if start == stop:
            warnings.warn(f"{clip.called}: the part to read is empty", stacklevel=2)
    numbers = {name: number for number, name in enumerate(names)}
    files = np.array([numbers[clip.name] for clip in clips])
    labels = np.array([clip.label for clip in clips], np.int32)
    return ProbedClips(videos, files, labels, parts[:, 0], parts[:, 1], sizes, unknown_length)


def _probe_file(videos: DecoderPool, file: int, clips: list[Clip], rule: RangeRule, uneven: bool) -> _Probed:
    storage, clip = videos.storage, clips[0]
    with VideoFile(openable(storage, clip.name), name=clip.called, max_bytes=storage.sample_bytes) as video:
        if video.is_variable_rate and not uneven:
            raise RuntimeError(f"{video.name} has a variable frame rate; skip_vfr_check=True reads it all the same")
        videos.keep_index(file, video.index)
        timestamps = video.timestamps
        return _Probed(
            (video.height, video.width), [rule.frames(clip, timestamps) for clip in clips], not video.tells_extent
        )


def _report(failures: list[Exception], leave_out: bool) -> None:
    more = len(failures) - _SHOWN_FAILURES
    said = "; ".join(map(str, failures[:_SHOWN_FAILURES])) + (f"; and {more} more" if more > 0 else "")
    if not leave_out:
        raise RuntimeError(said)
    warnings.warn(f"left out: {said}", stacklevel=3)
