"""The classes of ops, drawn from the functions of fn."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, ClassVar

from penstock.pipeline.definition.call_definition import current_arguments
from penstock.pipeline.functions.input_count import called_as
from penstock.pipeline.functions.namespace import function_paths, make_function
from penstock.schema.argument_copy import copy_argument
from penstock.schema.class_names import class_path
from penstock.schema.operator import Operator


class OperatorObject:
    """An operator with arguments for its calls: `resize = ops.Resize(size=[224, 224])`, then `resize(images)`."""

    function: ClassVar[Callable[..., Any]]
    path: ClassVar[str]

    def __init__(self, *by_position: Any, **arguments: Any) -> None:
        parameters = inspect.signature(self.function).parameters.values()
        names = [each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
        given = _given({**dict(zip(names, by_position, strict=False)), **arguments})
        op = getattr(self.function, "operator", None)
        if isinstance(op, Operator):
            if by_position:
                raise TypeError(f"ops.{self.path}() takes its arguments by name, got {len(by_position)} without one")
            given = current_arguments(op, given)
        # A source of batches may be a list that the program changes while the pipeline runs.
        self._arguments = {name: value if name == "source" else copy_argument(value) for name, value in given.items()}

    @property
    def device(self) -> str:
        """Where the operator runs."""
        return str(self._arguments.get("device") or "cpu")

    @property
    def preserve(self) -> bool:
        """Whether calls are made though nobody asks for their results."""
        return bool(self._arguments.get("preserve"))

    def __call__(self, *inputs: Any, **arguments: Any) -> Any:
        """Adds a call to the pipeline; arguments may be given here that were not given before."""
        given = _given(arguments)
        for name in given:
            if name in self._arguments:
                raise ValueError(f"The argument `{name}` was already specified in __init__.")
        with called_as(f"ops.{self.path}"):
            return type(self).function(*inputs, **self._arguments, **given)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._arguments.items())
        return f"ops.{self.path}({given})"


def _given(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments without those that are None, which count as not given."""
    return {name: value for name, value in arguments.items() if value is not None}


class Compose:
    """Operators one after the other, as one: the results of each are the inputs of the next."""

    def __init__(self, op_list: Sequence[Callable[..., Any]]) -> None:
        self._operators = list(op_list)

    def __call__(self, *inputs: Any, **arguments: Any) -> Any:
        """Calls the first with the inputs; arguments are for it alone."""
        made = list(inputs)
        for each in self._operators:
            results = each(*made, **arguments)
            made = list(results) if isinstance(results, (list, tuple)) else [results]
            arguments = {}
        return made[0] if len(made) == 1 else made


@cache
def _by_class() -> dict[str, str]:
    return {class_path(path): path for path in function_paths()}


def class_paths() -> list[str]:
    """What ops has, as "decoders.Image"."""
    return [*_by_class()]


def make_class(path: str) -> type[OperatorObject]:
    """The class of that path."""
    function = make_function(_by_class()[path])
    module, _, name = path.rpartition(".")
    contents = {"function": staticmethod(function), "path": path, "__doc__": function.__doc__}
    made = type(name, (OperatorObject,), contents)
    made.__module__ = f"penstock.pipeline.ops.{module}".rstrip(".")
    return made
