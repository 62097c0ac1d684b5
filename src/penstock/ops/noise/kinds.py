"""What the kinds of noise share."""

from __future__ import annotations

from penstock.ops.names import type_name
from penstock.values.dtypes import bool_, float16, float64
from penstock.values.spec import Spec

NAMES = "uint8, int8, uint16, int16, uint32, int32, uint64, int64, float"


def refuse_types(data: Spec) -> None:
    """Raises for element types there is no noise for."""
    if data.dtype in (float16, float64, bool_):
        raise RuntimeError(
            f"Data type {type_name(data.dtype)} is currently not supported. Supported types are : {NAMES}; "
            "cast it first"
        )
