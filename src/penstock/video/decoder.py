"""`Decoder`: random access to frames, by seeking to a key packet and decoding up to the wanted frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from penstock.video.index import Index
from penstock.video.track import Track, pyav, reason

if TYPE_CHECKING:
    from av.video.frame import VideoFrame

_FILE_START = -1


class UndecodableError(Exception):
    """Why a frame could not be decoded, though the index has it."""


class Decoder:
    """Returns frames by number. It continues from its position if that is shorter than seeking to a key packet."""

    def __init__(self, track: Track, index: Index) -> None:
        self._track, self._index = track, index
        self._frames: Iterator[VideoFrame] | None = None
        self._damaged = False
        self.position = -1  # the frame returned last

    def frame(self, wanted: int) -> VideoFrame:
        problem = ""
        for start in self._starts(wanted):
            if start == _FILE_START and problem:
                break  # the data is damaged: starting even earlier would not help
            try:
                if start is not None:
                    self._begin_at(start)
                frame = self._walk_to(wanted)
            except pyav().FFmpegError as error:
                self._frames = None
                problem = reason(error)
                continue
            if frame is not None and not self._damaged:
                return frame
            if frame is not None:
                problem = "its data, or those of a frame it builds upon, are damaged"
        raise UndecodableError(problem or "the decoder leaves it out")

    def _starts(self, wanted: int) -> Iterator[int | None]:
        """Where to start decoding, cheapest first: None to continue, else a key packet or the start of the file."""
        key = self._index.key_before(wanted)
        ahead = self.position + self._track.threads  # frames that the decoder's threads are already decoding
        if self._frames is not None and self.position < wanted and self._index.start_of(wanted) <= ahead:
            yield None
        yield from range(key, max(key - 2, _FILE_START), -1)  # some packets are wrongly marked as key packets
        yield _FILE_START

    def _begin_at(self, key: int) -> None:
        """Seeks to a key packet, or to one before it if the container cannot find it."""
        index, track = self._index, self._track
        self._frames, self._damaged, self.position = None, False, -1
        # Some containers seek by presentation time, others by decoding time, which is earlier.
        for times in (index.key_labels, index.key_times) if key >= 0 else ():
            track.seek(int(times[key]))
            packet = next(track.packets())
            at = index.key_at(packet.pts) if packet.is_keyframe else -1
            if 0 <= at <= key:
                self._frames = track.frames(packet)
                self.position = int(index.key_frames[at]) - 1
                return
        track.rewind()
        self._frames = track.frames()

    def _walk_to(self, wanted: int) -> VideoFrame | None:
        """Decodes up to the wanted frame; None if the decoder skipped it."""
        if self._frames is None:
            return None
        for frame in self._frames:
            guess = self.position + 1
            number = self._index.frame_at(frame.pts, guess) if self._index.timed else guess
            if number < 0:
                continue
            self.position = number
            self._damaged = frame.is_corrupt or (self._damaged and not frame.key_frame)
            if number >= wanted:
                return frame if number == wanted else None
        self._frames = None
        return None
