"""What programs ask `nvidia.dali.backend.GetSchema` about operators."""

from __future__ import annotations

import inspect
import re
from functools import cache
from typing import Any

from penstock.compat.dali.backend.argument_types import type_of_annotation, type_of_param, written
from penstock.pipeline.functions.deprecated_functions import DEPRECATED_NAMES
from penstock.pipeline.functions.namespace import function_paths, make_function
from penstock.pipeline.functions.reader_functions import READERS
from penstock.readers.coco.options import RENAMED as RENAMED_OF_COCO
from penstock.schema.class_names import class_path, schema_name
from penstock.schema.operator import Operator
from penstock.schema.params import Param
from penstock.values.enums import DataType

_OF_ALL = {
    "bytes_per_sample_hint": (DataType._INT32_VEC, [0], "Accepted; memory is found without it."),
    "preserve": (DataType.BOOL, False, "Run the operator also where nobody uses its results."),
    "seed": (DataType.INT32, -1, "Of the random numbers; -1 for any."),
}
_NOT_ARGUMENTS = ("device", "max_batch_size", "name", "num_inputs")
_MANY = 999
_OF_ANY_LAYOUT = {  # which is why they declare none
    "cast", "cast_like", "copy", "erase", "expand_dims", "gaussian_blur", "laplacian", "lookup_table", "normalize",
    "reinterpret", "reshape", "slice", "squeeze", "tensor_resize", "transpose",
}  # fmt: skip
_WITHOUT_HEIR = {"fast_resize_crop_mirror": "resize_crop_mirror", "shapes": "", "ssd_random_crop": "random_bbox_crop"}
# Versions of DALI since which a name is outdated, by how it or its heir begins; the first that fits.
_OUTDATED_SINCE = {
    "experimental.audio_resample": "1.18", "experimental.decoders.video": "2.0", "experimental.decoders.": "2.2",
    "experimental.peek_image_shape": "2.2", "experimental.": "2.0", "fast_resize_crop_mirror": "1.32",
    "shapes": "1.44", "ssd_random_crop": "0.30", "random.": "0.30", "": "1.0",
}  # fmt: skip


