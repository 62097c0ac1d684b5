"""What was fetched, kept in a folder of bounded size."""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from pathlib import Path


class Cache:
    """Pieces of files under names made from where they came from. Several processes may share the folder."""

    def __init__(self, folder: str | os.PathLike[str], limit: int) -> None:
        self._folder = Path(folder)
        self._limit = limit
        self._lock = threading.Lock()
        self._folder.mkdir(parents=True, exist_ok=True)
        self._held = sum(size for _, size, _ in self._entries())

    def get(self, url: str, offset: int, length: int) -> bytes | None:
        path = self._place(url, offset, length)
        try:
            contents = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return contents

    def put(self, url: str, offset: int, length: int, contents: bytes) -> None:
        """Keeps a piece; a folder that is full or cannot be written to is no error, only of no help."""
        if len(contents) > self._limit:
            return
        place = self._place(url, offset, length)
        try:
            place.parent.mkdir(exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=place.parent, prefix=".")
            with open(descriptor, "wb") as file:
                file.write(contents)
            os.replace(name, place)
        except OSError:
            return
        with self._lock:
            self._held += len(contents)
            if self._held > self._limit:
                self._make_room()

    def _make_room(self) -> None:
        """Removes the pieces not used for the longest time, and some more, to look through them less often."""
        entries = sorted(self._entries())
        self._held = sum(size for _, size, _ in entries)
        for _, size, path in entries:
            if self._held <= self._limit * 0.9:
                break
            Path(path).unlink(missing_ok=True)
            self._held -= size

    def _entries(self) -> list[tuple[float, int, str]]:
        """When each piece was last used, its size and its path."""
        found = []
        for folder in os.scandir(self._folder):
            if folder.is_dir():
                for entry in os.scandir(folder.path):
                    try:
                        status = entry.stat()
                    except FileNotFoundError:  # another process made room
                        continue
                    found.append((status.st_mtime, status.st_size, entry.path))
        return found

    def _place(self, url: str, offset: int, length: int) -> Path:
        name = hashlib.sha256(f"{url}\0{offset}\0{length}".encode()).hexdigest()
        return self._folder / name[:2] / name[2:]
