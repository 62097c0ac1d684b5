"""Arguments of operators: their types, defaults and how Python values become them."""

from __future__ import annotations

import dataclasses
import inspect
import math
import types
import typing
from collections.abc import Callable
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import numpy as np

from penstock.schema.argument_copy import copy_argument
from penstock.values.dtypes import DType
from penstock.values.dtypes import dtype as to_dtype
from penstock.values.enums import DataType, member_named, words_of

T = TypeVar("T")


class _PerSample:
    """Marks an argument that may have a value of its own for every sample."""


PerSample = Annotated[T, _PerSample]


class Own:
    """Marks an argument of a user's own operator: of any type, and with numbers as Python has them.

    Values for every sample keep 64 bits. Those of types that are not converted are copied, since the program may change
    them before the call has run.
    """


class Draw(NamedTuple):
    """The random words an operator took when it was called, and which sample is being made.

    A parameter of this type is filled by the engine; the user sees `rng=` instead.
    """

    words: tuple[int, ...]
    sample: int = 0


class Layout(str):
    """The layout of the first input, for functions whose meaning depends on it.

    A parameter of this type is filled by the engine; the user does not see it.
    """


class Refusal(NamedTuple):
    """How a value is refused that is none of the choices: `Annotated[Literal["a", "b"], Refusal("Unknown mode: {}")]`.

    Programs match on these words.
    """

    words: str


class Synonyms(NamedTuple):
    """Other names of choices, in any case: `Annotated[Literal["pad", "edge"], Synonyms({"const": "pad"})]`."""

    names: dict[str, str]


class SeveralValuesError(TypeError, RuntimeError):
    """Several values for an argument that takes one: a `RuntimeError` to the API where they are in an array."""


class Param:
    """One keyword argument of an operator."""

    __slots__ = (
        "code", "convert", "default", "default_rows", "element", "hint", "is_array", "is_list", "name", "own",
        "per_sample", "required", "storage",
    )  # fmt: skip

    def __init__(self, name: str, hint: Any, default: Any) -> None:
        self.name = name
        self.hint = hint
        self.required = default is inspect.Parameter.empty
        self.default = None if self.required else default
        inner, marks = _strip(hint)
        self.per_sample = _PerSample in marks
        self.is_list = typing.get_origin(inner) is list
        self.is_array = inner is np.ndarray or typing.get_origin(inner) is np.ndarray
        self.element: Any = typing.get_args(inner)[0] if self.is_list else inner
        refusals = [mark for mark in marks if isinstance(mark, Refusal)]
        refusal = refusals[0] if refusals else Refusal(f"Not supported {name}: {{}}")
        synonyms = {old: new for mark in marks if isinstance(mark, Synonyms) for old, new in mark.names.items()}
        self.own = Own in marks
        one = _converter(name, self.element, refusal, synonyms)
        if self.element is DType and not self.required:
            one = _unless_no_type(self.default, one)
        self.convert: Callable[[Any], Any] = _list_converter(name, one) if self.is_list else _refuse_lists(self, one)
        if self.is_array:
            self.convert = lambda value: _array(name, value)
        real = self.element is float or self.is_array
        self.storage: np.dtype[Any] | None = np.dtype(np.float32 if real else np.int32)
        if self.own:
            self.storage = None if self.is_array else np.dtype(np.float64 if real else np.int64)
            if self.is_array or one is _unchanged:
                self.convert = copy_argument
        single = self.storage is not None and not self.is_list and not self.is_array
        self.code = DType.by_numpy[self.storage].code if single else None  # type: ignore[index]  # of single numbers
        self.default_rows: np.ndarray[Any, Any] | None = None
        if self.per_sample and self.default is not None:
            self.default_rows = self.rows(self.default)

    def rows(self, value: Any) -> np.ndarray[Any, Any]:
        """A constant as an array of one row, the form per-sample values have."""
        if value is self.default and self.default_rows is not None:
            return self.default_rows
        return np.asarray(value, self.storage)[None]


def _strip(hint: Any) -> tuple[Any, list[Any]]:
    """Takes PerSample[...], other marks and `| None` off a type; the marks."""
    marks: list[Any] = []
    while True:
        origin = typing.get_origin(hint)
        if origin is Annotated:
            marks += hint.__metadata__
            hint = typing.get_args(hint)[0]
        elif origin in (typing.Union, types.UnionType):
            hint = next(arg for arg in typing.get_args(hint) if arg is not type(None))
        else:
            return hint, marks


