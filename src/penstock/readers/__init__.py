"""The readers by name, imported on first use: `core` is what they share, the other folders are kinds of sources."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from penstock.readers._index import READERS as READERS

if TYPE_CHECKING:
    from penstock.readers._names import *
    from penstock.readers.core.reader import Reader as Reader
    from penstock.readers.core.sample_source import BadSample as BadSample
    from penstock.readers.core.state import ReaderState as ReaderState
    from penstock.readers.core.state import reshard as reshard

_OTHERS = {
    "BadSample": "core.sample_source",
    "Reader": "core.reader",
    "ReaderState": "core.state",
    "reshard": "core.state",
}
__all__ = sorted({*READERS, *_OTHERS})
EXPERIMENTAL = frozenset({"Fits"})  # found in `experimental.readers` of ndd and fn


def __getattr__(name: str) -> Any:
    """Imports a reader on first use: a program uses one or two of them, and should not wait for the others."""
    home = READERS.get(name) or _OTHERS.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = found  # the next time is free
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
