"""Conversion to the element type of something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import cast_tensor
from penstock.ops.tensor.cast import cast_spec
from penstock.schema import operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _foretell(data: Spec, like: Spec) -> Spec:
    return cast_spec(data, like.dtype)


@operator(infer=_foretell, numbers_only=False, inputs_from="cpu too")
def cast_like(data: Array, like: Array) -> Array:
    """Converts elements to the type another array has, by the rules of `cast`.

        ndd.cast_like(masks, images)

    Args:
        like: Only its element type counts.
    """
    return cast_array(data, DType.by_numpy[like.dtype])


@cast_like.native
def native(data: Spec, like: Spec) -> _native.Step:
    assert like.dtype is not None
    return _native.Cast(like.dtype.code)


@cast_like.gpu(by_spec=(1,))
def gpu(data: torch.Tensor, like: Spec) -> torch.Tensor:
    assert like.dtype is not None
    return cast_tensor(data, like.dtype)
