"""The operators as they are declared, in the words that stubs and reference pages share."""

from __future__ import annotations

import enum
import importlib
import inspect
import pkgutil
import re
import typing
from typing import Any, NamedTuple

import numpy as np

import penstock.ops
from penstock.schema.operator import Operator
from penstock.schema.params import Param
from penstock.values.dtypes import DType

ELEMENTS = {bool: "bool", int: "int", float: "float", str: "str", DType: "DTypeLike"}


class Declared(NamedTuple):
    """An operator under one of its names, and where it is declared, as "module:name"."""

    where: str
    op: Operator
    path: str

    @property
    def is_older_name(self) -> bool:
        return self.path != self.op.path

    @property
    def family(self) -> str:
        return self.where.split(".")[2]

    @property
    def namespace(self) -> str:
        """The module of ndd it is found in, such as "decoders", or "" for ndd itself."""
        return self.path.rpartition(".")[0]


def find_operators() -> dict[str, Declared]:
    """All operators by public name; an older name counts too."""
    found = {}
    for module in pkgutil.walk_packages(penstock.ops.__path__, "penstock.ops."):
        if module.name.rsplit(".", 1)[-1].startswith("_"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Operator) and value.function.__module__ == module.name:
                for path in (value.path, *value.older_names):
                    found[path] = Declared(f"{module.name}:{name}", value, path)
    return dict(sorted(found.items()))


def is_public(path: str) -> bool:
    return not any(part.startswith("_") for part in path.split("."))


def type_text(param: Param) -> str:
    """The type of a constant given for the argument."""
    if param.is_array:
        return "ArrayLike"
    if typing.get_origin(param.element) is typing.Literal:
        one = f"Literal[{', '.join(map(_quoted, typing.get_args(param.element)))}]"
    else:
        one = ELEMENTS.get(param.element) or getattr(param.element, "__name__", "Any")
        if isinstance(param.element, type) and issubclass(param.element, enum.Enum):
            one += " | str"  # a word for the member
    return f"{one} | Sequence[{one}]" if param.is_list else one


def default_text(value: Any, dtype: str = "", member: str = "") -> str:
    """A default as Python; `dtype` and `member` are put before the names of types and of members of enumerations."""
    if isinstance(value, DType):
        return dtype + value.storage.name
    if isinstance(value, enum.Enum):
        return member.format(type(value).__name__) + value.name
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(default_text(each, dtype, member) for each in value)}]"
    return _quoted(value) if isinstance(value, str) else f"{value:.7g}" if _is_long(value) else repr(value)


def _is_long(value: Any) -> bool:
    return isinstance(value, float) and len(repr(value)) > 10


def _quoted(text: str) -> str:
    return f'"{text}"'


class Doc(NamedTuple):
    """A docstring in its parts."""

    summary: str
    blocks: list[str]
    arguments: dict[str, str]


def read_doc(op: Operator) -> Doc:
    description, _, listed = op.doc.partition("\nArgs:\n")
    first, *blocks = description.strip("\n").split("\n\n")
    arguments: dict[str, str] = {}
    for entry in re.split(r"\n(?=\S)", inspect.cleandoc(listed)):
        name, _, text = entry.partition(":")
        if text:
            arguments[name] = " ".join(text.split())
    return Doc(" ".join(first.split()), blocks, arguments)


def is_code(block: str) -> bool:
    """An example is indented, but for one at the end of a docstring, which the formatter moves to the left."""
    return re.match(r"    |([\w, ]+ = )?ndd\.", block) is not None


def result_count(op: Operator) -> int | None:
    """How many results the function says it has; None where that depends on the call."""
    hint = typing.get_type_hints(op.function).get("return")
    if typing.get_origin(hint) is not tuple:
        return None if hint is Any else 1
    parts = typing.get_args(hint)
    return None if Ellipsis in parts else len(parts)
