"""`not`, and the operands of `and` and `or`: a single bool for every sample."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from penstock.schema import operator
from penstock.values.dtypes import bool_
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def refuse_axes(ndim: int | None, what: str, where: str) -> None:
    """Raises for samples that are not single numbers."""
    if ndim:
        raise RuntimeError(
            f"{what} restricted to scalar (0-d tensors) inputs, that are placed on CPU. Got a {ndim}-d input{where}; "
            "a reduction such as fn.reductions.max makes one number of it."
        )


def _foretell_not(operand: Spec) -> Spec:
    refuse_axes(operand.ndim, "Logical expression `not` is", " in logical expression")
    return Spec(bool_, 0)


@operator(name="_conditional.not_", infer=_foretell_not, elementwise=True, runs_on="cpu")
def not_(operand: Array) -> Array:
    """Whether a number is 0."""
    return np.logical_not(operand)


def _foretell_operand(operand: Spec, *, expression_name: str, side: str) -> Spec:
    what = f"Logical expression `{expression_name}` is"
    refuse_axes(operand.ndim, what, f" as the {side} argument in logical expression")
    if operand.dtype not in (None, bool_):
        raise RuntimeError(
            f"{what} restricted to scalar (0-d tensors) inputs of `bool` type, that are placed on CPU. Got an input of "
            f"type `{operand.dtype}` as the {side} argument in logical expression; a comparison such as `!= 0` makes "
            "one of it."
        )
    return Spec(bool_, 0)


@operator(name="_conditional.validate_logical", infer=_foretell_operand, elementwise=True, runs_on="cpu")
def validate_logical(operand: Array, *, expression_name: Literal["and", "or"], side: Literal["left", "right"]) -> Array:
    """Lets nothing through but single bools."""
    return operand
