"""What a call does about samples whose data are bad."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from penstock.schema.operator import Operator
from penstock.values.bad_samples import BadSample, checked
from penstock.values.casting import cast_array
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


class OnErrorPolicy:
    """`on_error` of one call, and where it tells of what it met.

    `bad` has the samples by their place in the batch, once the call has run.
    """

    __slots__ = ("_errors", "_on_error", "bad")

    def __init__(self, on_error: Any, errors: list[BadSample] | None) -> None:
        self._on_error = on_error
        self._errors = errors
        self.bad: Mapping[int, BadSample] = {}

    @property
    def skips(self) -> bool:
        return bool(self._on_error == "skip")

    @property
    def tells(self) -> bool:
        """Whether a call does more than make its result: the program learns of what it met."""
        return self.skips or self._errors is not None

    def note(self, bad: Mapping[int, BadSample]) -> None:
        self.bad = bad
        if self._errors is not None:
            self._errors += bad.values()

    def instead(self, bad: BadSample, data: Array) -> Any:
        """What the user has in place of a sample; None where that is left to the operator."""
        return self._on_error(bad, data) if callable(self._on_error) else None


def read_policy(op: Operator, on_error: Any, errors: Any) -> OnErrorPolicy | None:
    """The policy of a call; None where a bad sample is the end of it."""
    if errors is not None and not isinstance(errors, list):
        raise TypeError(f"{op.name}(): errors is a list to add to, got {type(errors).__name__}")
    chosen = checked(on_error)
    return None if isinstance(chosen, str) and chosen == "raise" else OnErrorPolicy(chosen, errors)


def as_results(given: Any, specs: Sequence[Spec]) -> Any:
    """What is there for one sample, with the types the other samples have."""
    parts = given if len(specs) > 1 else (given,)
    if not isinstance(parts, tuple) or len(parts) != len(specs):
        raise TypeError(f"on_error is to give a tuple of {len(specs)} arrays, got {type(given).__name__}")
    made = []
    for part, spec in zip(parts, specs, strict=True):
        array = np.asarray(part)
        if spec.ndim is not None and array.ndim != spec.ndim:
            raise ValueError(f"on_error gave an array of {array.ndim} axes, the other samples have {spec.ndim}")
        made.append(array if spec.dtype is None else cast_array(array, spec.dtype))
    return tuple(made) if len(specs) > 1 else made[0]
