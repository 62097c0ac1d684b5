"""What programs find as `nvidia.dali.internal`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType

__all__ = ["get_submodule"]


def get_submodule(root: ModuleType | str, path: str | Sequence[str]) -> ModuleType:
    """A module below another, which is made if there is none of that name.

    Args:
        root: A module, or the name of one that is loaded.
        path: Names of the modules below it, in a list or with periods between them.
    """
    module = sys.modules[root] if isinstance(root, str) else root
    for name in path.split(".") if isinstance(path, str) else path:
        if not name:
            continue
        below = getattr(module, name, None)
        if below is None:
            below = sys.modules.setdefault(f"{module.__name__}.{name}", ModuleType(f"{module.__name__}.{name}"))
            setattr(module, name, below)
        if not isinstance(below, ModuleType):
            raise RuntimeError(f"{module.__name__}.{name} is no module")
        module = below
    return module
