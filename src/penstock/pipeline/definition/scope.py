"""Which pipeline is being defined, and how it names its operators."""

from __future__ import annotations

import itertools
import threading
from typing import Any

from penstock.engine.defining import defining
from penstock.pipeline.definition.data_node import DataNode
from penstock.schema.class_names import class_path


class Scope:
    """Numbers the calls of one pipeline to name them, so that equal definitions have equal names in every run.

    A call refers to the scope it was defined in, not to the pipeline, which is to end when the program drops it.
    """

    def __init__(self, kind: str = "") -> None:
        self._kind = kind
        self._numbers = itertools.count()

    def name(self, path: str) -> str:
        """ "__File_0" for the first operator if it is `fn.readers.file`."""
        return f"__{class_path(path).rpartition('.')[2]}{self._kind}_{next(self._numbers)}"


# Names calls that are defined outside of any pipeline.
DETACHED = Scope("_detached")


class _Stack(threading.local):
    def __init__(self) -> None:
        self.pipelines: list[Any] = []


_stack = _Stack()


def current_pipeline() -> Any:
    """The pipeline that is being defined, or None."""
    return _stack.pipelines[-1] if _stack.pipelines else None


def current_scope() -> Scope:
    """The scope of the pipeline that is being defined, else DETACHED."""
    pipeline = current_pipeline()
    return DETACHED if pipeline is None else pipeline._definition.scope


def push_pipeline(pipeline: Any) -> None:
    """Makes a pipeline the current one, until `pop_pipeline`."""
    _stack.pipelines.append(pipeline)
    defining.define = DataNode.define_call


def pop_pipeline() -> None:
    """Makes the pipeline before it current again."""
    _stack.pipelines.pop()
    if not _stack.pipelines:
        defining.define = None
