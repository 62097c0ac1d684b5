"""Imports of DALI's modules, answered with those of penstock."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from penstock.compat import private_names
from penstock.compat.aliases import DALI, known_as, place_of

_PARENT = DALI.partition(".")[0]


class AliasFinder:
    """Finds `nvidia.dali` and what is below it in penstock: the same module objects under another name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == _PARENT:  # other libraries may have it
            return None if PathFinder.find_spec(_PARENT) else ModuleSpec(_PARENT, None, is_package=True)
        place = place_of(fullname)
        if place is None:
            return None
        try:
            module = importlib.import_module(place)
        except ModuleNotFoundError as error:
            if error.name and f"{place}.".startswith(f"{error.name}."):
                return None
            raise
        private_names.add(module, known_as(fullname) or "")
        loader: Any = _Alias(module)
        return ModuleSpec(fullname, loader, is_package=hasattr(module, "__path__"))


class _Alias:
    """A loader of what is loaded. Without importlib.abc, which would double the time that child processes need."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._spec = module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # which importlib has just replaced
