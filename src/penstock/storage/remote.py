"""`Remote`: files at URLs through fsspec, with concurrent requests, retries, timeouts and an optional cache."""

from __future__ import annotations

import fnmatch
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

from penstock.storage import http, s3
from penstock.storage.cache import Cache
from penstock.storage.daemon_executor import daemon_executor
from penstock.storage.request import Request
from penstock.storage.urls import UNLIMITED, Contents, Piece
from penstock.storage.versions import FileChangedError, Version, Versions
from penstock.values.log import log

T = TypeVar("T")

# Errors for which a retry cannot help.
_FINAL = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError, ValueError)
_EXTRAS = {"s3": "s3", "s3a": "s3", "gs": "gs", "gcs": "gs"}
_EXIT_SECONDS = 0.2  # exit may leave threads that a file system blocks: they run no native code of ours
_LOOK_SECONDS = 1.0  # interval of the check for overdue requests, which may be blocked


class Patience(NamedTuple):
    """The number of attempts, and the timeouts in seconds; None is no limit."""

    attempts: int
    first_wait: float
    connect: float | None
    read: float | None
    total: float | None


class Remote:
    """The remote side of a `Storage`."""

    def __init__(
        self,
        options: Mapping[str, Any],
        concurrency: int,
        patience: Patience,
        cache: Cache | None,
        versions: Versions,
    ) -> None:
        self._options = options
        self._concurrency = concurrency
        self._patience = patience
        self._random = random.Random()  # not the global one, whose numbers belong to the program
        self._cache = cache
        self._versions = versions
        self.cached = self.fetched = 0  # pieces from the cache, and others

    def read(self, pieces: Sequence[Piece]) -> list[Contents | Exception]:
        """Reads pieces: the bytes of each, or the error."""
        return self._ask([(piece.url, partial(self._read_one, piece)) for piece in pieces])

    def size(self, url: str) -> int:
        size = self._ask_one(url, self._describe).size
        if size is None:
            raise RuntimeError(f"{url}: the server does not say how large the file is")
        return size

    def find(self, pattern: str) -> list[str]:
        """The URLs of the files that match a shell pattern, sorted."""

        def glob(request: Request) -> list[str]:
            system, path = self._system(pattern)
            return [system.unstrip_protocol(each) for each in system.glob(path)]

        return sorted(self._ask_one(pattern, glob))

    def find_in_folders(
        self, root: str, folders: Sequence[str], files: Sequence[str], case_sensitive: bool
    ) -> tuple[list[str], list[int], list[str]]:
        """The names under `root` of the files in its sub-folders, sorted; how many each has, and its name."""
        found = self._listed([root], "directory", folders, case_sensitive)[0]
        each = self._listed([f"{root.rstrip('/')}/{name}" for name in found], "file", files, case_sensitive)
        names = [f"{folder}/{name}" for folder, inside in zip(found, each, strict=True) for name in inside]
        return names, [len(inside) for inside in each], found

    def find_in_folder(self, root: str, pattern: str) -> list[str]:
        """The names of the files in a folder itself, sorted."""
        return self._listed([root], "file", [pattern], case_sensitive=True)[0]

    def _listed(self, urls: Sequence[str], kind: str, patterns: Sequence[str], case_sensitive: bool) -> list[list[str]]:
        fold: Callable[[str], str] = str if case_sensitive else str.lower

        def listing(url: str, request: Request) -> list[str]:
            system, path = self._system(url)
            entries = system.ls(path, detail=True)
            names = [entry["name"].rstrip("/").rpartition("/")[2] for entry in entries if entry["type"] == kind]
            return sorted(n for n in names if any(fnmatch.fnmatchcase(fold(n), fold(pattern)) for pattern in patterns))

        return [_raised(each) for each in self._ask([(url, partial(listing, url)) for url in urls])]

    def _read_one(self, piece: Piece, request: Request) -> Contents:
        if piece.length == 0:
            return b""
        kept = self._kept(piece)
        if kept is not None:
            self.cached += 1
            return kept
        contents, version = self._fetched(piece, request)
        self.fetched += 1
        if self._cache is not None:
            self._cache.put(piece, contents, version)
        return contents

    def _kept(self, piece: Piece) -> Contents | None:
        """The piece from the cache, unless it is of another version than the parts of the file read before."""
        kept = None if self._cache is None else self._cache.get(piece)
        if kept is None or not (piece.may_end or piece.length in (-1, len(kept.contents))):
            return None
        try:
            self._note(piece, kept.version)
        except FileChangedError:
            return None
        return kept.contents

    def _fetched(self, piece: Piece, request: Request) -> http.Answer:
        system, path = self._system(piece.url)
        if _speaks_http(system):
            answer = request.wait_for(http.fetch(system, path, piece), system.loop)
        elif _speaks_s3(system):
            answer = request.wait_for(s3.fetch(system, path, piece), system.loop)
        else:
            return http.Answer(_cat(system, path, piece), self._versions.get(piece.url))
        if not answer.contents:  # nothing to be inconsistent; such a response may lack a version
            return answer
        try:
            self._note(piece, answer.version)
        except FileChangedError:
            if self._cache is not None:  # else the next run would find the outdated pieces again
                self._cache.forget(piece.url)
            raise
        return answer

    def _note(self, piece: Piece, version: Version) -> None:
        """Records the version a piece was read from. Only parts pin it: a whole file is consistent in itself."""
        if piece.is_whole:
            self._versions.check(piece.url, version)
        else:
            self._versions.keep(piece.url, version)

    def _describe(self, request: Request) -> Version:
        system, path = self._system(request.url)
        if _speaks_http(system):
            version = request.wait_for(http.describe(system, path), system.loop)
        else:
            info = system.info(path)
            version = Version(info.get("size"), info.get("ETag") or info.get("etag"))
        self._versions.keep(request.url, version)
        return version

    def _ask_one(self, url: str, ask: Callable[[Request], T]) -> T:
        return _raised(self._ask([(url, ask)])[0])

    def _ask(self, asked: Sequence[tuple[str, Callable[[Request], T]]]) -> list[T | Exception]:
        """Runs functions concurrently, with retries; returns the result or the last error of each.

        Unfinished ones are abandoned when the wait ends early: by an interrupt, or when time is up.
        """
        executor = daemon_executor("remote", self._concurrency, _EXIT_SECONDS)
        finished: SimpleQueue[int] = SimpleQueue()
        requests = [
            Request(url, partial(self._patiently, ask), self._patience.total, partial(finished.put, number))
            for number, (url, ask) in enumerate(asked)
        ]
        left = set(range(len(requests)))
        try:
            for request in requests:
                executor.start(request)
            while left:
                try:
                    left.discard(finished.get(timeout=_LOOK_SECONDS))
                except Empty:
                    for number in left:
                        if requests[number].overdue > 0:
                            executor.abandon(requests[number], self._out_of_time())
        finally:
            for number in left:
                executor.abandon(requests[number], "interrupted")
        outcomes = [request.outcome for request in requests]
        for outcome in outcomes:
            if isinstance(outcome, SystemExit):
                raise outcome
        return outcomes

    def _patiently(self, ask: Callable[[Request], T], request: Request) -> T:
        """Calls a function until it succeeds; raises RuntimeError after the last attempt or when time is up.

        A missing package is an ImportError.
        """
        patience, wait = self._patience, self._patience.first_wait
        for attempt in range(1, patience.attempts + 1):
            try:
                return ask(request)
            except ImportError:  # the next file would fail as well
                raise
            except _FINAL as error:
                raise RuntimeError(_told(request.url, error)) from None
            except Exception as error:
                if request.overdue >= 0:
                    raise RuntimeError(f"{request.url}: {self._out_of_time()}") from None
                if attempt == patience.attempts:
                    raise RuntimeError(f"{_told(request.url, error)} ({attempt} attempts)") from None
                log(
                    "INFO",
                    "storage",
                    "attempt %d of %d failed: %s",
                    attempt,
                    patience.attempts,
                    _told(request.url, error),
                )
            request.sleep(wait * self._random.uniform(0.5, 1.0))
            if request.overdue >= 0:
                raise RuntimeError(f"{request.url}: {self._out_of_time()}")
            wait *= 2
        raise AssertionError("at least one attempt is made")

    def _out_of_time(self) -> str:
        return f"not read within total_timeout={self._patience.total:g} seconds"

    def _system(self, url: str) -> tuple[Any, str]:
        protocol = url.partition("://")[0]
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise ImportError(f"{protocol}:// needs fsspec: pip install penstock[remote]") from None
        try:
            system, path = url_to_fs(url, **self._system_options(protocol))
        except ImportError as error:
            raise ImportError(f"{error}: pip install penstock[{_EXTRAS.get(protocol, 'remote')}]") from None
        if _speaks_s3(system):
            s3.make_patient(system)
        return system, path

    def _system_options(self, protocol: str) -> dict[str, Any]:
        """The user's options, with timeouts for the file systems that take them."""
        if protocol in ("http", "https"):
            from aiohttp import ClientTimeout

            # Not `connect`, which includes the wait for a free connection of the pool, nor `total`: ours spans retries.
            own = {"timeout": ClientTimeout(sock_connect=self._patience.connect, sock_read=self._patience.read)}
            return {**self._options, "client_kwargs": {**own, **(self._options.get("client_kwargs") or {})}}
        if protocol in ("s3", "s3a"):
            waits = {"connect_timeout": self._patience.connect, "read_timeout": self._patience.read}
            limits = {**waits, "retries": s3.ONE_ATTEMPT}
            return {**self._options, "config_kwargs": {**limits, **(self._options.get("config_kwargs") or {})}}
        return dict(self._options)


