"""What programs find as `nvidia.dali.experimental.dynamic._ops`: the operators behind the functions of ndd."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

from penstock.dynamic import readers
from penstock.dynamic.calls.functions import function
from penstock.dynamic.readers import Reader
from penstock.ops.declaration import OPERATORS, declaration
from penstock.schema.class_names import class_path
from penstock.schema.operator import Operator

__all__ = ["Operator", "Reader", "reader_classes"]


def reader_classes() -> list[type[Reader]]:
    found = [getattr(readers, name) for name in readers.__all__]
    return [each for each in found if isinstance(each, type) and issubclass(each, Reader) and each is not Reader]


def _operators() -> list[Operator]:
    paths = [path for path in OPERATORS if not path.startswith(("_", "math."))]
    return [declaration(path) for path in paths if declaration(path).path == path]


@cache
def _by_name() -> SimpleNamespace:
    """The operators by the names of their classes, such as `decoders.Image`."""
    root = SimpleNamespace()
    for operator in _operators():
        *modules, name = class_path(operator.path).split(".")
        place = root
        for module in modules:
            if not hasattr(place, module):
                setattr(place, module, SimpleNamespace())
            place = getattr(place, module)
        setattr(place, name, operator)
    return root


def __getattr__(name: str) -> Any:
    if name == "_all_ops":
        return [*_operators(), *reader_classes()]
    if name == "_all_functions":
        return [function(operator.path) for operator in _operators()]
    if not name.startswith("__") and hasattr(_by_name(), name):
        return getattr(_by_name(), name)
    raise AttributeError(f"module 'nvidia.dali.experimental.dynamic._ops' has no attribute {name!r}")
