"""Where samples come from: order, shards, reading ahead, saved state, and the readers themselves."""

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
EXPERIMENTAL = frozenset({"Fits"})  # which ndd and fn have in `experimental.readers`


def __getattr__(name: str) -> Any:
    """A program uses one or two of the readers, and waits for the import of no others."""
    home = READERS.get(name) or _OTHERS.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = found  # the next time is free
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
