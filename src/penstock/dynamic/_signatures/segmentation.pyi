"""Signatures of ndd.segmentation. Written by tools/gen.py."""
# mypy: disable-error-code="overload-overlap"

from collections.abc import Sequence
from typing import Any, Literal, overload

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike, Operand, TensorLike
from penstock.dynamic.batch import Batch
from penstock.dynamic.tensor import Tensor
from penstock.engine.rng import RNG
from penstock.values.device import Device
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType
