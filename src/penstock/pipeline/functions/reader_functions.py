"""The reader functions of fn: each adds a source that reads a batch in every iteration."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable
from typing import Any

from penstock import readers
from penstock.engine.site import here
from penstock.pipeline.definition.call_definition import Definition, register
from penstock.pipeline.definition.devices import checked_device
from penstock.pipeline.functions.input_count import check_count
from penstock.pipeline.functions.numpy_regions import calculated_bounds, numpy_of_regions
from penstock.pipeline.sources.source import ReaderSource
from penstock.readers.core.reader import Reader, outputs_of
from penstock.schema.argument_copy import copy_argument
from penstock.schema.class_names import schema_name

# Readers of videos are imported by the programs that use them.
_OF_VIDEOS = {
    "experimental.readers.video": "penstock.readers.video.video:ExperimentalVideo",
    "readers.sequence": "penstock.readers.video.sequence:Sequence",
    "readers.video": "penstock.readers.video.video:Video",
}


def _path(name: str) -> str:
    """ "readers.nemo_asr" of NemoAsr."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return f"experimental.readers.{words}" if name in readers.EXPERIMENTAL else f"readers.{words}"


READERS = {**{_path(name): f"penstock.readers:{name}" for name in readers.READERS}, **_OF_VIDEOS}
_OF_PIPELINES = ("bytes_per_sample_hint", "preserve", "device", "name")


def reader_kind(path: str) -> type[Reader]:
    """The class of a reader, by its public name; imported on first use."""
    module, _, name = READERS[path].partition(":")
    kind: type[Reader] = getattr(importlib.import_module(module), name)
    return kind


def reader_function(path: str) -> Callable[..., Any]:
    """The function of a reader, by its public name such as "readers.file"."""
    kind = reader_kind(path)

    signature = inspect.signature(kind)

    def call(*inputs: Any, **keywords: Any) -> Any:
        check_count(path, inputs, 0, 0)
        for keyword in keywords:
            if keyword not in signature.parameters and keyword not in _OF_PIPELINES and keywords[keyword] is not None:
                raise KeyError(f'Argument "{keyword}" is not defined for operator "{schema_name(path)}".')
        name, device = keywords.pop("name", None), checked_device(keywords.pop("device", None))
        given = {
            key: copy_argument(value)
            for key, value in keywords.items()
            if key not in _OF_PIPELINES and value is not None
        }
        given = {**given, "device": "cpu"}
        bounds = calculated_bounds(path, given)
        if bounds:
            return numpy_of_regions(path, given, name, device, bounds)
        source = ReaderSource(path, kind, given)
        count, names = outputs_of(source.reader)
        definition = Definition(source, name, here(), count, device)
        definition.takes_seed = True
        register(definition, given.get("seed"))
        if names is not None:
            return dict(zip(names, definition.outputs, strict=True))
        return definition.outputs[0] if len(definition.outputs) == 1 else definition.outputs

    call.__name__ = call.__qualname__ = path.rsplit(".", 1)[-1]
    call.__module__ = "penstock.fn.readers"
    call.__doc__ = kind.__doc__
    call.__signature__ = signature  # type: ignore[attr-defined]
    return call
