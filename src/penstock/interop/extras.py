"""Frameworks that only those need who use them."""

from __future__ import annotations

import importlib
from typing import Any


def framework(name: str, user: str, extra: str) -> Any:
    """The module of a framework; ImportError that says how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(
            f"{user} needs {name}, which cannot be imported ({error}); pip install penstock[{extra}]", name=name
        ) from None
