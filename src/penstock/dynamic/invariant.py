"""`ndd.capture.invariant`: a promise that a value stays the same in every step of a loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import MethodType
from typing import Any, TypeVar, cast

_T = TypeVar("_T")
_OWN = {
    "__class__", "__class_getitem__", "__del__", "__delattr__", "__dict__", "__doc__", "__getattr__",
    "__getattribute__", "__getnewargs__", "__getnewargs_ex__", "__getstate__", "__init__", "__init_subclass__",
    "__module__", "__new__", "__prepare__", "__reduce__", "__reduce_ex__", "__setattr__", "__setstate__", "__slots__",
    "__subclasshook__", "__weakref__",
}  # fmt: skip


class Invariant:
    """A value that is marked; it is used as the value itself would be."""

    __slots__ = ("_marked",)

    _marked: Any

    def __init__(self, value: Any) -> None:
        object.__setattr__(self, "_marked", value)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return type(self._marked)

    def __getattr__(self, name: str) -> Any:
        """What the value has. Its methods see a marked self, so that what they find in it and return is marked too."""
        found = getattr(self._marked, name)
        if isinstance(found, MethodType) and found.__self__ is self._marked:
            return MethodType(found.__func__, self)
        return found if callable(found) or name.startswith("__") else invariant(found)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._marked, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._marked, name)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._marked.__reduce_ex__(protocol)


def invariant(value: _T) -> _T:
    """Promises that a value stays the same while a compiled loop runs, so that it need not be compared in every step.

    Example:
        >>> table = ndd.capture.invariant(np.load("table.npy"))
        >>> for jpegs, labels in reader.next_epoch(batch_size=64, compile=True):
        ...     images = ndd.lookup_table(ndd.decoders.image(jpegs), keys=KEYS, values=table)
    """
    return value if is_invariant(value) else cast(_T, _proxy(cast(Any, type(value)))(value))


def is_invariant(value: object) -> bool:
    return issubclass(type(value), Invariant)


def unwrap(value: Any) -> Any:
    """The value itself, marked or not."""
    return value._marked if issubclass(type(value), Invariant) else value


@cache
def _proxy(kind: type) -> type[Invariant]:
    """A class with the special methods that `kind` has: Python looks for these in the class, not in the object."""
    names = {name for base in kind.__mro__ for name in vars(base)} - _OWN
    methods = {
        name: _forwarded(name, getattr(kind, name))
        for name in sorted(names)
        if name.startswith("__") and name.endswith("__") and callable(getattr(kind, name, None))
    }
    if kind.__hash__ is None:
        methods["__hash__"] = cast(Any, None)
    return type(f"Invariant[{kind.__name__}]", (Invariant,), {"__slots__": (), **methods})


def _forwarded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The special method of a class for values that are marked. A call passes its arguments on as they are."""

    def call(self: Invariant, *arguments: Any, **keywords: Any) -> Any:
        return function(self._marked, *arguments, **keywords)

    def method(self: Invariant, *arguments: Any, **keywords: Any) -> Any:
        return function(self._marked, *map(unwrap, arguments), **keywords)

    made = call if name == "__call__" else method
    made.__name__ = name
    return made
