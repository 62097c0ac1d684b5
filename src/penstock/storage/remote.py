"""Files at URLs, through fsspec: many requests at a time, asked again when they fail, kept where that is wanted."""

from __future__ import annotations

import fnmatch
import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from penstock.storage.cache import Cache
from penstock.storage.urls import Piece
from penstock.storage.versions import Version
from penstock.values.parallel import executor

T = TypeVar("T")

# Asking again cannot help here.
_FINAL = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError, ImportError, ValueError)
_EXTRAS = {"s3": "s3", "s3a": "s3", "gs": "gs", "gcs": "gs"}


class Remote:
    """What one `Storage` fetches."""

    def __init__(
        self,
        options: Mapping[str, Any],
        concurrency: int,
        attempts: int,
        first_wait: float,
        cache_dir: str | os.PathLike[str] | None,
        cache_bytes: int,
    ) -> None:
        self._options = options
        self._concurrency = concurrency
        self._attempts = attempts
        self._first_wait = first_wait
        self._random = random.Random()  # the program's own numbers stay as they are
        self._cache = None if cache_dir is None else Cache(cache_dir, cache_bytes)

    def read(self, pieces: Sequence[Piece]) -> list[bytes | Exception]:
        """The bytes of every piece, or why it cannot be read."""
        return list(executor("remote", self._concurrency).map(self._read_one, pieces))

    def size(self, url: str) -> int:
        size = self._patiently(url, lambda system, path: system.size(path))
        if size is None:
            raise RuntimeError(f"{url}: the server does not say how large the file is")
        return int(size)

    def find(self, pattern: str) -> list[str]:
        """The URLs of the files that match a shell pattern, sorted."""
        found = self._patiently(
            pattern, lambda system, path: [system.unstrip_protocol(each) for each in system.glob(path)]
        )
        return sorted(found)

    def find_in_folders(
        self, root: str, folders: Sequence[str], files: Sequence[str], case_sensitive: bool
    ) -> tuple[list[str], list[int]]:
        """The names under `root` of the files in its sub-folders, sorted, and how many each sub-folder has."""
        found = self._listed(root, "directory", folders, case_sensitive)
        url = root.rstrip("/")
        threads = executor("remote", self._concurrency)
        each = list(threads.map(lambda name: self._listed(f"{url}/{name}", "file", files, case_sensitive), found))
        names = [f"{folder}/{name}" for folder, inside in zip(found, each, strict=True) for name in inside]
        return names, [len(inside) for inside in each]

    def find_in_folder(self, root: str, pattern: str) -> list[str]:
        """The names of the files in a folder itself, sorted."""
        return self._listed(root, "file", [pattern], case_sensitive=True)

    def _listed(self, url: str, kind: str, patterns: Sequence[str], case_sensitive: bool) -> list[str]:
        entries = self._patiently(url, lambda system, path: system.ls(path, detail=True))
        names = [entry["name"].rstrip("/").rpartition("/")[2] for entry in entries if entry["type"] == kind]
        fold: Callable[[str], str] = str if case_sensitive else str.lower
        return sorted(n for n in names if any(fnmatch.fnmatchcase(fold(n), fold(pattern)) for pattern in patterns))

    def _read_one(self, piece: Piece) -> bytes | Exception:
        if self._cache is not None:
            kept = self._cache.get(piece)
            if kept is not None and (piece.may_end or piece.length in (-1, len(kept.contents))):
                return kept.contents
        try:
            contents = self._patiently(piece.url, lambda system, path: _cat(system, path, piece))
        except RuntimeError as error:
            return error
        if self._cache is not None:
            self._cache.put(piece, contents, Version())
        return contents

    def _patiently(self, url: str, ask: Callable[[Any, str], T]) -> T:
        """What the file system answers; RuntimeError when it does not, after several attempts."""
        wait = self._first_wait
        for attempt in range(1, self._attempts + 1):
            try:
                return ask(*self._system(url))
            except _FINAL as error:
                raise RuntimeError(_told(url, error)) from None
            except Exception as error:
                if attempt == self._attempts:
                    raise RuntimeError(f"{_told(url, error)} ({attempt} attempts)") from None
            time.sleep(wait * self._random.uniform(0.5, 1.0))
            wait *= 2
        raise AssertionError("at least one attempt is made")

    def _system(self, url: str) -> tuple[Any, str]:
        protocol = url.partition("://")[0]
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise ImportError(f"{protocol}:// needs fsspec: pip install penstock[remote]") from None
        try:
            system, path = url_to_fs(url, **self._options)
        except ImportError as error:
            raise ImportError(f"{error}: pip install penstock[{_EXTRAS.get(protocol, 'remote')}]") from None
        return system, path


def _cat(system: Any, path: str, piece: Piece) -> bytes:
    if piece.length == 0:
        return b""
    end = None if piece.length < 0 else piece.offset + piece.length
    contents: bytes = system.cat_file(path, start=piece.offset or None, end=end)
    if 0 <= piece.length != len(contents) and not piece.may_end:
        raise OSError(f"{len(contents)} of the {piece.length} bytes at {piece.offset} came")
    return contents


def _told(url: str, error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{url}: No such file or directory"
    return f"{url}: {error or type(error).__name__}"
