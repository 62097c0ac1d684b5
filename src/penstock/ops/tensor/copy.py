"""Copying."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.schema import Example, examples, operator
from penstock.schema.operator import same_as_input
from penstock.values.dtypes import DType
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


@operator(infer=same_as_input, numbers_only=False, inputs_from="anywhere")
def copy(input: Array) -> Array:
    """The same data in memory of its own.

    ndd.copy(images)
    """
    return input.copy()


@copy.native
def native(input: Spec) -> _native.Step:
    assert input.dtype is not None
    return _native.Cast(DType.by_numpy[input.dtype.storage].code)  # members of an enumeration are kept as integers


copy.examples = examples(
    Example("ndd.copy(image)", compared=True, plain="image.copy()"),
)
