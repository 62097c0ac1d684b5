"""How one sample and batches of them print."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.values.dtypes import BY_CODE, DType, enumeration_of
from penstock.values.samples import arrays_of

Array = np.ndarray[Any, Any]

_INDENT = "    "
_SHOWN_SHAPES = 16
_SHOWN_ELEMENTS = 1000


def sample_text(name: str, samples: Samples, dtype: object, data: bool = True) -> str:
    """The only one of the samples: data and properties, one to a line."""
    lines = [_array_text(samples.sample(0), BY_CODE[samples.code], _INDENT)] if data else []
    return _described(name, samples, [*lines, f"dtype={dtype}"], [f"shape={samples.shape(0)}"])


def batch_text(name: str, samples: Samples, dtype: object, data: bool = True) -> str:
    """As `sample_text`, with the samples of a large batch left out in the middle."""
    shapes = [str(shape) for shape in samples.shapes()]
    if len(shapes) > _SHOWN_SHAPES:
        shapes[2:-2] = ["..."]
    lines = [_arrays_text(samples)] if data else []
    properties = [f"num_samples={len(samples)}", f"shape=[{', '.join(shapes)}]"]
    return _described(name, samples, [*lines, f"dtype={dtype}"], properties)


def _arrays_text(samples: Samples) -> str:
    indent, arrays = _INDENT + " ", arrays_of(samples)
    texts = [_array_text(array, BY_CODE[samples.code], indent) for array in _ends_of(arrays)]
    if len(texts) < len(arrays):
        texts.insert(len(texts) // 2, "...")
    between = ", " if samples.ndim == 0 else ",\n\n" + indent if samples.ndim > 1 else ",\n" + indent
    return f"[{between.join(texts)}]"


def _ends_of(arrays: list[Array]) -> list[Array]:
    if len(arrays) <= _SHOWN_SHAPES or sum(array.size for array in arrays) <= _SHOWN_ELEMENTS:
        return arrays
    return arrays[:2] + arrays[-2:]


def _array_text(array: Array, dtype: DType, indent: str) -> str:
    kind = enumeration_of(dtype)
    formatter: Any = {"int": lambda code: kind(code).name} if kind else None
    return np.array2string(array, prefix=indent, threshold=_SHOWN_ELEMENTS, edgeitems=2, formatter=formatter)


def _described(name: str, samples: Samples, lines: list[str], properties: list[str]) -> str:
    if samples.layout:
        lines.append(f'layout="{samples.layout}"')
    lines += ['device="cpu"', *properties]
    return f"{name}(\n{_INDENT}" + f",\n{_INDENT}".join(lines) + ")"
