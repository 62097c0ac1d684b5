"""The video files a reader has open: few, and each where the next sequence of it begins."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from penstock.storage import Storage
from penstock.storage.seekable_file import openable
from penstock.video import VideoFile
from penstock.video.index import Index

# A decoder of large frames holds some 50 MB of them.
_OPEN_VIDEOS = 8
_KEPT_INDEX_BYTES = 1 << 28

_Key: TypeAlias = tuple[int, int]  # the number of the file, and the threads of the decoder


class DecoderPool:
    """Decoders that are lent out, one to a thread; those not used for longest are closed."""

    def __init__(self, names: list[str], storage: Storage) -> None:
        self.names = names
        self.storage = storage
        self._lock = threading.Lock()
        self._idle: list[tuple[_Key, VideoFile]] = []  # the last used at the end
        self._process = os.getpid()
        self._indices: dict[int, Index] = {}
        self._index_bytes = 0

    def keep_index(self, file: int, index: Index) -> None:
        """Spares the next opening of a file the walk through its packets, as long as there is room."""
        with self._lock:
            if file not in self._indices and self._index_bytes + index.nbytes <= _KEPT_INDEX_BYTES:
                self._indices[file] = index
                self._index_bytes += index.nbytes

    def index(self, file: int) -> Index | None:
        return self._indices.get(file)

    @contextmanager
    def lent(self, file: int, frame: int, threads: int) -> Iterator[VideoFile]:
        """A decoder of the file with so many threads, at best one that stands right before the frame."""
        key = (file, threads)
        video = self._take(key, frame) or self._open(file, threads)
        try:
            yield video
        except BaseException:
            video.close()
            raise
        with self._lock:
            self._idle.append((key, video))
            surplus = self._idle[:-_OPEN_VIDEOS]
            del self._idle[:-_OPEN_VIDEOS]
        for _, each in surplus:
            each.close()

    def _take(self, key: _Key, frame: int) -> VideoFile | None:
        with self._lock:
            if self._process != os.getpid():  # what the parent of a fork has open, its child would move
                self._process, self._idle = os.getpid(), []
            videos = [video for other, video in self._idle if other == key]
            if not videos:
                return None
            best = min(videos, key=lambda video: (video.position >= frame, -video.position))
            self._idle.remove((key, best))
            return best

    def _open(self, file: int, threads: int) -> VideoFile:
        name = self.names[file]
        try:
            video = VideoFile(
                openable(self.storage, name),
                name=name,
                threads=threads,
                index=self.index(file),
                max_bytes=self.storage.sample_bytes,
            )
        except OSError as error:
            raise RuntimeError(str(error)) from None
        self.keep_index(file, video.index)
        return video
