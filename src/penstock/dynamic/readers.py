"""ndd.readers: readers that hand out Batches and Tensors."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.dynamic.batch import Batch
from penstock.dynamic.tensor import Tensor
from penstock.engine.context import EvalContext
from penstock.readers.caffe import Caffe as _Caffe
from penstock.readers.caffe import Caffe2 as _Caffe2
from penstock.readers.coco import COCO as _COCO
from penstock.readers.file import File as _File
from penstock.readers.mxnet import MXNet as _MXNet
from penstock.readers.nemo import NemoAsr as _NemoAsr
from penstock.readers.numpy import Numpy as _Numpy
from penstock.readers.parquet import Parquet as _Parquet
from penstock.readers.reader import Reader as _Reader
from penstock.readers.source import BadSample, Outputs
from penstock.readers.state import reshard
from penstock.readers.tfrecord import TFRecord as _TFRecord
from penstock.readers.webdataset import Webdataset as _Webdataset
from penstock.readers.zip import Zip as _Zip
from penstock.storage import Storage

if TYPE_CHECKING:
    from penstock.dynamic.video_readers import Sequence, Video, VideoResize

__all__ = [
    "COCO", "BadSample", "Caffe", "Caffe2", "File", "MXNet", "NemoAsr", "Numpy", "Parquet", "Reader", "Sequence",
    "Storage", "TFRecord", "Video", "VideoResize", "Webdataset", "Zip", "reshard",
]  # fmt: skip

_OF_VIDEOS = ("Sequence", "Video", "VideoResize")  # imported by the programs that use them


class Reader(_Reader):
    """Base of the readers of ndd."""

    _loop: Any = None

    def compiled_epoch(self, batch_size: int, ctx: Any, strict: bool) -> Iterator[Any]:
        if self._loop is None:
            loops = importlib.import_module("penstock.capture.loop")
            self._loop = loops.Loop(type(self).__name__, batch_size, self._options.prefetch_queue_depth)
        epoch = self._iterate(batch_size, self._loop.take)
        running: Iterator[Any] = self._loop.run(epoch, ctx or EvalContext.current(), strict)
        return running

    def as_outputs(self, outputs: Outputs, single: bool) -> Any:
        if self._loop is not None and self._loop.is_given(outputs):
            return self._loop.as_outputs(outputs, single)
        if single:
            return tuple(Tensor._of_samples(samples) for samples in outputs)
        return tuple(Batch._of_samples(samples) for samples in outputs)


class COCO(_COCO, Reader):
    pass


class Caffe(_Caffe, Reader):
    pass


class Caffe2(_Caffe2, Reader):
    pass


class File(_File, Reader):
    pass


class MXNet(_MXNet, Reader):
    pass


class NemoAsr(_NemoAsr, Reader):
    pass


class Numpy(_Numpy, Reader):
    def __init__(self, *by_position: Any, **arguments: Any) -> None:
        if any(isinstance(value, Batch) for value in arguments.values()):
            raise ValueError("Readers cannot be constructed with batch keyword arguments")
        super().__init__(*by_position, **arguments)

    def __call__(self, *, batch_size: int | None = None, **bounds: Any) -> Any:
        rows = {name: _rows(name, value) if isinstance(value, Batch) else value for name, value in bounds.items()}
        return super().__call__(batch_size=batch_size, **rows)


class Parquet(_Parquet, Reader):
    pass


class TFRecord(_TFRecord, Reader):
    pass


class Webdataset(_Webdataset, Reader):
    pass


class Zip(_Zip, Reader):
    pass


def _rows(name: str, bounds: Batch) -> list[Any]:
    """A row of numbers for each sample of a batch of bounds."""
    rows = [np.atleast_1d(np.asarray(each)) for each in bounds]
    if len({row.shape for row in rows}) > 1:
        raise RuntimeError(f'Argument "{name}" must have equally many values for all samples of a batch')
    return rows


def __getattr__(name: str) -> Any:
    if name in _OF_VIDEOS:
        return getattr(importlib.import_module("penstock.dynamic.video_readers"), name)
    readers = [known for known in __all__ if known not in ("BadSample", "Reader", "Storage", "reshard")]
    close = [known for known in readers if known.lower() == name.lower()] or difflib.get_close_matches(name, readers, 1)
    hint = f"; did you mean ndd.readers.{close[0]}(...)? Readers are classes" if close else ""
    raise AttributeError(f"module 'ndd.readers' has no attribute {name!r}{hint}")
