"""How one sample and batches of them print."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.values.accelerator import CPU
from penstock.values.dtypes import BY_CODE, DType, enumeration_of
from penstock.values.samples import arrays_of

Array = np.ndarray[Any, Any]

_INDENT = "    "
_SHOWN_SHAPES = 16
_SHOWN_ELEMENTS = 1000  # of a batch; how much of one sample is shown is up to NumPy's print options
_SHOWN_ENDS = 2
_SHAPES_WIDTH = 75


def sample_text(name: str, samples: Samples, dtype: object, data: bool = True) -> str:
    """The only one of the samples: data and properties, one to a line."""
    lines = [_array_text(samples.host().sample(0), BY_CODE[samples.code])] if data else []
    return _described(name, samples, [*lines, f"dtype={dtype}"], [f"shape={samples.shape(0)}"])


def batch_text(name: str, samples: Samples, dtype: object, data: bool = True) -> str:
    """As `sample_text`, with the samples of a large batch left out in the middle."""
    lines = [_arrays_text(samples)] if data else []
    properties = [f"num_samples={len(samples)}", f"shape=[{_shapes_text(samples.shapes())}]"]
    return _described(name, samples, [*lines, f"dtype={dtype}"], properties)


def _shapes_text(shapes: list[tuple[int, ...]]) -> str:
    """In one line, or one to a line where that would be long."""
    texts = [str(shape) for shape in shapes]
    if len(texts) > _SHOWN_SHAPES:
        texts[_SHOWN_ENDS:-_SHOWN_ENDS] = ["..."]
        return ", ".join(texts)
    line = ", ".join(texts)
    return line if len(line) <= _SHAPES_WIDTH else f", \n{_INDENT}{' ' * len('shape=[')}".join(texts)


def _arrays_text(samples: Samples) -> str:
    """Samples are apart by as many line breaks as they have axes, as the parts of an array are."""
    arrays = arrays_of(samples.host())
    shown = _ends_of(arrays)
    texts = [_array_text(array, BY_CODE[samples.code]) for array in shown]
    if len(shown) < len(arrays):
        texts.insert(_SHOWN_ENDS, "...")
    between = "," + "\n" * samples.ndim + _INDENT if samples.ndim else ", "
    return f"[{between.join(texts)}]"


def _ends_of(arrays: list[Array]) -> list[Array]:
    # Of one sample more than the ends nothing would be gained.
    if len(arrays) <= 2 * _SHOWN_ENDS + 1 or sum(array.size for array in arrays) <= _SHOWN_ELEMENTS:
        return arrays
    return arrays[:_SHOWN_ENDS] + arrays[-_SHOWN_ENDS:]


def _array_text(array: Array, dtype: DType) -> str:
    kind = enumeration_of(dtype)
    formatter: Any = {"int": lambda code: kind(code).name} if kind else None
    return np.array2string(array, prefix=_INDENT, edgeitems=_SHOWN_ENDS, formatter=formatter)


def _described(name: str, samples: Samples, lines: list[str], properties: list[str]) -> str:
    if samples.layout:
        lines.append(f'layout="{samples.layout}"')
    lines += [f'device="{"cpu" if samples.device == CPU else f"gpu:{samples.device}"}"', *properties]
    return f"{name}(\n{_INDENT}" + f",\n{_INDENT}".join(lines) + ")"
