"""The one door through which readers reach files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache

from penstock import _native
from penstock._native import Samples
from penstock.readers.names import Names
from penstock.readers.order import Indices
from penstock.readers.source import UnreadableError

# Reads wait for the disk more than they compute, so they have threads of their own instead of the decoders'.
_READ_THREADS = 4


def read_whole(root: str, names: Names, indices: Indices) -> Samples:
    """The bytes of some of the files under `root`, read in parallel without the interpreter lock."""
    samples, failures = _native.read_files(_pool(), os.fsencode(root), names.packed, names.ends, indices)
    if failures:
        sources = {at: names[int(indices[at])] for at in failures}
        raise UnreadableError({at: f"File mapping failed: {why}" for at, why in failures.items()}, sources)
    return samples


def find_in_folders(
    root: str, folders: Sequence[str], files: Sequence[str], case_sensitive: bool
) -> tuple[bytes, list[int]]:
    """The files matching `files` in the sub-folders matching `folders`, packed, and how many each folder has."""
    folder_patterns, file_patterns = ([os.fsencode(pattern) for pattern in patterns] for patterns in (folders, files))
    return _native.list_class_files(_pool(), os.fsencode(root), folder_patterns, file_patterns, case_sensitive)


@cache
def _pool() -> _native.Pool:
    return _native.Pool(_READ_THREADS)
