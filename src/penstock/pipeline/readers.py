"""The readers of fn: each asks its reader class in every iteration."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

from penstock.engine.site import here
from penstock.pipeline.definition import Definition, register
from penstock.pipeline.sources import ReaderSource
from penstock.readers.reader import Reader

READERS = {
    "readers.file": "penstock.readers.file:File",
    "readers.mxnet": "penstock.readers.mxnet:MXNet",
    "readers.nemo_asr": "penstock.readers.nemo:NemoAsr",
    "readers.tfrecord": "penstock.readers.tfrecord:TFRecord",
    "readers.webdataset": "penstock.readers.webdataset:Webdataset",
    "readers.zip": "penstock.readers.zip:Zip",
}
_OF_PIPELINES = ("bytes_per_sample_hint", "preserve", "device", "name")


def reader_function(path: str) -> Callable[..., Any]:
    """The function of a reader, by its public name such as "readers.file"."""
    module, _, name = READERS[path].partition(":")
    kind: type[Reader] = getattr(importlib.import_module(module), name)

    def call(**keywords: Any) -> Any:
        name, device = keywords.pop("name", None), keywords.pop("device", None)
        given = {key: value for key, value in keywords.items() if key not in _OF_PIPELINES}
        source = ReaderSource(path, kind, {**given, "device": device or "cpu"})
        definition = Definition(source, name, here(), source.reader.output_count)
        definition.takes_seed = True
        register(definition, given.get("seed"))
        names = source.reader.output_names
        if names is not None:
            return dict(zip(names, definition.outputs, strict=True))
        return definition.outputs[0] if len(definition.outputs) == 1 else definition.outputs

    call.__name__ = call.__qualname__ = path.rsplit(".", 1)[-1]
    call.__module__ = "penstock.fn.readers"
    call.__doc__ = kind.__doc__
    call.__signature__ = inspect.signature(kind)  # type: ignore[attr-defined]
    return call
