"""Files that are there as a whole or not at all: they are written under another name, and what is left of those whose
writers were killed is removed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_LOOK = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe of that name may hang nobody


@contextmanager
def partial_file(folder: str, name: str) -> Iterator[BinaryIO]:
    """A new file for what will be `name`, which whoever has written it is to rename or link. Else it is removed.

    While it is open it is locked, which ends with the process: others see whether its writer lives. One that was taken
    for a leftover before it was locked is left to them, name and all: whoever has it open may still remove that name.
    """
    is_taken = True
    while is_taken:
        path = os.path.join(folder, f".{name}.{os.urandom(4).hex()}.partial")
        try:
            with open(path, "xb") as file:
                locked = _locked(file.fileno(), fcntl.LOCK_EX if fcntl else 0)
                is_taken = locked and not os.fstat(file.fileno()).st_nlink
                if not is_taken:
                    yield file
        finally:
            with suppress(OSError):
                os.unlink(path)


def finish(file: BinaryIO, path: str) -> None:
    """Gives a partial file, which is whole now, its name."""
    file.flush()
    if fcntl is None:  # Windows renames no open file
        file.close()
    os.replace(file.name, path)


def remove_leftovers(folder: str, name: str) -> None:
    """Removes unfinished files whose writers do not live any more. `name` is a pattern of what they would have been."""
    parts = re.compile(rf"\.{name}\.[0-9a-f]{{8}}\.partial")
    for found in filter(parts.fullmatch, os.listdir(folder)):
        path = os.path.join(folder, found)
        with suppress(OSError), open(os.open(path, _LOOK), "rb") as file:
            if fcntl and _locked(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB):
                os.unlink(path)


def write_whole(path: str, contents: bytes) -> None:
    """Writes a file, or writes over it. Another process may be writing the same one."""
    folder, name = os.path.split(os.path.abspath(path))
    remove_leftovers(folder, re.escape(name))
    with partial_file(folder, name) as file:
        file.write(contents)
        finish(file, path)


def _locked(descriptor: int, how: int) -> bool:
    """Whether a file could be locked: not while another process has it, and not on Windows and some network disks."""
    try:
        if fcntl:
            fcntl.flock(descriptor, how)
    except OSError:
        return False
    return bool(fcntl)
