"""The way to a frame: where to start decoding, and how to know that the frame that comes out is the one wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from penstock.video.index import Index
from penstock.video.track import Track, pyav, reason

if TYPE_CHECKING:
    from av.video.frame import VideoFrame

_FILE_START = -1


class UndecodableError(Exception):
    """Says why there is no such frame, though the packets promise it."""


class Decoder:
    """Gives frames by number. It goes on from where it is if that is shorter than starting at a key packet."""

    def __init__(self, track: Track, index: Index) -> None:
        self._track, self._index = track, index
        self._frames: Iterator[VideoFrame] | None = None
        self._damaged = False
        self.position = -1  # the frame given last

    def frame(self, wanted: int) -> VideoFrame:
        problem = ""
        for start in self._starts(wanted):
            if start == _FILE_START and problem:
                break  # it is not for want of what was before
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
        """Where to begin decoding, the cheapest first: None is to go on, else a key packet or the start of the file."""
        key = self._index.key_before(wanted)
        ahead = self.position + self._track.threads  # the decoder's threads are at work on these already
        if self._frames is not None and self.position < wanted and self._index.start_of(wanted) <= ahead:
            yield None
        yield from range(key, max(key - 2, _FILE_START), -1)  # not all that call themselves key packets are
        yield _FILE_START

    def _begin_at(self, key: int) -> None:
        """Puts the decoder at a key packet, or before it where the container cannot hit it."""
        index, track = self._index, self._track
        self._frames, self._damaged, self.position = None, False, -1
        # Some containers seek by when packets are shown, others by when they are decoded, which is earlier.
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
        """Decodes up to the wanted frame; None where the decoder has passed it without giving it."""
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
