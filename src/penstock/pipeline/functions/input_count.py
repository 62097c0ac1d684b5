"""How many inputs the functions of fn and the classes of ops take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any

_name: ContextVar[str | None] = ContextVar("name", default=None)


@contextmanager
def called_as(name: str) -> Iterator[None]:
    """Has errors name what the program called, such as "ops.Flip", not the function of fn behind it."""
    token = _name.set(_name.get() or name)
    try:
        yield
    finally:
        _name.reset(token)


def check_count(path: str, inputs: Sequence[Any], fewest: int, most: int | None) -> None:
    """ValueError for a wrong number of inputs of a function of fn; `most` is None where there is no upper limit."""
    if len(inputs) < fewest or (most is not None and len(inputs) > most):
        expected = f"at least {fewest}" if most is None else f"from {fewest} to {most}"
        name = _name.get() or f"fn.{path}"
        raise ValueError(f"Operator nvidia.dali.{name} expects {expected} inputs, but received {len(inputs)}.")


def takes_inputs(path: str, count: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Checks the number of inputs of a function of fn that is not drawn from an operator."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*inputs: Any, **keywords: Any) -> Any:
            check_count(path, inputs, count, count)
            return function(*inputs, **keywords)

        return call

    return decorate
