"""The signature of a user's own function: which parameters are inputs, which are arguments, and which we fill in."""

from __future__ import annotations

import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Annotated, Any, Literal

import numpy as np

from penstock.schema.operator import SEQUENCE_KEYWORDS
from penstock.schema.params import Draw, Own, Param, PerSample

_kinds = inspect.Parameter
_annotated: Any = Annotated  # applied to types that are found as the program runs
_per_sample: Any = PerSample

# What arguments may be annotated with to be converted. Values of any other type come to the function as they are.
_CONVERTED = (bool, int, float, str, np.ndarray)


class UserSignature:
    """What is read from the parameters of a function.

    `inputs` are the parameters without a default, or with None for one, that may be given by position; `arguments` all
    others, but for the `generator`, which is the one annotated `numpy.random.Generator`.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.name = name_of(function)
        self.inputs: dict[str, inspect.Parameter] = {}
        self.arguments: dict[str, inspect.Parameter] = {}
        self.generator: str | None = None
        self.variadic: str | None = None
        self.as_tensors: list[int] = []  # the places of inputs that are wanted as torch.Tensor
        self.by_position: list[str] = []
        self.scalars: dict[str, type] = {}  # arguments with one number for every sample, and its type
        self.arrays: list[str] = []  # arguments that may be arrays
        hints = _hints_of(function, self.name)
        self.parameters = _parameters_of(function, self.name)
        if self.parameters and self.parameters[0].name == "self":
            raise TypeError(
                f"{self.name}(self, ...) is no function without its object; in __init__ it is one: "
                f"self.{self.name} = ndd.operator(self.{self.name})"
            )
        for parameter in self.parameters:
            self._read(parameter, hints.get(parameter.name, Any))

    def _read(self, parameter: inspect.Parameter, hint: Any) -> None:
        name, kind = parameter.name, parameter.kind
        if kind is _kinds.VAR_KEYWORD:
            raise TypeError(f"{self.name}(**{name}): an operator names its arguments, with their defaults")
        if _is_generator(hint):
            if self.generator is not None:
                raise TypeError(f"{self.name}() has two generators, {self.generator} and {name}; one is enough")
            self.generator = name
            return
        if kind is _kinds.VAR_POSITIONAL:
            if any(each in self.arguments for each in self.by_position):
                raise TypeError(f"{self.name}(*{name}): arguments with defaults come behind it")
            self.variadic = name
            return
        if kind is not _kinds.KEYWORD_ONLY:
            self.by_position.append(name)
            if parameter.default is _kinds.empty or parameter.default is None:
                if _is_tensor(hint):
                    self.as_tensors.append(len(self.inputs))
                self.inputs[name] = parameter
                return
        if name in SEQUENCE_KEYWORDS:
            raise TypeError(f"{self.name}({name}=...): every operator has an argument {name!r}; give it another name")
        hint = self._argument_hint(name, hint)
        self.arguments[name] = parameter.replace(kind=_kinds.KEYWORD_ONLY, annotation=hint)
        param = Param(name, hint, parameter.default)
        if param.per_sample and not (param.is_list or param.is_array):
            self.scalars[name] = param.element
        else:
            self.arrays.append(name)

    def _argument_hint(self, name: str, hint: Any) -> Any:
        """The type as arguments of operators have it; Any for one that values are not converted to."""
        inner, per_sample = hint, False
        if typing.get_origin(hint) is Annotated:
            inner, per_sample = hint.__origin__, hint.__metadata__ == _per_sample[Any].__metadata__
        if typing.get_origin(inner) in (typing.Union, types.UnionType):
            some = [each for each in typing.get_args(inner) if each is not type(None)]
            if len(some) == 1 and typing.get_origin(some[0]) is Annotated:
                return self._argument_hint(name, some[0])
            inner = some[0] if len(some) == 1 else Any
        element = typing.get_args(inner)[0] if typing.get_origin(inner) is list else inner
        numbers = _is_number(element) or _is_array(inner)
        if per_sample and not numbers:
            raise TypeError(
                f"{self.name}(): {name} is PerSample[{getattr(inner, '__name__', inner)}], and a Batch has numbers: "
                "PerSample takes int, float, bool, lists of them, or np.ndarray"
            )
        if not (numbers or element in _CONVERTED or typing.get_origin(element) is Literal):
            inner = Any
        return _annotated[_per_sample[inner] if per_sample else inner, Own]

    def declared(self) -> inspect.Signature:
        """The signature as that of an operator: inputs by position, arguments by name, random words."""
        shown = [each.replace(kind=_kinds.POSITIONAL_ONLY, annotation=Any) for each in self.inputs.values()]
        if self.variadic is not None:
            shown.append(_kinds(self.variadic, _kinds.VAR_POSITIONAL))
        shown += self.arguments.values()
        if self.generator is not None:
            shown.append(_kinds(self.generator, _kinds.KEYWORD_ONLY, annotation=Draw))
        return inspect.Signature(shown)

    def shown(self, keywords: Sequence[str]) -> inspect.Signature:
        """What `help()` shows: the function's own parameters, then what every operator takes."""
        own = [each for each in self.parameters if each.name != self.generator]
        return inspect.Signature([*own, *(_kinds(name, _kinds.KEYWORD_ONLY, default=None) for name in keywords)])

    def bind(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """What a program gave as inputs by position and arguments by name, however it gave them."""
        if len(inputs) > len(self.inputs) and self.variadic is None:
            if len(inputs) > len(self.by_position):
                named = next((name for name in self.arguments if name not in self.by_position), None)
                hint = "" if named is None else f"; arguments are given by name: {named}=..."
                raise TypeError(
                    f"{self.name}() takes {len(self.by_position)} value(s) by position but {len(inputs)} were "
                    f"given{hint}"
                )
            placed = dict(zip(self.by_position, inputs, strict=False))
            twice = next((name for name in placed if name in keywords), None)
            if twice is not None:
                raise TypeError(f"{self.name}() got several values for {twice!r}")
            keywords = {**placed, **keywords}
            inputs = ()
        if not any(name in keywords for name in self.inputs):
            return inputs, keywords
        keywords = dict(keywords)
        given = list(inputs)
        missing = None
        for place, name in enumerate(self.inputs):
            if place < len(inputs):
                if name in keywords:
                    raise TypeError(f"{self.name}() got several values for {name!r}")
            elif keywords.get(name) is None:
                keywords.pop(name, None)
                missing = missing or name
            elif missing is not None:
                raise TypeError(f"{self.name}() is given {name!r} but not {missing!r}, which comes before it")
            else:
                given.append(keywords.pop(name))
        return (*given,), keywords


def name_of(function: Callable[..., Any]) -> str:
    """What the operator of a function is called."""
    inner = function.func if isinstance(function, functools.partial) else function
    name: str = getattr(inner, "__name__", None) or type(inner).__name__
    return name


def _parameters_of(function: Callable[..., Any], name: str) -> list[inspect.Parameter]:
    try:
        if isinstance(function, np.ufunc):  # whose parameters are mostly options
            raise TypeError
        return [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} does not tell what its parameters are; write a function that calls it: lambda x: {name}(x)"
        ) from None


