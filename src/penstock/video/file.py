"""`VideoFile`: a video file whose frames are read by number."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from penstock._native import require_memory
from penstock.values import memory_limit
from penstock.values.enums import ImageType
from penstock.values.samples import pooled
from penstock.video import pixels
from penstock.video.decoder import Decoder, UndecodableError
from penstock.video.index import Index, read_index
from penstock.video.track import Track, pyav, reason

if TYPE_CHECKING:
    from fractions import Fraction

    from av.video.frame import VideoFrame

Array = np.ndarray[Any, Any]

_FRAME_BYTES = 8  # per pixel: FFmpeg's decoded frame, a reference frame, and the output


class VideoFile:
    """Frames by number, exact whatever the codec, decoding no more than it takes to reach them.

        with VideoFile("clip.mp4", name="clip.mp4") as video:
            frames = video.read(np.arange(0, video.frame_count, 10))

    Calls from several threads take turns. It holds a few numbers for each frame, and the decoder's state.

    Args:
        source: A path, the bytes of a file (anything with the buffer protocol), or a seekable binary file object.
        name: The name in error messages.
        threads: How many threads its decoder may use.
        index: The `index` of the same file from an earlier opening; without it all packets are scanned.
        max_bytes: Files whose header declares frames that take more memory are refused.
    """

    def __init__(
        self,
        source: str | BinaryIO | Any,
        *,
        name: str,
        threads: int = 1,
        index: Index | None = None,
        max_bytes: int = memory_limit.DEFAULT,
    ) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._track = Track(source, name, threads, max_bytes // _FRAME_BYTES)
        try:
            width, height = self._track.codec.width, self._track.codec.height
            require_memory(f"{name}: a frame of {width}x{height}", _FRAME_BYTES * width * height, max_bytes)
            self._index = read_index(self._track) if index is None else index
            if not self.frame_count:
                raise RuntimeError(f"{name} has a video stream without a single frame")
        except pyav().FFmpegError as error:
            self.close()
            raise RuntimeError(f"{name} cannot be read through: {reason(error)}") from None
        except BaseException:
            self.close()
            raise
        self._size = (self._track.codec.width, self._track.codec.height)
        self._seen_size = False
        self._decoder = Decoder(self._track, self._index)
        self._last: tuple[int, VideoFrame] | None = None

    def __enter__(self) -> VideoFile:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the decoder and the file, once no thread reads from it; a file object is left open."""
        with self._lock:
            self._last = None
            self._track.close()

    @property
    def width(self) -> int:
        return self._size[0]

    @property
    def height(self) -> int:
        return self._size[1]

    @property
    def tells_extent(self) -> bool:
        """Whether the file declares its length. One that does not may have been truncated unnoticed."""
        return self._track.tells_extent

    @property
    def index(self) -> Index:
        return self._index

    @property
    def position(self) -> int:
        """The frame that was decoded last; -1 for none."""
        return self._decoder.position

    @property
    def frame_count(self) -> int:
        return len(self._index.timestamps)

    @property
    def time_base(self) -> Fraction:
        """The unit of the stream's timestamps, in seconds."""
        base = self._track.stream.time_base
        assert base is not None
        return base

    @property
    def timestamps(self) -> Array:
        """The presentation time of each frame, in seconds after the first."""
        ticks = self._index.timestamps
        return np.asarray((ticks - ticks[0]) * float(self.time_base))

    @property
    def is_variable_rate(self) -> bool:
        """Whether intervals between frames differ by more than rounding to the time base explains."""
        steps = np.diff(self._index.timestamps)
        return bool(len(steps) and np.abs(steps - steps.mean()).max() > 1)

    @property
    def rotation(self) -> int:
        """Degrees, counterclockwise, by which players rotate the frames; `read` does not."""
        with self._lock:
            return self._frame(0).rotation

    def prepare(self, index: int) -> None:
        """Decodes a frame and keeps it for `read`; from then on, `width` and `height` are those of decoded frames."""
        with self._lock:
            self._frame(self._checked(np.array([index]))[0])

    def read(self, indices: Any, out: Array | None = None, image_type: ImageType = ImageType.RGB) -> Array:
        """Reads frames by number, in any order and with repeats, into an array of layout FHWC.

        Args:
            indices: Whole numbers from 0 to `frame_count` - 1.
            out: uint8 array to put them into; a new one by default.
            image_type: RGB, YCbCr or GRAY.
        """
        with self._lock:
            return self._read(self._checked(indices), out, image_type)

    def _checked(self, indices: Any) -> Array:
        wanted = np.atleast_1d(np.asarray(indices, np.int64))
        if len(wanted) and not 0 <= wanted.min() <= wanted.max() < self.frame_count:
            worst = wanted.min() if wanted.min() < 0 else wanted.max()
            raise IndexError(f"{self.name} has {self.frame_count} frames, there is no frame {worst}")
        return wanted

    def _read(self, wanted: Array, out: Array | None, image_type: ImageType) -> Array:
        last = -1
        for place in np.argsort(wanted, kind="stable"):
            if out is not None and last >= 0 and wanted[place] == wanted[last]:
                out[place] = out[last]
                continue
            frame = self._frame(int(wanted[place]))
            if out is None:  # not before a frame shows the real size: the header may declare any
                out = pooled((len(wanted), *self._shape(image_type)), np.dtype(np.uint8))
            pixels.convert(frame, out[place], image_type)
            last = place
        return np.zeros((0, *self._shape(image_type)), np.uint8) if out is None else out

    def _shape(self, image_type: ImageType) -> tuple[int, int, int]:
        return self.height, self.width, 1 if image_type == ImageType.GRAY else 3

    def _frame(self, number: int) -> VideoFrame:
        if self._last is None or self._last[0] != number:
            self._last = None
            try:
                frame = self._decoder.frame(number)
            except UndecodableError as error:
                raise RuntimeError(f"{self._called(number)} cannot be decoded: {error}") from None
            self._last = number, self._of_one_size(frame, number)
        return self._last[1]

    def _of_one_size(self, frame: VideoFrame, number: int) -> VideoFrame:
        size = (frame.width, frame.height)
        if not self._seen_size:
            self._size, self._seen_size = size, True
        elif size != self._size:
            before = "{}x{}".format(*self._size)
            raise RuntimeError(f"{self._called(number)} is {size[0]}x{size[1]}, frames before it were {before}")
        return frame

    def _called(self, number: int) -> str:
        return f"{self.name}: frame {number}, at {self.timestamps[number]:.3f} s,"
