"""The `on_error` argument of a call: how it deals with samples whose data are bad."""

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
    """The `on_error` and `errors` arguments of one call.

    Once the call has run, `bad` has its bad samples by their index in the batch.
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
        """Whether the call reports its bad samples to the program, which is a side effect beside its result."""
        return self.skips or self._errors is not None

    def note(self, bad: Mapping[int, BadSample]) -> None:
        self.bad = bad
        if self._errors is not None:
            self._errors += bad.values()

    def instead(self, bad: BadSample, data: Array) -> Any:
        """Returns the user's replacement for a bad sample; None where the operator's blank is to be used."""
        return self._on_error(bad, data) if callable(self._on_error) else None


def read_policy(op: Operator, on_error: Any, errors: Any) -> OnErrorPolicy | None:
    """Returns the policy of a call; None where a bad sample is an error."""
    if errors is not None and not isinstance(errors, list):
        raise TypeError(f"{op.name}(): errors is a list to add to, got {type(errors).__name__}")
    chosen = checked(on_error)
    return None if isinstance(chosen, str) and chosen == "raise" else OnErrorPolicy(chosen, errors)


def as_results(given: Any, specs: Sequence[Spec]) -> Any:
    """Returns the replacement for a sample, cast to the types of the other samples; raises if the axes differ."""
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
