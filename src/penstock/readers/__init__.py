"""Where samples come from: order, shards, reading ahead, saved state, and the readers themselves."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from penstock.readers.caffe import Caffe, Caffe2
    from penstock.readers.coco import COCO
    from penstock.readers.file import File
    from penstock.readers.fits import Fits
    from penstock.readers.mxnet import MXNet
    from penstock.readers.nemo import NemoAsr
    from penstock.readers.numpy import Numpy
    from penstock.readers.parquet import Parquet
    from penstock.readers.reader import Reader
    from penstock.readers.source import BadSample
    from penstock.readers.state import ReaderState, reshard
    from penstock.readers.tfrecord import TFRecord
    from penstock.readers.webdataset import Webdataset
    from penstock.readers.zip import Zip

__all__ = [
    "COCO", "BadSample", "Caffe", "Caffe2", "File", "Fits", "MXNet", "NemoAsr", "Numpy", "Parquet", "Reader",
    "ReaderState", "TFRecord", "Webdataset", "Zip", "reshard",
]  # fmt: skip

# The readers and their files. A program uses one or two of them, and waits for the import of no others.
READERS = {
    "COCO": "coco", "Caffe": "caffe", "Caffe2": "caffe", "File": "file", "Fits": "fits", "MXNet": "mxnet",
    "NemoAsr": "nemo", "Numpy": "numpy", "Parquet": "parquet", "TFRecord": "tfrecord", "Webdataset": "webdataset",
    "Zip": "zip",
}  # fmt: skip
_HOMES = {**READERS, "BadSample": "source", "Reader": "reader", "ReaderState": "state", "reshard": "state"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found  # the next time is free
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
