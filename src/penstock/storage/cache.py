"""A cache of fetched pieces of files, in a folder of bounded size that several processes may share."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import struct
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from penstock.storage.urls import Contents, Piece
from penstock.storage.versions import Version

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# The folder is shared with whatever else the user keeps in cache_dir: nothing outside of our own folder, and nothing in
# it whose name is not one of ours, is ever touched.
_FOLDER = "penstock-cache"
_MARK = "CACHEDIR.TAG"  # tells backup programs as well: https://bford.info/cachedir
_MARK_TEXT = b"Signature: 8a477f597d28d172789f06886806bc55\n# Pieces of files that Penstock fetched. May be deleted.\n"
_SHARD = re.compile(r"[0-9a-f]{2}")
_ENTRY = re.compile(r"([0-9a-f]{32})-\d+-(?:\d+|end)\.piece")
_PARTIAL = re.compile(rf"(?:{_ENTRY.pattern}|{re.escape(_MARK)})\.\w+\.partial")

# An entry: magic, bytes of the version and of the contents, SHA-256; the version; the contents.
_HEADER = struct.Struct("<8sIQ32s")
_MAGIC = b"PENSTCK1"

# Unfinished files younger than this may not be locked yet. Without locks, one older than a day is abandoned.
_UNLOCKED_SECONDS = 60
_UNKNOWN_SECONDS = 24 * 3600

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)  # opening a pipe in place of an entry would block
_BINARY = getattr(os, "O_BINARY", 0)  # Windows would change the ends of lines


class Kept(NamedTuple):
    """A cached piece, and the version of the file it was read from."""

    contents: Contents
    version: Version


class _CacheEntry(NamedTuple):
    """A file of the cache: sorts by the time of its last use."""

    used: float
    size: int
    path: str


class Cache:
    """Pieces of files, named by a hash of their URL and range. Several processes may share the folder."""

    def __init__(self, folder: str | os.PathLike[str], limit: int) -> None:
        self._limit = limit
        # Bytes to write before the folder is scanned again, since other processes write as well. Races between threads
        # make it inexact, but a lock might be held when the process is forked.
        self._allowance = 0
        self._folder = Path(folder) / _FOLDER
        try:
            Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
            self._take_folder()
        except OSError as error:
            raise RuntimeError(f"cache_dir: {error}") from None

    def get(self, piece: Piece) -> Kept | None:
        """A piece that was put before; None if there is none or its file was damaged, which removes it.

        Raises ValueError if it is larger than the piece may be.
        """
        path = self._path(piece)
        try:
            self._require_folder(path.parent)
            with open(os.open(path, os.O_RDONLY | _NOFOLLOW | _NONBLOCK | _BINARY), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return None
                kept = _read(file, piece)
                if kept is not None:
                    os.utime(file.fileno() if os.utime in os.supports_fd else path)
                    return kept
        except OSError:
            return None
        with suppress(OSError):
            path.unlink()
        return None

    def put(self, piece: Piece, contents: Contents, version: Version) -> None:
        """Stores a piece. Errors such as a full disk are ignored: the piece is then fetched again next time."""
        told = json.dumps(version).encode()
        size = _HEADER.size + len(told) + len(contents)
        if size > self._limit:
            return
        header = _HEADER.pack(_MAGIC, len(told), len(contents), _checksum(piece, told, contents))
        path = self._path(piece)
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, exist_ok=True)
            self._require_folder(path.parent)
            _write_whole(path, header + told, contents)
            self._count(size)

    def forget(self, url: str) -> None:
        """Removes all pieces of a file."""
        prefix = _digest(url)
        for entry in self._entries():
            if os.path.basename(entry.path).startswith(prefix):
                with suppress(OSError):
                    os.unlink(entry.path)

    def _take_folder(self) -> None:
        """Creates our folder inside the user's, or checks that an existing one was made by this library."""
        with suppress(FileExistsError):
            self._folder.mkdir(mode=0o700)
        self._require_folder(self._folder)
        status = self._folder.lstat()
        if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
            raise RuntimeError(f"cache_dir: {self._folder} belongs to another user")
        if stat.S_IMODE(status.st_mode) & 0o077:
            self._folder.chmod(0o700)
        names = os.listdir(self._folder)  # before the test for the mark, which another process may be writing
        mark = self._folder / _MARK
        if not mark.is_symlink() and mark.is_file():
            ours = mark.read_bytes() == _MARK_TEXT
        else:
            ours = all(_PARTIAL.fullmatch(name) for name in names)
            if ours:
                _write_whole(mark, _MARK_TEXT)
        if not ours:
            raise RuntimeError(f"cache_dir: {self._folder} was not made by this library, choose another cache_dir")

    def _require_folder(self, path: Path) -> None:
        if not stat.S_ISDIR(path.lstat().st_mode):
            raise NotADirectoryError(f"{path} is a link or a file, not a folder")

    def _count(self, size: int) -> None:
        self._allowance -= size
        if self._allowance < 0:
            self._allowance = self._limit  # this thread scans; the others need not
            held = self._make_room()
            self._allowance = max((self._limit - held) // 8, self._limit // 64)

    def _make_room(self) -> int:
        """Removes the least recently used pieces if the folder is too large; returns the bytes that are left.

        It goes down to 90 % of the limit, so that scans are rarer, and because other processes write before they scan.
        """
        entries = sorted(self._entries())
        held = sum(entry.size for entry in entries)
        if held <= self._limit - self._limit // 64:
            return held
        for entry in entries:
            if held <= self._limit * 0.9:
                break
            with suppress(OSError):
                os.unlink(entry.path)
            held -= entry.size
        return held

    def _entries(self) -> Iterator[_CacheEntry]:
        """Iterates over the pieces; unfinished files of processes that were killed are removed."""
        for file in self._files():
            try:
                if _ENTRY.fullmatch(file.name):
                    status = file.stat(follow_symlinks=False)
                    yield _CacheEntry(status.st_mtime, status.st_size, file.path)
                elif _PARTIAL.fullmatch(file.name) and _is_left_behind(file.path):
                    os.unlink(file.path)
            except OSError:  # another process has removed it
                continue

    def _files(self) -> Iterator[os.DirEntry[str]]:
        for file in _scan(self._folder):
            if file.is_dir(follow_symlinks=False) and _SHARD.fullmatch(file.name):
                yield from (each for each in _scan(file.path) if each.is_file(follow_symlinks=False))
            elif file.is_file(follow_symlinks=False):
                yield file

    def _path(self, piece: Piece) -> Path:
        extent = "end" if piece.length < 0 else piece.length
        name = f"{_digest(piece.url)}-{piece.offset}-{extent}.piece"
        return self._folder / _digest(name)[:2] / name


def _scan(folder: str | Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []


def _read(file: BinaryIO, piece: Piece) -> Kept | None:
    head = file.read(_HEADER.size)
    if len(head) < _HEADER.size:
        return None
    magic, told_bytes, length, checksum = _HEADER.unpack(head)
    if magic != _MAGIC or os.fstat(file.fileno()).st_size != _HEADER.size + told_bytes + length:
        return None
    piece.require_allowed(length)
    told, contents = file.read(told_bytes), file.read(length)
    if _checksum(piece, told, contents) != checksum:
        return None
    return Kept(contents, Version(*json.loads(told)))


def _checksum(piece: Piece, told: bytes, contents: Contents) -> bytes:
    """The digest of the contents and of their URL and range: a file renamed to another entry is damaged, too."""
    digest = hashlib.sha256(
        f"{piece.url}\0{piece.offset}\0{piece.length}\0{len(told)}\0".encode("utf-8", "surrogatepass")
    )
    digest.update(told)
    digest.update(contents)
    return digest.digest()


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _write_whole(path: Path, *parts: Contents) -> None:
    """Writes a file atomically. It is locked meanwhile, so that others can tell whether its writer still lives."""
    descriptor, partial = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.", suffix=".partial")
    try:
        with open(descriptor, "wb") as file:
            if fcntl is not None:
                with suppress(OSError):  # a file system without locks
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.writelines(parts)
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise


def _is_left_behind(path: str) -> bool:
    """Whether the process that was writing an unfinished file has ended."""
    age = time.time() - os.lstat(path).st_mtime
    if age < _UNLOCKED_SECONDS:
        return False
    if fcntl is None:
        return age > _UNKNOWN_SECONDS
    descriptor = os.open(path, os.O_RDWR | _NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return age > _UNKNOWN_SECONDS
    finally:
        os.close(descriptor)
    return True
