"""What the signatures of ndd have in common. Written by tools/gen.py; not there at run time."""

from typing import Any, TypeAlias

import numpy.typing as npt

from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.values.dtypes import DType
from penstock.values.enums import DataType

ArrayLike: TypeAlias = npt.ArrayLike
TensorLike: TypeAlias = Tensor | npt.ArrayLike
Operand: TypeAlias = TensorLike | Batch
Array: TypeAlias = npt.NDArray[Any]
DTypeLike: TypeAlias = DType | DataType | npt.DTypeLike
