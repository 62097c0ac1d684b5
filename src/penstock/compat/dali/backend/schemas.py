"""What programs ask `nvidia.dali.backend.GetSchema` about operators."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from penstock.pipeline.namespace import function_paths, make_function
from penstock.pipeline.readers import READERS
from penstock.schema.class_names import class_path, schema_name
from penstock.schema.operator import Operator
from penstock.schema.params import Param

_OF_ALL = ("bytes_per_sample_hint", "preserve", "seed")
_NOT_ARGUMENTS = ("device", "name")
_MANY = 999


class OpSchema:
    """The names, inputs and arguments of an operator of pipelines."""

    def __init__(self, path: str) -> None:
        self._path = path
        function = make_function(path)
        found = getattr(function, "operator", None)
        self._op = found if isinstance(found, Operator) else None
        parameters = inspect.signature(function).parameters.values()
        by_position = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
        by_name = [each for each in parameters if each.kind is each.KEYWORD_ONLY]
        if path in READERS:  # which have no inputs
            by_position, by_name = [], [*by_position, *by_name]
        self._inputs = by_position
        self._parameters = {each.name: each for each in by_name if each.name not in _NOT_ARGUMENTS}
        self._takes_any = any(each.kind is each.VAR_POSITIONAL for each in parameters)
        self._dox = inspect.getdoc(function) or ""

    def Name(self) -> str:  # noqa: N802
        return schema_name(self._path)

    def OperatorName(self) -> str:  # noqa: N802
        return class_path(self._path).rpartition(".")[2]

    def ModulePath(self) -> list[str]:  # noqa: N802
        return self._path.split(".")[:-1]

    def Dox(self) -> str:  # noqa: N802
        return self._dox

    def GetSupportedBackends(self) -> list[str]:  # noqa: N802
        return ["gpu"] if self._op is not None and self._op.needs_gpu else ["cpu"]

    def MinNumInput(self) -> int:  # noqa: N802
        if self._op is not None:
            return self._op.min_inputs
        return sum(each.default is each.empty for each in self._inputs)

    def MaxNumInput(self) -> int:  # noqa: N802
        if self._op is not None:
            return _MANY if self._op.variadic else len(self._op.inputs)
        return _MANY if self._takes_any and self._path not in READERS else len(self._inputs)

    def GetArgumentNames(self) -> list[str]:  # noqa: N802
        own = self._parameters if self._op is None else self._op.params
        of_all = [each for each in _OF_ALL if each != "seed" or self.HasRandomSeedArg()]
        return sorted({*own, *of_all})

    def HasArgument(self, name: str) -> bool:  # noqa: N802
        return name in _OF_ALL or name in self.GetArgumentNames()

    def IsTensorArgument(self, name: str) -> bool:  # noqa: N802
        param = self._param(name)
        return param is not None and param.per_sample

    def IsArgumentOptional(self, name: str) -> bool:  # noqa: N802
        param = self._param(name)
        if param is not None:
            return not param.required
        parameter = self._parameters.get(name)
        return parameter is None or parameter.default is not parameter.empty

    def HasArgumentDefaultValue(self, name: str) -> bool:  # noqa: N802
        param = self._param(name)
        parameter = self._parameters.get(name)
        default = param.default if param is not None else parameter.default if parameter is not None else None
        return default is not None and default is not inspect.Parameter.empty

    def HasRandomSeedArg(self) -> bool:  # noqa: N802
        return "seed" in self._parameters if self._op is None else self._op.draw is not None

    def HasRandomStateArg(self) -> bool:  # noqa: N802
        return self._op is not None and self._op.draw is not None

    def IsNoPrune(self) -> bool:  # noqa: N802
        return self._path.endswith("python_function")

    def IsDeprecated(self) -> bool:  # noqa: N802
        return False

    def IsInternal(self) -> bool:  # noqa: N802
        return False

    def IsDocHidden(self) -> bool:  # noqa: N802
        return False

    def _param(self, name: str) -> Param | None:
        if not self.HasArgument(name):
            raise KeyError(f'Argument "{name}" is not defined for operator "{self.Name()}".')
        return None if self._op is None else self._op.params.get(name)


@cache
def _paths() -> dict[str, str]:
    return {schema_name(path): path for path in function_paths()}


@cache
def GetSchema(name: str) -> OpSchema:  # noqa: N802
    """The schema of an operator by its class's name, with `__` for dots: "decoders__Image"."""
    path = _paths().get(name)
    if path is None:
        raise KeyError(f"Schema for operator '{name}' not registered")
    return OpSchema(path)


def TryGetSchema(name: str) -> Any:  # noqa: N802
    """As `GetSchema`, but None where there is no such operator."""
    return GetSchema(name) if name in _paths() else None
