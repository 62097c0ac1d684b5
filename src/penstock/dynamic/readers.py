"""ndd.readers: readers that hand out Batches and Tensors. Each is imported when it is first asked for."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from penstock import readers as _readers
from penstock._native import ValueClass
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.engine.context import EvalContext
from penstock.readers.core.reader import Batches
from penstock.readers.core.reader import Reader as _Reader
from penstock.readers.core.sample_source import BadSample as BadSample
from penstock.readers.core.sample_source import Outputs
from penstock.readers.core.state import reshard as reshard
from penstock.storage import Storage as Storage

# Readers that are more than the one of penstock.readers with the outputs of ndd, and their files.
_WRITTEN = {
    "Numpy": "numpy_reader", "Sequence": "video_readers", "Video": "video_readers", "VideoResize": "video_readers",
}  # fmt: skip
_OTHERS = {"BadSample", "Reader", "Storage", "reshard"}
__all__ = sorted({*_readers.READERS, *_WRITTEN, *_OTHERS} - _readers.EXPERIMENTAL)

_TENSOR, _BATCH = ValueClass(Tensor), ValueClass(Batch)


class Reader(_Reader):
    """Base of the readers of ndd."""

    _loop: Any = None

    def _stop_reading(self) -> None:
        if self._loop is not None:
            self._loop.let_go()
            self._loop = None
        super()._stop_reading()

    def _compiled_epoch(self, epoch: Batches, batch_size: int, ctx: Any, strict: bool) -> Iterator[Any]:
        if self._loop is None:
            loops = importlib.import_module("penstock.capture.loop")
            self._loop = loops.Loop(type(self).__name__, batch_size, self._options.prefetch_queue_depth)
        running: Iterator[Any] = self._loop.run(epoch(self._loop.take), ctx or EvalContext.current(), strict)
        return running

    def _as_outputs(self, outputs: Outputs, single: bool) -> Any:
        captured = None if self._loop is None else self._loop.as_outputs(outputs)
        if captured is not None:
            return captured
        return (_TENSOR if single else _BATCH).of_outputs(outputs)


if TYPE_CHECKING:
    from penstock.dynamic._signatures.readers import *


def of_ndd(name: str, module: str) -> type[Reader]:
    """The reader of that name in penstock.readers, as a class of `module` that hands out what ndd calculates with."""
    made: type[Reader] = type(name, (getattr(_readers, name), Reader), {"__module__": module})
    return made


def __getattr__(name: str) -> Any:
    if name not in __all__:
        _refuse(name)
    if name in _WRITTEN:
        found = getattr(importlib.import_module(f"penstock.dynamic.sources.{_WRITTEN[name]}"), name)
    else:
        found = of_ndd(name, __name__)
    return globals().setdefault(name, found)  # one class, whichever thread was the first


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _refuse(name: str) -> None:
    known = [each for each in __all__ if each not in _OTHERS]
    close = [each for each in known if each.lower() == name.lower()] or difflib.get_close_matches(name, known, 1)
    hint = f"; did you mean ndd.readers.{close[0]}(...)? Readers are classes" if close else ""
    from penstock.ops.known_elsewhere import CALLED_HERE, plain_name  # which only errors need

    meant = CALLED_HERE.get(plain_name(name))
    if meant is not None and "ndd.readers" in meant:
        hint = f"; did you mean {meant}?"
    raise AttributeError(f"module 'ndd.readers' has no attribute {name!r}{hint}")
