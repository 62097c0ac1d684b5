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
    """What the program has called, such as "ops.Flip", if that leads to a function of another name."""
    token = _name.set(_name.get() or name)
    try:
        yield
    finally:
        _name.reset(token)


def check_count(path: str, inputs: Sequence[Any], fewest: int, most: int | None) -> None:
    """Refuses a call of the function of fn with that path; `most` is None where there may be any number."""
    if len(inputs) < fewest or (most is not None and len(inputs) > most):
        expected = f"at least {fewest}" if most is None else f"from {fewest} to {most}"
        name = _name.get() or f"fn.{path}"
        raise ValueError(f"Operator nvidia.dali.{name} expects {expected} inputs, but received {len(inputs)}.")


def takes_inputs(path: str, count: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """For functions that are written out: so many positional arguments, or ValueError."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*inputs: Any, **keywords: Any) -> Any:
            check_count(path, inputs, count, count)
            return function(*inputs, **keywords)

        return call

    return decorate
