"""The video stream of an open container: its packets, and the frames its decoder makes of them."""

from __future__ import annotations

import ctypes
import io
import os
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from penstock.video.extent import CutOffError, tells_extent

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.packet import Packet
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

_READ_BYTES = 1 << 16
# Formats that name other files, which may be anywhere.
_LISTS = {"concat", "dash", "hls", "imf", "sdp", "webm_dash_manifest"}
_MOST_PIXELS = (1 << 31) - 1  # of a frame, for FFmpeg
_ROUNDED_PIXELS = 1 << 22


def pyav() -> Any:
    """The PyAV module, imported when the first video is opened."""
    try:
        import av
    except ImportError:
        raise RuntimeError("decoding video needs PyAV: pip install penstock[video]") from None
    return av


class _Memory:
    """Bytes that lie somewhere in memory as a file, without a copy of them all."""

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
    """The first real video stream of a file, bytes or a file object."""

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
        # A playlist could name other files, or hosts: it gets none; those of this machine are opened, but not read.
        options = {"protocol_whitelist": "file" if isinstance(self._source, str) else "none"}
        try:
            self._container: InputContainer = av.open(
                self._as_input(), options=options, buffer_size=_READ_BYTES, metadata_errors="replace"
            )
            # A container and its streams refer to each other: file and decoder would stay until garbage is collected.
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
        # Frames may be larger than the container says. FFmpeg counts with rows, and sizes, that are rounded up.
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
        """The packets from where the container is; the empty one that ends them makes a decoder hand out its last."""
        with suppress(IndexError):  # PyAV's, after the last, when streams have turned up on the way
            yield from self._container.demux(self.stream)

    def frames(self, first: Packet[VideoStream] | None = None) -> Iterator[VideoFrame]:
        """Frames in the order they are shown, from where the container is; `first` has been read from it already."""
        if first is not None:
            yield from self.codec.decode(first)
        for packet in self.packets():
            yield from self.codec.decode(packet)

    def seek(self, timestamp: int) -> None:
        self._container.seek(timestamp, stream=self.stream)

    def require_all(self, packets: int) -> None:
        """Refuses an MP4 file that ends before its table says."""
        listed = len(self.stream.index_entries)
        if packets < listed and "mp4" in self._container.format.name:
            raise RuntimeError(f"{self._name} is cut off: of {listed} packets only {packets} are there")

    def rewind(self) -> None:
        """Back to the very first packet, which no timestamp is sure to reach."""
        self.close()
        self._open()

    def close(self) -> None:
        self._closing()

    def leave_open(self) -> None:
        """From now on nothing closes the file or frees its decoder, not even the end of the program."""
        self._closing.detach()
        for each in (self._container, self.codec):
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(each))


_tracks: weakref.WeakSet[Track] = weakref.WeakSet()


def _leave_all_open() -> None:
    """To be freed a decoder waits for its threads, and a forked child has none of them: it would wait for ever."""
    for track in [*_tracks]:
        track.leave_open()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all_open)


def _is_cover(stream: VideoStream) -> bool:
    return bool(stream.disposition & pyav().stream.Disposition.attached_pic)


def reason(error: Exception) -> str:
    """What FFmpeg said, without PyAV's numbers around it."""
    return getattr(error, "strerror", None) or str(error)
