"""What programs find as `nvidia.dali.experimental`."""

import importlib
from typing import Any

from penstock.compat import internals
from penstock.compat.aliases import DALI

_MODULES = ("dynamic", "torchvision")

internals.add()


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module '{DALI}.experimental' has no attribute {name!r}")
    return importlib.import_module(f"{DALI}.experimental.{name}")
