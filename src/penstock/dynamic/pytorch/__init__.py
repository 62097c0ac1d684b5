"""ndd.pytorch: what fits ndd into PyTorch programs. `nodes` is there where torchdata is installed."""

from __future__ import annotations

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    if name != "nodes":
        raise AttributeError(f"module 'ndd.pytorch' has no attribute {name!r}")
    try:
        return importlib.import_module("penstock.dynamic.pytorch.nodes")
    except ImportError as error:
        raise AttributeError(f"module 'ndd.pytorch' has no attribute 'nodes': {error}") from None


def __dir__() -> list[str]:
    return ["nodes"]
