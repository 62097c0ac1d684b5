"""Arguments of operators as JSON values, and back. Nothing in a text can name code to run."""

from __future__ import annotations

import base64
from enum import Enum
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.ops.tensor.subscript import Input, Ranges
from penstock.pipeline.options import OperatorConcurrency, StreamPolicy
from penstock.values import enums
from penstock.values.dtypes import BY_CODE, DType

_ENUMS: dict[str, type[Enum]] = {
    kind.__name__: kind
    for kind in (enums.DataType, enums.ImageType, enums.InterpType, StreamPolicy, OperatorConcurrency)
}


def to_json(value: Any) -> Any:
    """A value as JSON: plain ones as they are, others as {kind: content}; RuntimeError for functions and the like."""
    if type(value) in (bool, int, float, str, type(None)):
        return value
    if type(value) in (list, tuple):
        return {"tuple" if type(value) is tuple else "list": [to_json(each) for each in value]}
    if type(value) is dict:
        return {"dict": [[to_json(key), to_json(each)] for key, each in value.items()]}
    if isinstance(value, DType):
        return {"dtype": value.code}
    if isinstance(value, Enum) and _ENUMS.get(type(value).__name__) is type(value):
        return {"enum": [type(value).__name__, value.value]}
    if isinstance(value, bytes):
        return {"bytes": _coded(value)}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype in DType.by_numpy:
        array = np.ascontiguousarray(value)
        return {"array": [DType.by_numpy[array.dtype].code, value.shape, _coded(array.tobytes())]}
    if isinstance(value, Ranges):
        return {"ranges": [to_json(each) for each in value.axes]}
    if isinstance(value, slice):
        return {"slice": [to_json(each) for each in (value.start, value.stop, value.step)]}
    if isinstance(value, Input):
        return {"input": value.position}
    if isinstance(value, Samples):
        return {"constant": [to_json(value.sample(0)), value.layout, value.code]}
    raise RuntimeError(f"{value!r:.80} cannot be saved: only numbers, strings, arrays and types can, and lists of them")


def from_json(saved: Any) -> Any:
    """What `to_json` was given."""
    if not isinstance(saved, dict):
        return saved
    ((kind, content),) = saved.items()
    if kind == "list":
        return [from_json(each) for each in content]
    if kind == "tuple":
        return tuple(from_json(each) for each in content)
    if kind == "dict":
        return {from_json(key): from_json(each) for key, each in content}
    if kind == "dtype":
        return BY_CODE[content]
    if kind == "enum":
        return _ENUMS[content[0]](content[1])
    if kind == "bytes":
        return base64.b64decode(content, validate=True)
    if kind == "ranges":
        return Ranges(tuple(from_json(each) for each in content))
    if kind == "slice":
        return slice(*(from_json(each) for each in content))
    if kind == "input":
        return Input(content)
    if kind == "array":
        return _array(*content)
    if kind == "constant":
        made = Samples.wrap_one(from_json(content[0])).coded(content[2])
        made.layout = content[1]
        return made
    raise ValueError(f"there are no values of kind {kind!r}")


def _array(code: int, shape: list[int], text: str) -> Any:
    data = base64.b64decode(text, validate=True)
    return np.frombuffer(data, BY_CODE[code].storage).reshape(shape).copy()


def _coded(data: bytes) -> str:
    return base64.b64encode(data).decode()
