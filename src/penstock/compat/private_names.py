"""What programs look for in modules by DALI's names, and penstock's own modules do not have."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType

from penstock.compat.aliases import ALIASES

_WITHOUT = ("", "experimental")  # packages whose modules are imported when they are asked for


def add(module: ModuleType, name: str) -> None:
    """Gives a module that DALI calls `name` its modules with another place here, and names that are private there.

    `from nvidia.dali.fn import _conditional` looks for it below the name that the module has in penstock.
    """
    for alias, place in ALIASES.items():
        parent, _, last = alias.rpartition(".")
        if parent == name and name not in _WITHOUT:
            setattr(module, last, importlib.import_module(place))
    if name in _OTHERS:
        _OTHERS[name](module)


def _add_to_ops(ops: ModuleType) -> None:
    from penstock.pipeline.data_node import DataNode

    ops._DataNode = DataNode  # type: ignore[attr-defined]


def _add_to_numba(numba: ModuleType) -> None:
    numba.NumbaFunction._check_minimal_numba_version = staticmethod(_has_numba)
    numba.NumbaFunction._check_cuda_compatibility = staticmethod(_has_cuda)


def _has_numba(throw: bool = True) -> bool:
    """Whether the version of Numba will do: any that the plugin could be imported with."""
    return True


def _has_cuda(throw: bool = True) -> bool:
    """Whether functions can be compiled for CUDA: they cannot."""
    if throw:
        raise RuntimeError("functions are compiled for the CPU here, not for CUDA")
    return False


_OTHERS: dict[str, Callable[[ModuleType], None]] = {
    "ops": _add_to_ops,
    "plugin.numba": _add_to_numba,
    "plugin.numba.experimental": _add_to_numba,
}
