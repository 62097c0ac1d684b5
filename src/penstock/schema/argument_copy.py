"""Copies of arguments: a call keeps the values that it was defined with."""

from __future__ import annotations

from typing import Any

import numpy as np


def copy_argument(value: Any) -> Any:
    """A deep copy of lists, dictionaries and arrays, which the program may change later; anything else as it is."""
    if type(value) in (list, tuple):
        return type(value)(map(copy_argument, value))
    if type(value) is dict:
        return {key: copy_argument(each) for key, each in value.items()}
    if isinstance(value, np.ndarray):
        return value.copy()
    return np.array(value.__array__()) if hasattr(value, "__array__") and hasattr(value, "__dlpack__") else value
