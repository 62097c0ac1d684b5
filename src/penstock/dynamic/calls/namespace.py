"""Attributes of the ndd modules: operators are found, and their files imported, on first use."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Iterable
from typing import Any

from penstock.dynamic.calls.functions import function
from penstock.ops.declaration import OPERATORS


def attributes(module: str, also: Iterable[str] = ()) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of the module "decoders", "random", ... or "" for ndd itself.

    `also` are names the module defines by itself, for suggestions.
    """
    prefix = f"{module}." if module else ""
    here = {path[len(prefix) :] for path in OPERATORS if path.startswith(prefix)}
    names = sorted({name for name in here if "." not in name and not name.startswith("_")} | set(also))

    def get(name: str) -> Any:
        if name in here:
            found = function(prefix + name)
            setattr(sys.modules[f"penstock.dynamic.{module}".rstrip(".")], name, found)  # the next time is free
            return found
        spoken = f"ndd.{module}" if module else "ndd"
        raise AttributeError(f"module '{spoken}' has no attribute {name!r}{_hint(name, names, spoken)}")

    return get, lambda: names


def _hint(name: str, names: list[str], spoken: str) -> str:
    """What was meant by a name that the module does not have, as the end of a message."""
    if name.startswith("__"):
        return ""
    from penstock.ops.known_elsewhere import CALLED_HERE, plain_name  # which only errors need

    meant = CALLED_HERE.get(plain_name(name)) if spoken == "ndd" else None
    if meant is None:
        same = [known for known in names if plain_name(known) == plain_name(name)]
        close = same or difflib.get_close_matches(name, names, n=1)
        meant = f"{spoken}.{close[0]}" if close else None
    return "" if meant is None else f"; did you mean {meant}?"
