"""Attributes of the ndd modules: operators are found, and their files imported, on first use."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Iterable
from typing import Any

from penstock.dynamic.calls.functions import function
from penstock.ops.declaration import OPERATORS


def plain_name(name: str) -> str:
    """The name without what differs between the manners of writing it: GaussianBlur is gaussian_blur."""
    return name.lower().replace("_", "")


def _called_here(name: str) -> str | None:
    from penstock.dynamic.calls.known_elsewhere import CALLED_HERE  # which only errors need

    return CALLED_HERE.get(plain_name(name))


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
        meant = None if module or name.startswith("__") else _called_here(name)
        if meant is None:
            same = [known for known in names if plain_name(known) == plain_name(name)]
            close = same or difflib.get_close_matches(name, names, n=1)
            meant = f"{spoken}.{close[0]}" if close else None
        hint = "" if meant is None else f"; did you mean {meant}?"
        raise AttributeError(f"module '{spoken}' has no attribute {name!r}{hint}")

    return get, lambda: names
