"""A user's own source for `ExternalSource`: an iterable, a generator function or a function, pulled item by item."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Literal, TypeAlias

Cycle: TypeAlias = Literal["no", "quiet", "raise"]

_CYCLES: dict[Any, Cycle] = {"no": "no", "quiet": "quiet", "raise": "raise"}


def pull_function(source: Any, cycle: Any) -> Callable[[], Any]:
    """Returns a function that returns the source's next item and raises StopIteration at its end.

    A source that is both iterable and callable is iterated over.
    """
    rule = _rule(cycle)
    if source is None:
        raise AssertionError("a source is needed, got None")
    if inspect.isgenerator(source) and rule != "no":
        raise TypeError(
            "a generator runs once and cannot be cycled through; pass the generator function itself, without calling it"
        )
    if _is_generator_function(source):
        _check_callable(source, required_only=True)
        return _CyclingItems(source, rule).next
    if isinstance(source, Iterable) or hasattr(source, "__getitem__"):
        return _CyclingItems(partial(iter, source), rule).next
    if not callable(source):
        raise TypeError(
            f"a source is something to iterate over, or a function without parameters, got {type(source).__name__}"
        )
    if cycle is not None:
        raise ValueError("cycle is for sources that are iterated over; a function says itself when it starts over")
    _check_callable(source)
    found: Callable[[], Any] = source
    return found


class _CyclingItems:
    """The items of an iterable, which is started over at its end if the rule says so. Not thread-safe.

    A KeyboardInterrupt must lose neither an item nor the end of the iterator, unless it strikes inside the iterator
    itself. So an item is stored in a defaultdict, whose C code checks no signals between the iterator's return and the
    store, and stays there until `_number` has been advanced, after which no call follows. An iterator at its end raises
    StopIteration again until it has been replaced.
    """

    def __init__(self, start: Callable[[], Iterator[Any]], rule: Cycle) -> None:
        self._start = start
        self._rule = rule
        self._number = 0  # of the next item to hand out
        self._kept: defaultdict[int, Any] = defaultdict(partial(next, start()))

    def next(self) -> Any:
        number, kept = self._number, self._kept
        kept.pop(number - 1, None)
        try:
            item = kept[number]
        except StopIteration:
            if self._rule == "no":
                raise
            kept.default_factory = partial(next, self._start())
            if self._rule == "raise":
                raise
            item = kept[number]
        self._number = number + 1  # handed out
        return item


def _rule(cycle: Any) -> Cycle:
    if cycle is None or cycle is False:
        return "no"
    if cycle is True:
        return "quiet"
    if not isinstance(cycle, str) or cycle not in _CYCLES:
        raise ValueError(f"cycle is None, False or 'no', True or 'quiet', or 'raise', got {cycle!r}")
    return _CYCLES[cycle]


def _is_generator_function(source: Any) -> bool:
    call = type(source).__call__ if callable(source) else None
    return inspect.isgeneratorfunction(source) or inspect.isgeneratorfunction(call)


def _check_callable(source: Callable[..., Any], required_only: bool = False) -> None:
    """Refuses a function with parameters or, with `required_only`, one that cannot be called without arguments."""
    try:
        parameters = list(inspect.signature(source).parameters.values())
    except (TypeError, ValueError):  # built-in functions may have no signature
        return
    if required_only:
        parameters = [each for each in parameters if each.default is each.empty and each.kind not in _ANY_NUMBER]
    if not parameters:
        return
    message = f"the source is called without arguments, but takes {', '.join(map(str, parameters))}"
    plain = len(parameters) == 1 and parameters[0].kind in (parameters[0].POSITIONAL_ONLY, _BY_POSITION)
    raise ValueError(message) if plain and not required_only else TypeError(message)


_BY_POSITION = inspect.Parameter.POSITIONAL_OR_KEYWORD
_ANY_NUMBER = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
