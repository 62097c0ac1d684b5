"""How Tensors and Batches print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from penstock.dynamic.value import Value

_INDENT = "    "


def array_text(array: np.ndarray[Any, Any], indent: str) -> str:
    return np.array2string(array, separator=", ", prefix=indent, threshold=200, edgeitems=2)


def describe(name: str, data: Any, value: Value, shape: str) -> str:
    """Name, data and properties, one to a line."""
    if isinstance(data, list):
        inner = f",\n{_INDENT} ".join(array_text(array, _INDENT + " ") for array in data)
        text = f"[{inner}]"
    else:
        text = array_text(data, _INDENT)
    lines = [text, f"dtype={value.dtype}"]
    if value.layout:
        lines.append(f'layout="{value.layout}"')
    lines += [f'device="{value.device}"', shape]
    return f"{name}(\n{_INDENT}" + f",\n{_INDENT}".join(lines) + ")"
