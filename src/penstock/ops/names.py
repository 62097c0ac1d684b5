"""Element types as error messages call them."""

from __future__ import annotations

from penstock.values.dtypes import DType, float32, float64


def type_name(dtype: DType | None) -> str:
    """The name users of the API know from its messages, such as "uint8", "float" or "double"."""
    if dtype is None:
        return "unknown"
    if dtype.kind is DType.Kind.enum:
        return f"DALI{dtype.name}"
    return {float32: "float", float64: "double"}.get(dtype) or (dtype.name if dtype.numpy is None else dtype.numpy.name)
