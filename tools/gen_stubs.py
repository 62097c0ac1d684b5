"""Signatures of the functions of ndd for editors and type checkers, a stub for each of its modules."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from declared import Declared, default_text, is_public, result_count, type_text

from penstock import types
from penstock.schema.operator import Operator
from penstock.schema.params import Param
from penstock.values.dtypes import NUMERIC, bool_
from penstock.values.enums import DataType, ImageType, InterpType

NAMESPACES = (
    "", "decoders", "experimental", "experimental.decoders", "io.file", "math", "noise", "random", "reductions",
    "segmentation", "transforms",
)  # fmt: skip
HEAD = '''"""{title}. Written by tools/gen.py."""
# mypy: disable-error-code="overload-overlap"

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike, Operand, TensorLike
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.engine.rng import RNG
from penstock.storage import Storage
from penstock.values.bad_samples import BadSample
from penstock.values.device import Device
from penstock.values.dtypes import {dtypes}
from penstock.values.enums import ImageType, InterpType
'''
COMMON = '''"""What the signatures of ndd have in common. Written by tools/gen.py; not there at run time."""

from typing import Any, TypeAlias

import numpy.typing as npt

from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.values.dtypes import DType
from penstock.values.enums import DataType

ArrayLike: TypeAlias = npt.ArrayLike
TensorLike: TypeAlias = Tensor | npt.ArrayLike
Operand: TypeAlias = TensorLike | Batch
Array: TypeAlias = npt.NDArray[Any]
DTypeLike: TypeAlias = DType | DataType | npt.DTypeLike
'''
TYPES = '''"""The names of `penstock.types`, which lists the members of its enumerations. Written by tools/gen.py."""

from typing import Final

from penstock.values.constants import ScalarConstant as ScalarConstant
from penstock.values.constants import constant, constant_node
from penstock.values.device import CUDAStream as CUDAStream
from penstock.values.enums import DataType, ImageType, InterpType
from penstock.values.enums import PipelineAPIType as PipelineAPIType
from penstock.values.sample_info import BatchInfo as BatchInfo
from penstock.values.sample_info import SampleInfo as SampleInfo
from penstock.values.spec import TensorLayout as TensorLayout
from penstock.values.type_names import to_dali_type as to_dali_type
from penstock.values.type_names import to_numpy_type as to_numpy_type

DALIDataType = DataType
DALIImageType = ImageType
DALIInterpType = InterpType
Constant = constant
ConstantNode = constant_node
'''


def types_stub() -> str:
    values = {name: repr(getattr(types, name)) for name in types.__all__ if name.isupper()}
    values |= {m.name: f"DALI{kind.__name__}.{m.name}" for kind in (DataType, ImageType, InterpType) for m in kind}
    return TYPES + "".join(f"{name}: Final = {value}\n" for name, value in values.items())


def stub_name(namespace: str) -> str:
    return namespace.replace(".", "_") or "ndd"


def stubs(operators: dict[str, Declared]) -> dict[str, str]:
    """Texts of the stubs, by file name."""
    functions: dict[str, list[str]] = {namespace: [] for namespace in NAMESPACES}
    for declared in operators.values():
        if is_public(declared.op.path):
            functions[declared.namespace].append(_function(declared.op))
    texts = {"__init__.pyi": COMMON}
    for namespace, texts_of_it in functions.items():
        title = f"Signatures of ndd.{namespace}".rstrip(".")
        head = HEAD.format(title=title, dtypes=", ".join(dtype.storage.name for dtype in NUMERIC if dtype != bool_))
        texts[f"{stub_name(namespace)}.pyi"] = "\n".join([head, *texts_of_it])
    return texts


def _function(op: Operator) -> str:
    """Tensors make a Tensor; a Batch anywhere, or a batch size, makes a Batch."""
    doc = textwrap.indent(f'"""{op.doc}\n"""' if "\n" in op.doc else f'"""{op.doc}"""', "    ")
    doc = "\n".join(line.rstrip() for line in doc.splitlines())
    one, many = (_head(op, kind) for kind in ("Tensor", "Batch"))
    fewer = f"@overload\n{_head(op, 'Batch', skips=True)}: ...\n" if op.blank else ""
    return f"@overload\n{one}:\n{doc}\n@overload\n{many}: ...\n{fewer}"


def _head(op: Operator, kind: str, skips: bool = False) -> str:
    shown = [*_inputs(op, kind), *_arguments(op, kind, skips)]
    result = _result(op, kind, skips)
    line = f"def {op.name}({', '.join(shown)}) -> {result}"
    if len(line) < 116:
        return line
    body = "".join(f"    {each},\n" for each in shown)
    return f"def {op.name}(\n{body}) -> {result}"


def _inputs(op: Operator, kind: str) -> Iterator[str]:
    accepted = "TensorLike" if kind == "Tensor" else "Operand"
    for position, name in enumerate(op.inputs):
        yield f"{name}: {accepted}" if position < op.min_inputs else f"{name}: {accepted} | None = None"
    if op.inputs and not op.path.startswith("math."):
        yield "/"
    if op.variadic:
        yield f"*inputs: {accepted}"


def _arguments(op: Operator, kind: str, skips: bool) -> Iterator[str]:
    if op.path.startswith("math."):
        return
    if not op.variadic:
        yield "*"
    for param in op.params.values():
        yield argument_text(param, kind)
    instead = "Array" if result_count(op) == 1 else "tuple[Array, ...]"
    types = {
        "rng": "RNG | None",
        "on_error": f'Literal["raise", "replace"] | Callable[[BadSample, Array], {instead} | None] | None',
        "errors": "list[BadSample] | None",
        "batch_size": "None" if kind == "Tensor" else "int | None",
        "device": "Device | str | None",
    }
    for name in op.common_keywords:
        yield 'on_error: Literal["skip"]' if skips and name == "on_error" else f"{name}: {types[name]} = None"


def argument_text(param: Param, kind: str) -> str:
    """An argument in a signature of Tensors, or of Batches."""
    accepted = type_text(param) + " | Array" * param.is_list
    if param.per_sample:
        accepted += " | Tensor" if kind == "Tensor" else " | Tensor | Batch"
    if param.required:
        return f"{param.name}: {accepted}"
    return f"{param.name}: {accepted} | None = {default_text(param.default, member='{}.')}"


def _result(op: Operator, kind: str, skips: bool) -> str:
    count = result_count(op)
    if count is None:
        return "Any"
    parts = [kind] * count + ["list[int]"] * skips
    return parts[0] if len(parts) == 1 else f"tuple[{', '.join(parts)}]"
