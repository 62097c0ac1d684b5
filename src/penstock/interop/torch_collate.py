"""torch's `default_collate` taught to stack this library's own tensors.

torch keeps a table of functions by type for this. It is entered there as torch's module of it is imported, or at once
where that has happened: importing torch takes longer than everything else here together, so nothing is imported for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec

_MODULE = "torch.utils.data._utils.collate"


def teach_default_collate(kind: type[Any]) -> None:
    """Has a DataLoader stack what has a `torch()` method of the given type, as it does its own tensors."""
    module = sys.modules.get(_MODULE)
    if module is not None:
        _enter(module, kind)
    else:
        sys.meta_path.insert(0, _OnImport(kind))


def _enter(module: ModuleType, kind: type[Any]) -> None:
    table = getattr(module, "default_collate_fn_map", None)  # there since torch 2.0
    if table is not None:
        table[kind] = _stacked


def _stacked(batch: Sequence[Any], *, collate_fn_map: dict[type[Any], Callable[..., Any]]) -> Any:
    """As of torch's own tensors: in a worker process that is into shared memory."""
    import torch

    return collate_fn_map[torch.Tensor]([each.torch() for each in batch], collate_fn_map=collate_fn_map)


class _OnImport:
    """Finds nothing, but for the one module: that, as others would, and enters the type once it has been run."""

    def __init__(self, kind: type[Any]) -> None:
        self._kind = kind

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _MODULE:
            return None
        from importlib.util import find_spec

        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Entering(spec.loader, self._kind)  # type: ignore[assignment]
        return spec


class _Entering:
    """The module's own loader; the type is entered after it."""

    def __init__(self, loader: Loader, kind: type[Any]) -> None:
        self._loader = loader
        self._kind = kind

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None
        spec.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        _enter(module, self._kind)