def _hints_of(function: Callable[..., Any], name: str) -> dict[str, Any]:
    """The annotations of a function, as types. Those of inputs that cannot be read, such as names that are imported
    for type checkers only, are left out."""
    inner = function.func if isinstance(function, functools.partial) else function
    if not hasattr(inner, "__annotations__") or isinstance(inner, type):
        inner = getattr(type(inner), "__call__", inner)  # noqa: B004 - the function itself, for its annotations
    try:
        return typing.get_type_hints(inner, include_extras=True)
    except Exception:
        found: dict[str, Any] = {}
    for parameter, hint in getattr(inner, "__annotations__", {}).items():
        try:
            found[parameter] = typing.get_type_hints(
                types.SimpleNamespace(__annotations__={parameter: hint}), getattr(inner, "__globals__", {}), None, True
            )[parameter]
        except Exception as error:
            if "PerSample" in str(hint) or "Generator" in str(hint):
                raise TypeError(f"{name}(): the annotation of {parameter}, {hint}, cannot be read: {error}") from None
    return found


def _is_generator(hint: Any) -> bool:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return any(map(_is_generator, typing.get_args(hint)))
    return getattr(hint, "__name__", "") == "Generator" and getattr(hint, "__module__", "").startswith("numpy.random")


def _is_tensor(hint: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and hint is torch.Tensor


def _is_number(kind: Any) -> bool:
    return kind in (bool, int, float) or (isinstance(kind, type) and issubclass(kind, IntEnum))


def _is_array(kind: Any) -> bool:
    return kind is np.ndarray or typing.get_origin(kind) is np.ndarray