def _converter(name: str, kind: Any, refusal: Refusal, synonyms: dict[str, str]) -> Callable[[Any], Any]:
    if kind is bool:
        return bool
    if kind is int:
        return lambda value: _integer(name, value)
    if kind is float:
        return lambda value: _real(name, value)
    if kind is str:
        return lambda value: _text(name, value)
    if kind is DType:
        return lambda value: _dtype(name, value)
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        return lambda value: _enum(name, kind, value)
    if typing.get_origin(kind) is Literal:
        choices = typing.get_args(kind)
        return lambda value: _choice(refusal, choices, synonyms, value)
    return _unchanged


def _unchanged(value: Any) -> Any:
    return value


def _integer(name: str, value: Any) -> int:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name} must be a whole number, got {value}")
    try:
        return int(value)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} must be a whole number, got {value!r}") from None


def _real(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} must be a number, got {value!r}") from None
    if number != number:
        raise ValueError(f"{name} must be a number, got NaN")
    return number


def _array(name: str, value: Any) -> np.ndarray[Any, Any]:
    try:
        array = np.array(value, np.float32)  # its own: the program may write to the one it gave
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} must be a number or an array of numbers, got {value!r}") from None
    if np.isnan(array).any():
        raise ValueError(f"{name} must be a number, got NaN")
    return array


def _text(name: str, value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, got {value!r}")
    return value


def _dtype(name: str, value: Any) -> DType:
    if value is int or value is float:  # which some of NumPy's types are equal to
        raise ValueError(f"Do not use Python built-in type {value.__name__!r} for {name}; use ndd.int32 or ndd.float32")
    if isinstance(value, (int, np.integer)) and not isinstance(value, DataType):
        if value not in DType.by_type_id and value != DataType.NO_TYPE:
            raise ValueError(f"{name} must be an element type such as ndd.uint8, got {value}")
        value = DataType(int(value))
    return to_dtype(value)


def _unless_no_type(default: Any, convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A converter to which `types.NO_TYPE`, or its number, is an argument that was not given."""
    return lambda value: default if isinstance(value, int) and value == DataType.NO_TYPE else convert(value)


def _enum(name: str, kind: type[IntEnum], value: Any) -> IntEnum:
    text = value.value if isinstance(value, Enum) else value  # members of torchvision's enumeration have words
    if isinstance(text, str):
        found = member_named(kind, text)
        if found is not None:
            return found
    wrong = isinstance(text, str) or (isinstance(value, Enum) and not isinstance(value, kind))
    if wrong or int(value) not in list(kind):
        choices = f"types.{', types.'.join(m.name for m in kind)}, or {', '.join(map(repr, words_of(kind)))}"
        raise (ValueError if wrong else RuntimeError)(f"{name} must be one of {choices}, got {value!r}")
    return kind(int(value))


def _choice(refusal: Refusal, choices: tuple[str, ...], synonyms: dict[str, str], value: Any) -> str:
    if synonyms and isinstance(value, str):
        value = synonyms.get(value.lower(), value)
    if not isinstance(value, str) or value not in choices:
        raise RuntimeError(f"{refusal.words.format(value)}; choose from {', '.join(map(repr, choices))}")
    return str(value)


def _list_converter(name: str, one: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def convert(value: Any) -> list[Any]:
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, (list, tuple, range)):
            return [one(value)]
        for element in value:
            if isinstance(element, (list, tuple)):
                raise TypeError(
                    f"{name} takes a flat list of values, got {value!r}; for a list per sample use ndd.batch"
                )
        return [one(element) for element in value]

    return convert


def _refuse_lists(param: Param, one: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
            if len(value) == 1:
                return one(value[0])
            way_out = f"; for one value per sample write {param.name}=ndd.batch({list(value)!r})" * param.per_sample
            raise SeveralValuesError(f"{param.name} takes one value, got {value!r}{way_out}")
        return one(value)

    return convert


def read_params(name: str, hint: Any, default: Any) -> dict[str, Param]:
    """The arguments a parameter stands for: itself, or the fields of the dataclass it is declared with."""
    if not dataclasses.is_dataclass(hint):
        return {name: Param(name, hint, default)}
    hints = typing.get_type_hints(hint, include_extras=True)
    return {field.name: Param(field.name, hints[field.name], _default(field)) for field in dataclasses.fields(hint)}


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default
