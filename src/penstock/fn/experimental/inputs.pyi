"""The contents of penstock.fn.experimental.inputs. Written by tools/gen.py."""

from collections.abc import Sequence
from typing import Any, Literal

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike
from penstock.pipeline.definition.data_node import DataNode
from penstock.storage import Storage
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

def video(*inputs: Any, **arguments: Any) -> Any: ...
