"""Attributes of ndd's objects that are not public, and that programs reach for all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.dynamic.readers import Reader
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.engine.checkpoint import Checkpoint
from penstock.engine.context import EvalContext
from penstock.schema.class_names import class_path, schema_name
from penstock.schema.operator import Operator
from penstock.values.accelerator import CPU


class _Schema:
    """The little of an operator's schema that is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def Name(self) -> str:  # noqa: N802
        return self._name


class _ReaderBackend:
    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def GetReaderMeta(self) -> dict[str, int]:  # noqa: N802
        return self._reader.get_metadata()


class _OfClass:
    """An attribute of reader classes that depends on what they are called."""

    def __init__(self, tell: Callable[[str], Any]) -> None:
        self._tell = tell

    def __get__(self, reader: Reader | None, kind: type[Reader]) -> Any:
        return self._tell(kind.__name__)


def _tensor(value: Tensor) -> Any:
    from penstock.pipeline.values.tensors import TensorCPU, TensorGPU

    if value._samples is None:
        return None
    return (TensorCPU if value._samples.device == CPU else TensorGPU)._of_samples(value._samples)


def _tensor_list(value: Batch) -> Any:
    from penstock.pipeline.values.tensors import as_list

    return None if value._samples is None else as_list(value._samples)


_OF_OPERATORS: dict[str, Callable[[Operator], Any]] = {
    "_fn_path": lambda op: op.path,
    "_has_random_state_arg": lambda op: op.draw is not None,
    "_is_reader": lambda op: False,
    "_op_name": lambda op: class_path(op.name),
    "_op_path": lambda op: class_path(op.path),
    "_schema": lambda op: _Schema(schema_name(op.path)),
    "_supported_backends": lambda op: frozenset({"gpu" if op.needs_gpu else "cpu"}),
}
_OF_READERS: dict[str, Any] = {
    "_is_reader": True,
    "_op_name": _OfClass(str),
    "_op_path": _OfClass("readers.{}".format),
    "_schema": _OfClass(lambda name: _Schema(f"readers__{name}")),
    "_supported_backends": frozenset({"cpu"}),
}


def add() -> None:
    """Gives classes these attributes."""
    _give(Tensor, _storage=property(_tensor))
    _give(Batch, _storage=property(_tensor_list))
    _give(Checkpoint, _states=property(lambda checkpoint: checkpoint._entries))
    _give(EvalContext, _purge_operator_cache=lambda context: None)  # there is no such cache
    _give(Operator, **{name: property(get) for name, get in _OF_OPERATORS.items()})
    _give(Reader, _op_backend=property(_ReaderBackend), **_OF_READERS)


def _give(owner: type, **attributes: Any) -> None:
    for name, value in attributes.items():
        setattr(owner, name, value)
