"""Finds libsndfile, which decodes every sound format but WAV and FLAC."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from penstock import _native


@cache
def load() -> None:
    """Hands the library to the native core, if there is one; without it such files are refused, with the way out."""
    for path in _candidates():
        with suppress(RuntimeError):
            _native.load_sndfile(path)
            return


def _candidates() -> Iterator[str]:
    """The library that comes with the package soundfile, which need not be imported for it, then the system's."""
    bundled = importlib.util.find_spec("_soundfile_data")
    for folder in bundled.submodule_search_locations or [] if bundled else []:
        yield from sorted(str(file) for file in Path(folder).glob("libsndfile*"))
    import ctypes.util  # takes longer than all of this module

    system = ctypes.util.find_library("sndfile")
    if system is not None:
        yield system
