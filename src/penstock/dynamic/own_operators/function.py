"""A user's own function as an operator calls it: inputs that are protected, numbers of Python, and its errors told."""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from penstock.dynamic.own_operators.signature import UserSignature
from penstock.engine.errors import tell_where
from penstock.schema.params import Draw

Array = np.ndarray[Any, Any]

_MASK64 = (1 << 64) - 1

# What NumPy, OpenCV and Numba say of writing to an array that may not be written to.
_READ_ONLY = ("read-only", "marked as readonly", "readonly array")


def generator_of(draw: Draw) -> np.random.Generator:
    """The generator of one sample: its numbers follow from the words of the call and the number of the sample.

    The sample's place is in the upper half of the counter, so that no two samples ever draw the same numbers.
    """
    words = draw.words
    key = words[0] | words[1] << 32 | words[2] << 64 | words[3] << 96
    place = (words[4] | words[5] << 32) + draw.sample & _MASK64
    return np.random.Generator(np.random.Philox(key=key, counter=place << 128 | words[6] << 192))


def declared(function: Callable[..., Any], signature: UserSignature, inplace: bool) -> Callable[..., Any]:
    """The function with the signature of an operator's."""

    protected = _copied if inplace else _read_only
    as_they_are = not (signature.scalars or signature.arrays or signature.generator)

    def call(*arrays: Any, **arguments: Any) -> Any:
        given = [*map(protected, arrays)]
        for place in signature.as_tensors:
            given[place : place + 1] = map(_tensor, arrays[place : place + 1])
        try:
            return function(*given, **(arguments if as_they_are else _arguments(signature, arguments)))
        except Exception as error:
            _tell(error, signature.name)
            raise

    return _presented(call, function, signature)


def declared_for_gpus(function: Callable[..., Any], signature: UserSignature) -> Callable[..., Any]:
    """The function for accelerators, on tensors as they are."""

    def call(*tensors: Any, **arguments: Any) -> Any:
        try:
            return function(*tensors, **_arguments(signature, arguments))
        except Exception as error:
            _tell(error, signature.name)
            raise

    return _presented(call, function, signature)


def _presented(call: Callable[..., Any], function: Callable[..., Any], signature: UserSignature) -> Callable[..., Any]:
    call.__name__ = signature.name
    call.__wrapped__ = function  # type: ignore[attr-defined]
    call.__doc__ = inspect.getdoc(function)
    shown = call.__signature__ = signature.declared()  # type: ignore[attr-defined]
    call.__annotations__ = {each.name: each.annotation for each in shown.parameters.values()}
    return call


def _read_only(value: Any) -> Any:
    """An input that the function cannot write to; a list of them for a batchwise operator."""
    if type(value) is list:
        return [*map(_read_only, value)]
    if not value.flags.writeable:  # as the samples of a batch are, which cost less where they are made
        return value
    view = value[...]  # of a scalar, too, of which view() would be no array
    view.setflags(write=False)
    return view


def _copied(value: Any) -> Any:
    return [*map(_copied, value)] if type(value) is list else value.copy()


def _arguments(signature: UserSignature, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of one sample as the function takes them."""
    for name, number in signature.scalars.items():
        value = arguments[name]
        if isinstance(value, np.generic):  # the arguments of a batchwise operator are arrays
            arguments[name] = number(value)
    for name in signature.arrays:
        if isinstance(arguments[name], np.ndarray):
            arguments[name] = _read_only(arguments[name])
    if signature.generator is not None:
        arguments[signature.generator] = generator_of(arguments[signature.generator])
    return arguments


def _tensor(array: Array) -> Any:
    """An input as a tensor. torch has none that are read-only, so it is a copy."""
    torch: Any = sys.modules["torch"]
    return torch.from_numpy(array.copy())


def _tell(error: Exception, name: str) -> None:
    """Keeps where in the function an error was raised, for the note that the engine adds to it.

    Raises one that names the way out where the function wrote to an input.
    """
    assert error.__traceback__ is not None
    # Without the marks under parts of a line: those are found by ast.parse, which up to Python 3.11 fails in another
    # thread that calls it at the same time.
    frames = traceback.extract_tb(error.__traceback__.tb_next)
    lines = "\n".join(
        f'  File "{each.filename}", line {each.lineno}, in {each.name}\n    {each.line}' for each in frames
    )
    if any(words in str(error) for words in _READ_ONLY):
        wrote = ValueError(
            f"{name}() writes to its input, which other calls may use as well; @ndd.operator(inplace=True) gives it a "
            "copy to write to, or it works on one of its own: image = image.copy()"
        )
        raise tell_where(wrote, lines) from error
    tell_where(error, lines)
