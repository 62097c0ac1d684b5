"""The classes that programs know as ops.Resize or ops.random.Uniform, found where the declarations are."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any


def classes_of(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package of declarations: what it has not comes from `penstock.pipeline.ops`,
    which is drawn from the declarations and imported on first use.
    """

    def classes() -> ModuleType:
        return importlib.import_module(f"penstock.pipeline.{package.removeprefix('penstock.')}")

    def get(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(classes(), name)

    return get, lambda: [name for name in dir(classes()) if not name.startswith("_")]
