"""`Track`: the video stream of an open container, its packets and decoded frames."""

from __future__ import annotations

import ctypes
import io
import os
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from penstock.video.truncation import CutOffError, tells_extent

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.packet import Packet
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

_READ_BYTES = 1 << 16
# Playlist formats, which refer to other files, anywhere.
_LISTS = {"concat", "dash", "hls", "imf", "sdp", "webm_dash_manifest"}
_MOST_PIXELS = (1 << 31) - 1  # FFmpeg's limit for a frame
_ROUNDED_PIXELS = 1 << 22


def pyav() -> Any:
    """The PyAV module, imported when the first video is opened."""
    try:
        import av
    except ImportError:
        raise RuntimeError("decoding video needs PyAV: pip install penstock[video]") from None
    return av


def tolerant_of_metadata(version: str) -> dict[str, str]:
    """What tells PyAV of that version to take titles and the like that are no UTF-8, which PyAV 19 does unasked."""
    return {"metadata_errors": "replace"} if int(version.split(".")[0]) < 19 else {}


class _Memory:
    """A file object over bytes in memory, without a copy of them."""

    def __init__(self, data: Any) -> None:
        self._view = memoryview(data).cast("B")
        self._at = 0

    def read(self, size: int) -> bytes:
        piece = self._view[self._at : self._at + size]
        self._at += len(piece)
        return piece.tobytes()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: len(self._view)}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        return self._at


class Track:
    """The first video stream, other than a cover image, of a path, bytes or a file object."""

    def __init__(self, source: str | BinaryIO | Any, name: str, threads: int, max_pixels: int) -> None:
        self._source, self._name, self.threads, self._max_pixels = source, name, threads, max_pixels
        try:
            self.tells_extent = tells_extent(source)
        except CutOffError as error:
            raise RuntimeError(f"{name} is cut off: {error}") from None
        self._open()
        _tracks.add(self)

    def _open(self) -> None:
        av = pyav()
        # A playlist could refer to other files or hosts. Local files may be opened, but playlists are refused below.
        options = {"protocol_whitelist": "file" if isinstance(self._source, str) else "none"}
        try:
            self._container: InputContainer = av.open(
                self._as_input(), options=options, buffer_size=_READ_BYTES, **tolerant_of_metadata(av.__version__)
            )
            # Container and streams form a reference cycle, which would keep file and decoder until garbage collection.
            self._closing = weakref.finalize(self, self._container.close)
            self._closing.atexit = False
        except FileNotFoundError:
            raise FileNotFoundError(f"there is no file {self._name}") from None
        except (av.FFmpegError, ValueError) as error:
            raise RuntimeError(f"{self._name} cannot be opened as a video: {reason(error)}") from None
        try:
            if self._container.format.name in _LISTS:
                raise RuntimeError(f"{self._name} cannot be opened as a video: it is a list of other files")
            self.stream: VideoStream = self._choose_stream()
        except RuntimeError:
            self.close()
            raise
        self.codec = self.stream.codec_context
        self.codec.thread_count = self.threads
        # Frames may be larger than the container declares. FFmpeg rounds widths and heights up before it compares.
        most = self._max_pixels + self._max_pixels // 8 + _ROUNDED_PIXELS
        self.codec.options = {"max_pixels": str(min(most, _MOST_PIXELS))}
        if self.threads > 1:
            self.codec.thread_type = "AUTO"

    def _as_input(self) -> Any:
        if isinstance(self._source, str):
            return f"file:{self._source}"
        if hasattr(self._source, "read"):
            self._source.seek(0)
            return self._source
        return _Memory(self._source)

    def _choose_stream(self) -> VideoStream:
        streams = self._container.streams
        moving = [video for video in streams.video if not _is_cover(video) and video.codec_context is not None]
        if not moving:
            kinds = ", ".join(sorted({stream.type for stream in streams})) or "nothing"
            raise RuntimeError(f"{self._name} has no video stream that can be decoded, only: {kinds}")
        for other in streams:
            if other is not moving[0]:
                other.discard = pyav().stream.Discard.all
        return moving[0]

    def packets(self) -> Iterator[Packet[VideoStream]]:
        """Packets from the current position on. An empty one at the end flushes the decoder."""
        with suppress(IndexError):  # raised by PyAV at the end if streams were added during demuxing
            yield from self._container.demux(self.stream)

    def frames(self, first: Packet[VideoStream] | None = None) -> Iterator[VideoFrame]:
        """Decodes frames in presentation order, from the current position on; `first` is a packet read before."""
        if first is not None:
            yield from self.codec.decode(first)
        for packet in self.packets():
            yield from self.codec.decode(packet)

    def seek(self, timestamp: int) -> None:
        self._container.seek(timestamp, stream=self.stream)

    def require_all(self, packets: int) -> None:
        """Raises RuntimeError for a truncated MP4 file, which has fewer packets than its table."""
        listed = len(self.stream.index_entries)
        if packets < listed and "mp4" in self._container.format.name:
            raise RuntimeError(f"{self._name} is cut off: of {listed} packets only {packets} are there")

    def rewind(self) -> None:
        """Returns to the first packet by opening the file again: seeking is not sure to reach it."""
        self.close()
        self._open()

    def close(self) -> None:
        self._closing()

    def leave_open(self) -> None:
        """Leaks the file and its decoder: nothing closes them, not even the end of the program."""
        self._closing.detach()
        for each in (self._container, self.codec):
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(each))


_tracks: weakref.WeakSet[Track] = weakref.WeakSet()


def _leave_all_open() -> None:
    """Leaks all decoders in a forked child: freeing one waits for its threads, which do not exist there."""
    for track in [*_tracks]:
        track.leave_open()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all_open)


def _is_cover(stream: VideoStream) -> bool:
    return bool(stream.disposition & pyav().stream.Disposition.attached_pic)


def reason(error: Exception) -> str:
    """The message of FFmpeg, without PyAV's error numbers."""
    return getattr(error, "strerror", None) or str(error)
