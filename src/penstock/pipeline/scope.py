"""Which pipeline is being defined, and how it names its operators."""

from __future__ import annotations

import itertools
import threading
from typing import Any

from penstock.schema.class_names import class_path


class Scope:
    """Names of the operators of one pipeline: pipelines that are defined alike have the same ones.

    An operator knows the scope it was defined in rather than the pipeline, which ends when the program drops it.
    """

    def __init__(self, kind: str = "") -> None:
        self._kind = kind
        self._numbers = itertools.count()

    def name(self, path: str) -> str:
        """ "__File_0" for the first operator if it is `fn.readers.file`."""
        return f"__{class_path(path).rpartition('.')[2]}{self._kind}_{next(self._numbers)}"


# Of operators that are defined outside of any pipeline.
DETACHED = Scope("_detached")


class _Stack(threading.local):
    def __init__(self) -> None:
        self.pipelines: list[Any] = []


_stack = _Stack()


def current_pipeline() -> Any:
    """The pipeline that is being defined, or None."""
    return _stack.pipelines[-1] if _stack.pipelines else None


def current_scope() -> Scope:
    """Where operators that are defined now get their names."""
    pipeline = current_pipeline()
    return DETACHED if pipeline is None else pipeline._definition.scope


def push_pipeline(pipeline: Any) -> None:
    """Has operators defined in a pipeline, until `pop_pipeline`."""
    _stack.pipelines.append(pipeline)


def pop_pipeline() -> None:
    """Goes on defining the pipeline before."""
    _stack.pipelines.pop()
