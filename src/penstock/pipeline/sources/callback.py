"""The user's own source, a callback, an iterable or a generator function, called for one item at a time."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from itertools import starmap
from typing import Any

from penstock.values.sample_info import BatchInfo, SampleInfo

_CYCLES = {None: "no", False: "no", "no": "no", True: "quiet", "quiet": "quiet", "raise": "raise"}


class Callback:
    """A source and the way it is called. It can be pickled for another process before its first item was pulled.

    Args:
        source: A callable, an iterable or a generator function.
        cycle: What happens at the end of an iterable.
        batch: Whether an item is a whole batch; else it is one sample.
        batch_info: Whether a callable for batches takes a BatchInfo instead of the number of the batch.
    """

    def __init__(self, source: Any, cycle: Any, batch: bool, batch_info: bool) -> None:
        if cycle not in _CYCLES:
            raise ValueError(
                f"Invalid value {cycle!r} for the argument `cycle`. Valid values are\n"
                '  - "no", False or None - the source ends\n'
                '  - "quiet", True - it starts over\n'
                '  - "raise" - it ends with StopIteration and starts over after a reset.'
            )
        self.cycle = _CYCLES[cycle]
        self.batch = batch
        self.is_generator_function = inspect.isgeneratorfunction(source)
        self.is_callable = callable(source) and not self.is_generator_function
        if self.is_callable and cycle is not None:
            raise ValueError("The argument `cycle` can only be specified if `source` is iterable.")
        if not callable(source) and not isinstance(source, Iterable):
            raise TypeError("The `source` must be callable, iterable or a parameterless generator function.")
        if inspect.isgenerator(source) and self.cycle != "no":
            raise TypeError(
                "Cannot cycle through a generator - if the generator is a result of calling a generator function, "
                "pass that function instead as `source`."
            )
        self.source = source
        self.takes_place = self.is_callable and _takes_place(source)
        self._takes_number = self.takes_place and batch and not batch_info
        self._iterator: Iterator[Any] | None = None

    @property
    def name(self) -> str:
        return str(getattr(self.source, "__qualname__", type(self.source).__name__))

    def pull(self, place: BatchInfo | SampleInfo | None, into: list[Any]) -> None:
        """Appends the item for a place, or the next item of a source that takes none; StopIteration at the end.

        `list.extend` calls the source itself, so that no interrupt can come between that call and storing the item.
        """
        count = len(into)
        if self.is_callable:
            into.extend(starmap(self.source, (self._arguments(place) if self.takes_place else (),)))
        else:
            if self._iterator is None:
                self._iterator = self._begin()
            into.extend(map(next, (self._iterator,)))
            if len(into) == count and self.cycle != "no":
                self._iterator = None
                if self.cycle == "quiet":
                    self._iterator = self._begin()
                    into.extend(map(next, (self._iterator,)))
        if len(into) == count:
            raise StopIteration

    def _arguments(self, place: BatchInfo | SampleInfo | None) -> tuple[Any, ...]:
        assert place is not None
        return (place.iteration if self._takes_number else place,)

    def _begin(self) -> Iterator[Any]:
        return iter(self.source() if self.is_generator_function else self.source)

    def restart(self) -> None:
        """Begins a new epoch: an iterable with `cycle="raise"` starts over."""
        if self.cycle == "raise":
            self._iterator = None

    @property
    def is_restarted(self) -> bool:
        """Whether items that were fetched ahead for one epoch cannot be used in the next."""
        return self.takes_place or self.cycle == "raise"


_ONE_AT_MOST = (
    "The `source` callable must accept either 0 or 1 positional arguments to indicate whether it accepts the batch or "
    "sample indexing information. Found"
)
_REFUSED = {
    inspect.Parameter.VAR_POSITIONAL: "var-positional argument `*{}`",
    inspect.Parameter.VAR_KEYWORD: "var-keyword argument `**{}`",
    inspect.Parameter.KEYWORD_ONLY: "keyword-only argument `{}`",
}


def _takes_place(source: Callable[..., Any]) -> bool:
    """Whether a callable takes the place of an item (number or info); raises TypeError for other parameters."""
    try:
        parameters = [*inspect.signature(source).parameters.values()]
    except (TypeError, ValueError):  # some built-in functions have no signature
        return False
    for kind, words in _REFUSED.items():
        names = [each.name for each in parameters if each.kind is kind]
        if names:
            raise TypeError(f"{_ONE_AT_MOST} {words.format(names[0])} which is not allowed.")
    if len(parameters) > 1:
        names = [each.name for each in parameters]
        raise TypeError(f"{_ONE_AT_MOST} more than one positional argument, which is not allowed: {', '.join(names)}.")
    return bool(parameters)
