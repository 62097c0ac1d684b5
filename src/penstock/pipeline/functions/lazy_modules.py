"""Modules whose attributes are made on first use, and import what they need only then."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any


def fill(name: str, spoken: str, paths: Iterable[str], make: Callable[[str], Any]) -> None:
    """Fills a module with attributes by their dotted paths, and makes the submodules that these are in.

    `make` makes the attribute of a path when it is first read. `spoken` is the name of the module in messages.
    """
    known = sorted(paths)
    modules = {"": sys.modules[name]}
    for path in known:
        parts = path.split(".")[:-1]
        for depth in range(1, len(parts) + 1):
            inner = ".".join(parts[:depth])
            if inner not in modules:
                modules[inner] = made = ModuleType(f"{name}.{inner}", f"{spoken}.{inner}: see `{name}`.")
                made.__path__ = []
                sys.modules[made.__name__] = made
                setattr(modules[inner.rpartition(".")[0]], parts[depth - 1], made)
    for inner, module in modules.items():
        prefix = f"{inner}." if inner else ""
        names = [path[len(prefix) :] for path in known if path.startswith(prefix) and "." not in path[len(prefix) :]]
        module.__getattr__ = _finder(module, f"{spoken}.", prefix, names, make)  # type: ignore[method-assign]
        module.__dir__ = lambda module=module, names=names: [*vars(module), *names]  # type: ignore[method-assign,misc]


def _finder(
    module: ModuleType, spoken: str, prefix: str, names: list[str], make: Callable[[str], Any]
) -> Callable[[str], Any]:
    def get(name: str) -> Any:
        if name in names:
            found = make(prefix + name)
            setattr(module, name, found)  # the next time is free
            return found
        raise AttributeError(
            f"module '{(spoken + prefix)[:-1]}' has no attribute {name!r}{_hint(name, names, spoken + prefix)}"
        )

    return get


def _hint(name: str, names: list[str], spoken: str) -> str:
    """What was meant by a name that the module does not have, as the end of a message."""
    if name.startswith("__"):
        return ""
    from penstock.ops.known_elsewhere import called_in_pipelines, plain_name  # which only errors need

    same = [known for known in names if plain_name(known) == plain_name(name)]
    if not same and spoken.startswith(("fn.", "ops.")):
        meant = called_in_pipelines(name)
        if meant is not None and (spoken.count(".") == 1 or spoken in meant):
            return f"; did you mean {meant}?"
    close = same or difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {spoken}{close[0]}?" if close else ""
