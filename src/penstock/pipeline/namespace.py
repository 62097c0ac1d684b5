"""The modules fn, fn.readers, fn.random, ...: their functions are made, and operators imported, on first use."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from penstock.ops._index import OPERATORS
from penstock.pipeline.external_source import external_source
from penstock.pipeline.functions import function
from penstock.pipeline.readers import READERS, reader_function

_OWN: dict[str, Callable[..., Any]] = {"external_source": external_source}


def fill(name: str) -> None:
    """Gives a package its functions and its modules."""
    paths = sorted(path for path in {*OPERATORS, *READERS, *_OWN} if not _is_hidden(path))
    modules = {"": sys.modules[name]}
    for path in paths:
        parts = path.split(".")[:-1]
        for depth in range(1, len(parts) + 1):
            inner = ".".join(parts[:depth])
            if inner not in modules:
                modules[inner] = made = ModuleType(f"{name}.{inner}", f"fn.{inner}: see `penstock.fn`.")
                sys.modules[made.__name__] = made
                setattr(modules[inner.rpartition(".")[0]], parts[depth - 1], made)
    for inner, module in modules.items():
        prefix = f"{inner}." if inner else ""
        names = [path[len(prefix) :] for path in paths if path.startswith(prefix) and "." not in path[len(prefix) :]]
        module.__getattr__ = _finder(module, prefix, names)  # type: ignore[method-assign]
        module.__dir__ = lambda module=module, names=names: [*vars(module), *names]  # type: ignore[method-assign,misc]


def _finder(module: ModuleType, prefix: str, names: list[str]) -> Callable[[str], Any]:
    def get(name: str) -> Any:
        if name in names:
            found = _OWN.get(prefix + name) or _made(prefix + name)
            setattr(module, name, found)  # the next time is free
            return found
        close = difflib.get_close_matches(name, names, n=1)
        hint = f"; did you mean fn.{prefix}{close[0]}?" if close else ""
        raise AttributeError(f"module 'fn{'.' + prefix[:-1] if prefix else ''}' has no attribute {name!r}{hint}")

    return get


def _made(path: str) -> Callable[..., Any]:
    return reader_function(path) if path in READERS else function(path)


def _is_hidden(path: str) -> bool:
    return any(part.startswith("_") for part in path.split("."))
