"""What programs find as `nvidia.dali._typing`: names for annotations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numpy.typing import ArrayLike

__all__ = ["BatchLike", "TensorLike", "TensorLikeArg", "TensorLikeIn"]

TensorLike = ArrayLike
TensorLikeArg = Any
TensorLikeIn = Any
BatchLike = Iterable[ArrayLike] | ArrayLike
