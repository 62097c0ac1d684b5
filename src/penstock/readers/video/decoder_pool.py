"""`DecoderPool`: the open video files of a reader, reused where the next sequence continues the last one."""

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

# A decoder of large frames holds about 50 MB of them.
_OPEN_VIDEOS = 8
_KEPT_INDEX_BYTES = 1 << 28

_Key: TypeAlias = tuple[int, int]  # index of the file, threads of the decoder


class DecoderPool:
    """Decoders, each borrowed by one thread at a time; the least recently used idle ones are closed."""

    def __init__(self, names: list[str], storage: Storage) -> None:
        self.names = names
        self.storage = storage
        self._lock = threading.Lock()
        self._idle: list[tuple[_Key, VideoFile]] = []  # most recently used last
        self._process = os.getpid()
        self._indices: dict[int, Index] = {}
        self._index_bytes = 0

    def keep_index(self, file: int, index: Index) -> None:
        """Stores the index of a file, within a limit of memory: opening it again then needs no scan of its packets."""
        with self._lock:
            if file not in self._indices and self._index_bytes + index.nbytes <= _KEPT_INDEX_BYTES:
                self._indices[file] = index
                self._index_bytes += index.nbytes

    def index(self, file: int) -> Index | None:
        return self._indices.get(file)

    @contextmanager
    def borrow(self, file: int, frame: int, threads: int) -> Iterator[VideoFile]:
        """A decoder of the file, preferably one positioned shortly before the frame."""
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
            if self._process != os.getpid():  # a forked child shares file positions with its parent
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
