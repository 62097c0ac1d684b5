"""How a source is brought into worker processes that do not inherit the memory of the program."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def pickle_by_value(function: F) -> F:
    """Has a function sent to worker processes with its code, though they could import it by name."""
    if isinstance(function, types.FunctionType):  # others have no code of Python's
        function.__dict__["_penstock_by_value"] = True
    return function


def picklers(given: Any) -> tuple[Callable[[Any], bytes], Callable[[bytes], Any]]:
    """How to write a source and how to read it, from `py_callback_pickler`.

    That is something with `dumps` and `loads`, or a tuple of it and the arguments for one or both of them. None is for
    cloudpickle, which also writes functions that cannot be imported, such as lambdas.
    """
    if given is None:
        import cloudpickle

        return _dumps_by_value, cloudpickle.loads
    module, *arguments = given if isinstance(given, tuple) else (given,)
    if not (hasattr(module, "dumps") and hasattr(module, "loads")) or len(arguments) > 2:
        raise ValueError(
            "Unsupported py_callback_pickler value provided: expected an object with `dumps` and `loads`, or a tuple "
            f"of it, arguments for `dumps` and arguments for `loads`; got {given!r}"
        )
    for_dumps, for_loads = [*(each or {} for each in arguments), {}, {}][:2]
    return partial(module.dumps, **for_dumps), partial(module.loads, **for_loads)


def _dumps_by_value(source: Any) -> bytes:
    import cloudpickle

    if getattr(source, "_penstock_by_value", False) and isinstance(source, types.FunctionType):
        marked = source
        source = types.FunctionType(
            marked.__code__, marked.__globals__, marked.__name__, marked.__defaults__, marked.__closure__
        )
        source.__kwdefaults__ = marked.__kwdefaults__
        source.__module__ = "__main__"  # whose functions cloudpickle writes with their code
    written: bytes = cloudpickle.dumps(source)
    return written
