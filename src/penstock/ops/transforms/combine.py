"""One matrix for several transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.ops.transforms.chaining import LAYOUT, check_input, check_matrices, product
from penstock.schema import operator
from penstock.values.dtypes import float32
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(*inputs: Spec, reverse_order: bool) -> Spec:
    check_input(*inputs, refusal="Calling type does not match buffer data type")
    return Spec(float32, 2, LAYOUT)


@operator(name="transforms.combine", infer=_foretell, frames=True, runs_on="cpu")
def combine(input_0: Array, input_1: Array, *inputs: Array, reverse_order: bool = False) -> Array:
    """Multiplies the matrices of affine transforms into that of all of them, one after the other.

        ndd.transforms.combine(ndd.transforms.scale(scale=[2, 2]), ndd.transforms.translation(offset=[5, 5]))

    Args:
        input_0: The transform that goes first.
        input_1: The one after it.
        reverse_order: Let the last transform go first.
    """
    made: Array = stack(*(each[None] for each in (input_0, input_1, *inputs)), reverse_order=reverse_order)[0]
    return made


@combine.on_stack
def stack(*inputs: Array, reverse_order: bool) -> Array:
    check_matrices(inputs[0])
    for position, other in enumerate(inputs):
        if other.shape[1:] != inputs[0].shape[1:]:
            raise RuntimeError(
                f"All input transforms are expected to have the same shape. Got: {inputs[0].shape[1:]} and "
                f"{other.shape[1:]} for input {position}."
            )
    made, *rest = reversed(inputs) if reverse_order else inputs
    for following in rest:
        made = product(following, made)
    return made
