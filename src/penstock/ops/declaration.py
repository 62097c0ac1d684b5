"""Operators by name."""

from __future__ import annotations

import importlib

from penstock.ops._index import OPERATORS
from penstock.schema.operator import Operator

__all__ = ["OPERATORS", "declaration"]


def declaration(path: str) -> Operator:
    """The operator of a public name such as "decoders.image"; its module is imported on first use."""
    module, _, name = OPERATORS[path].partition(":")
    found: Operator = getattr(importlib.import_module(module), name)
    return found
