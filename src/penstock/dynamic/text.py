"""How Tensors and Batches print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.values.dtypes import DType, enumeration_of

if TYPE_CHECKING:
    from penstock.dynamic.value import Value

Array = np.ndarray[Any, Any]

_INDENT = "    "
_SHOWN_SHAPES = 16
_SHOWN_ELEMENTS = 1000


def tensor_text(value: Value, array: Array) -> str:
    """Data and properties, one to a line."""
    return _described("Tensor", value, _array_text(array, value.dtype, _INDENT), [f"shape={array.shape}"])


def batch_text(value: Value, arrays: list[Array]) -> str:
    """As `tensor_text`, with the samples of a large batch left out in the middle."""
    indent = _INDENT + " "
    texts = [_array_text(array, value.dtype, indent) for array in _ends_of(arrays)]
    if len(texts) < len(arrays):
        texts.insert(len(texts) // 2, "...")
    between = ", " if value.ndim == 0 else ",\n\n" + indent if value.ndim > 1 else ",\n" + indent
    shapes = [str(array.shape) for array in arrays]
    if len(shapes) > _SHOWN_SHAPES:
        shapes[2:-2] = ["..."]
    properties = [f"num_samples={len(arrays)}", f"shape=[{', '.join(shapes)}]"]
    return _described("Batch", value, f"[{between.join(texts)}]", properties)


def _ends_of(arrays: list[Array]) -> list[Array]:
    if len(arrays) <= _SHOWN_SHAPES or sum(array.size for array in arrays) <= _SHOWN_ELEMENTS:
        return arrays
    return arrays[:2] + arrays[-2:]


def _array_text(array: Array, dtype: DType, indent: str) -> str:
    kind = enumeration_of(dtype)
    formatter: Any = {"int": lambda code: kind(code).name} if kind else None
    return np.array2string(array, prefix=indent, threshold=_SHOWN_ELEMENTS, edgeitems=2, formatter=formatter)


def _described(name: str, value: Value, data: str, properties: list[str]) -> str:
    lines = [data, f"dtype={value.dtype}"]
    if value.layout:
        lines.append(f'layout="{value.layout}"')
    lines += [f'device="{value.device}"', *properties]
    return f"{name}(\n{_INDENT}" + f",\n{_INDENT}".join(lines) + ")"
