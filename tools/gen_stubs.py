"""Signatures of the functions of ndd for editors and type checkers, a stub for each of its modules."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from declared import Declared, default_text, is_public, result_count, type_text

from penstock.schema.operator import SEQUENCE_KEYWORDS, Operator
from penstock.schema.params import Param
from penstock.values.dtypes import NUMERIC, bool_
from penstock.values.enums import DataType, ImageType, InterpType

NAMESPACES = (
    "", "decoders", "experimental", "experimental.decoders", "io.file", "math", "noise", "random", "reductions",
    "segmentation", "transforms",
)  # fmt: skip
HEAD = '''"""{title}. Written by tools/gen.py."""
# mypy: disable-error-code="overload-overlap"

from collections.abc import Sequence
from typing import Any, Literal, overload

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike, Operand, TensorLike
from penstock.dynamic.batch import Batch
from penstock.dynamic.tensor import Tensor
from penstock.engine.rng import RNG
from penstock.values.device import Device
from penstock.values.dtypes import {dtypes}
from penstock.values.enums import ImageType, InterpType
'''
COMMON = '''"""What the signatures of ndd have in common. Written by tools/gen.py; not there at run time."""

from typing import Any, TypeAlias

import numpy.typing as npt

from penstock.dynamic.batch import Batch
from penstock.dynamic.tensor import Tensor
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

from penstock.values.enums import DataType as DALIDataType
from penstock.values.enums import ImageType as DALIImageType
from penstock.values.enums import InterpType as DALIInterpType

'''


def types_stub() -> str:
    return TYPES + "".join(
        f"{member.name}: Final = DALI{kind.__name__}.{member.name}\n"
        for kind in (DataType, ImageType, InterpType)
        for member in kind
    )


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
    return f"@overload\n{one}:\n{doc}\n@overload\n{many}: ...\n"


def _head(op: Operator, kind: str) -> str:
    shown = [*_inputs(op, kind), *_arguments(op, kind)]
    line = f"def {op.name}({', '.join(shown)}) -> {_result(op, kind)}"
    if len(line) < 116:
        return line
    body = "".join(f"    {each},\n" for each in shown)
    return f"def {op.name}(\n{body}) -> {_result(op, kind)}"


def _inputs(op: Operator, kind: str) -> Iterator[str]:
    accepted = "TensorLike" if kind == "Tensor" else "Operand"
    for position, name in enumerate(op.inputs):
        yield f"{name}: {accepted}" if position < op.min_inputs else f"{name}: {accepted} | None = None"
    if op.inputs and not op.path.startswith("math."):
        yield "/"
    if op.variadic:
        yield f"*inputs: {accepted}"


def _arguments(op: Operator, kind: str) -> Iterator[str]:
    if op.path.startswith("math."):
        return
    if not op.variadic:
        yield "*"
    for param in op.params.values():
        yield _argument(param, kind)
    if op.draw:
        yield "rng: RNG | None = None"
    types = {"batch_size": "None" if kind == "Tensor" else "int | None", "device": "Device | str | None"}
    yield from (f"{name}: {types[name]} = None" for name in SEQUENCE_KEYWORDS)


def _argument(param: Param, kind: str) -> str:
    accepted = type_text(param) + " | Array" * param.is_list
    if param.per_sample:
        accepted += " | Tensor" if kind == "Tensor" else " | Tensor | Batch"
    if param.required:
        return f"{param.name}: {accepted}"
    return f"{param.name}: {accepted} | None = {default_text(param.default, member='{}.')}"


def _result(op: Operator, kind: str) -> str:
    count = result_count(op)
    return "Any" if count is None else kind if count == 1 else f"tuple[{', '.join([kind] * count)}]"
