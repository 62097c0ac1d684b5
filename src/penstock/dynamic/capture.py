"""ndd.capture: see `penstock.capture`, which is built on this folder and so is loaded when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

_NAMES = ["NotCapturedError", "Report", "invariant", "report"]


def __dir__() -> list[str]:
    return _NAMES


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        return getattr(importlib.import_module("penstock.capture"), name)
    raise AttributeError(f"module 'ndd.capture' has no attribute {name!r}")