class OpSchema:
    """The names, inputs and arguments of an operator of pipelines."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._reads = DEPRECATED_NAMES.get(path, path) in READERS
        function = make_function(path)
        found = getattr(function, "operator", None)
        self._op = found if isinstance(found, Operator) else None
        parameters = inspect.signature(function).parameters.values()
        by_position = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
        by_name = [each for each in parameters if each.kind is each.KEYWORD_ONLY]
        if self._reads or path == "external_source":  # which have no inputs
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

    def AliasFor(self) -> str:  # noqa: N802
        return self.DeprecatedInFavorOf() if self._path not in _WITHOUT_HEIR else ""

    def GetSupportedBackends(self) -> list[str]:  # noqa: N802
        return ["gpu"] if self._op is not None and self._op.needs_gpu else ["cpu"]

    def AllowsSequences(self) -> bool:  # noqa: N802
        """Whether samples may be sequences of frames."""
        return self._has_layout("F")

    def SupportsVolumetric(self) -> bool:  # noqa: N802
        """Whether samples may be volumes."""
        return self._has_layout("D")

    def IsSequenceOperator(self) -> bool:  # noqa: N802
        """Whether samples are always sequences, which the operator takes as such."""
        return self._op is not None and bool(self._op.layouts) and all("F" in each for each in self._op.layouts)

    def IsStateful(self) -> bool:  # noqa: N802
        """Whether one call depends on those before it: readers, other sources and what draws random numbers."""
        return self._reads or self.HasRandomSeedArg() or self._path in ("external_source", "experimental.inputs.video")

    def IsNoPrune(self) -> bool:  # noqa: N802
        return self._path.endswith("python_function")

    def IsInternal(self) -> bool:  # noqa: N802
        return False

    def IsAbstract(self) -> bool:  # noqa: N802
        return False

    def MinNumInput(self) -> int:  # noqa: N802
        if self._op is not None:
            return self._op.min_inputs
        return sum(each.default is each.empty for each in self._inputs)

    def MaxNumInput(self) -> int:  # noqa: N802
        if self._op is not None:
            return _MANY if self._op.variadic else len(self._op.inputs)
        return _MANY if self._takes_any and not self._reads else len(self._inputs)

    def GetInputName(self, index: int) -> str:  # noqa: N802
        self._check_input(index)
        named = self._op.inputs if self._op is not None else [each.name for each in self._inputs]
        return named[index] if index < len(named) else f"__input_{index}"

    def GetInputType(self, index: int) -> str:  # noqa: N802
        self._check_input(index)
        return "TensorList"

    def GetInputDox(self, index: int) -> str:  # noqa: N802
        return self._described.get(self.GetInputName(index), "")

    def GetInputDevice(self, index: int, actual_device: str | None = None, operator_device: str | None = None) -> Any:  # noqa: N802
        """Where an input is to be: where the operator runs."""
        self._check_input(index)
        return operator_device or actual_device or self.GetSupportedBackends()[0]

    def GetSupportedLayouts(self, index: int) -> list[str]:  # noqa: N802
        self._check_input(index)
        return [*self._op.layouts] if self._op is not None and index == 0 else []

    def GetArgumentNames(self, include_hidden: bool = False) -> list[str]:  # noqa: N802
        of_all = [each for each in _OF_ALL if each != "seed" or self.HasRandomSeedArg()]
        if self._op is None:
            return sorted({*self._parameters, *of_all})
        return sorted({*self._op.params, *self._op.renamed, *self._op.removed, *of_all})

    def HasArgument(self, name: str) -> bool:  # noqa: N802
        return name in _OF_ALL or name in self.GetArgumentNames()

    def IsTensorArgument(self, name: str) -> bool:  # noqa: N802
        param = self._param(name)
        return param is not None and param.per_sample

    def ArgSupportsPerFrameInput(self, name: str) -> bool:  # noqa: N802
        """Whether each frame of a sequence may have a value of its own."""
        return self.IsTensorArgument(name) and self._op is not None and self._op.frames

    def IsArgumentOptional(self, name: str) -> bool:  # noqa: N802
        param = self._param(name)
        if param is not None:
            return not param.required
        parameter = self._parameters.get(name)
        return parameter is None or parameter.default is not parameter.empty

    def GetArgumentType(self, name: str) -> DataType:  # noqa: N802
        param = self._param(name)
        if name in _OF_ALL:
            return _OF_ALL[name][0]
        if param is None and name in self._renamed and self._op is not None:
            param = self._op.params[self._renamed[name]]
        if param is not None:
            return type_of_param(param)
        return type_of_annotation(name, self._parameters[name].annotation if name in self._parameters else "str")

    def HasArgumentDefaultValue(self, name: str) -> bool:  # noqa: N802
        return self._default(name) is not None

    def GetArgumentDefaultValueString(self, name: str) -> str:  # noqa: N802
        default = self._default(name)
        if default is None:
            raise ValueError(f'Argument "{name}" in operator "{self.Name()}" has no default value.')
        return written(default, self.GetArgumentType(name))

    def GetArgumentDox(self, name: str) -> str:  # noqa: N802
        self._param(name)
        return self._described.get(name, _OF_ALL[name][2] if name in _OF_ALL else "")

    def HasRandomSeedArg(self) -> bool:  # noqa: N802
        return "seed" in self._parameters if self._op is None else self._op.draw is not None

    def HasRandomStateArg(self) -> bool:  # noqa: N802
        return self._op is not None and self._op.draw is not None

    def IsDeprecatedArg(self, name: str) -> bool:  # noqa: N802
        self._param(name)
        return name in self._renamed or (self._op is not None and name in self._op.removed)

    def DeprecatedArgInfo(self, name: str) -> dict[str, Any]:  # noqa: N802
        if not self.IsDeprecatedArg(name):
            raise ValueError(f'No deprecation info for argument "{name}" found.')
        current = self._renamed.get(name, "")
        message = (
            f"The argument `{name}` is a deprecated alias for `{current}`. Use `{current}` instead."
            if current
            else f"The argument `{name}` is no longer used and will be removed in a future release."
        )
        return {"msg": message, "removed": not current, "renamed_to": current}

    def IsDeprecated(self) -> bool:  # noqa: N802
        return bool(self.DeprecatedInFavorOf()) or self._path in _WITHOUT_HEIR

    def DeprecatedInFavorOf(self) -> str:  # noqa: N802
        """The schema of the operator that programs should use instead; empty where there is none."""
        current = DEPRECATED_NAMES.get(self._path) or _WITHOUT_HEIR.get(self._path)
        if current is None and self._op is not None and self._op.path != self._path:
            current = self._op.path
        return schema_name(current) if current else ""

    def DeprecatedInVersion(self) -> str:  # noqa: N802
        names = (self._path, DEPRECATED_NAMES.get(self._path, ""))
        fitting = [since for begin, since in _OUTDATED_SINCE.items() if any(each.startswith(begin) for each in names)]
        return fitting[0] if self.IsDeprecated() else ""

    def DeprecationMessage(self) -> str:  # noqa: N802
        return "Use DataNode.shape() instead." if self._path == "shapes" else ""

    def Dox(self) -> str:  # noqa: N802
        return self._dox

    def HasInputDox(self) -> bool:  # noqa: N802
        return any(self.GetInputName(index) in self._described for index in range(self.MinNumInput()))

    def CanUseAutoInputDox(self) -> bool:  # noqa: N802
        """Whether there is but one input, which documentation can tell of by itself."""
        return self.MaxNumInput() <= 1

    def GetCallSignatureInputs(self) -> str:  # noqa: N802
        """The inputs as the signature of a call shows them: "bboxes, labels = None"."""
        needed = self.MinNumInput()
        names = [self.GetInputName(index) for index in range(min(self.MaxNumInput(), needed + 1))]
        return ", ".join(name if index < needed else f"{name} = None" for index, name in enumerate(names))

    def HasCallDox(self) -> bool:  # noqa: N802
        return False

    def GetCallDox(self) -> str:  # noqa: N802
        raise RuntimeError("__call__ docstring was not set")

    def AppendKwargsSection(self) -> bool:  # noqa: N802
        return False

    def HasOutputFn(self) -> bool:  # noqa: N802
        """Whether the number of results depends on the arguments."""
        return self._op is not None and not isinstance(self._op.results, int)

    def IsDocHidden(self) -> bool:  # noqa: N802
        return self.IsDeprecated() and not self._path.startswith("experimental.")

    def IsDocPartiallyHidden(self) -> bool:  # noqa: N802
        return self.IsDeprecated() and self._path.startswith("experimental.decoders.")

    def _has_layout(self, axis: str) -> bool:
        if self._path in _OF_ANY_LAYOUT:
            return True
        if self._op is None:
            return False
        return (axis == "F" and self._op.frames) or any(axis in layout for layout in self._op.layouts)

    def _check_input(self, index: int) -> None:
        if not 0 <= index < self.MaxNumInput():
            raise IndexError(
                f'Operator "{self.Name()}" has up to {self.MaxNumInput()} inputs, there is none at {index}.'
            )

    def _default(self, name: str) -> Any:
        param = self._param(name)
        if param is not None:
            return param.default
        if name in _OF_ALL:
            return _OF_ALL[name][1]
        parameter = self._parameters.get(name)
        return None if parameter is None or parameter.default is parameter.empty else parameter.default

    @property
    def _renamed(self) -> dict[str, str]:
        """Outdated arguments and what they are called now."""
        if self._op is not None:
            return self._op.renamed
        return RENAMED_OF_COCO if self._path.endswith(("readers.coco", "coco_reader")) else {}

    @property
    def _described(self) -> dict[str, str]:
        """What the documentation says of each argument."""
        _, _, listed = self._dox.partition("\nArgs:\n")
        found = re.findall(r"^    (\w+): (.*(?:\n {5,}.*)*)", listed, re.MULTILINE)
        return {name: re.sub(r"\s+", " ", text) for name, text in found}

    def _param(self, name: str) -> Param | None:
        if not self.HasArgument(name):
            raise KeyError(f'Argument "{name}" is not defined for operator "{self.Name()}".')
        return None if self._op is None else self._op.params.get(name)


@cache
def _paths() -> dict[str, str]:
    return {schema_name(path): path for path in function_paths()}


def schema_names() -> list[str]:
    """Of all operators."""
    return [*_paths()]


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