def _speaks_http(system: Any) -> bool:
    return _is_a(system, "fsspec.implementations.http", "HTTPFileSystem")


def _speaks_s3(system: Any) -> bool:
    return _is_a(system, "s3fs", "S3FileSystem")


def _is_a(system: Any, module: str, name: str) -> bool:
    """An isinstance test that imports nothing: the class needs packages that may be missing."""
    imported = sys.modules.get(module)
    return imported is not None and isinstance(system, getattr(imported, name))


def _cat(system: Any, path: str, piece: Piece) -> bytes:
    """Reads a piece through any other file system; asks for the size first if there is a limit."""
    end = None if piece.length < 0 else piece.offset + piece.length
    if piece.length < 0 and piece.max_bytes < UNLIMITED:
        size = _size(system, path)
        if size is None:
            end = piece.offset + piece.max_bytes + 1
        else:
            piece.require_allowed(size - piece.offset)
    contents: bytes = system.cat_file(path, start=piece.offset or None, end=end)
    if piece.length < 0:
        piece.require_allowed(len(contents), "what has come of it so far")
    elif len(contents) != piece.length and not piece.may_end:
        raise OSError(f"{len(contents)} of the {piece.length} bytes at {piece.offset} came")
    return contents


def _size(system: Any, path: str) -> int | None:
    try:
        size: int | None = system.info(path).get("size")
    except NotImplementedError:  # a user's own file system may implement reading only
        return None
    return size


def _told(url: str, error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{url}: No such file or directory"
    return f"{url}: {str(error) or type(error).__name__}"


def _raised(outcome: T | Exception) -> T:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome
