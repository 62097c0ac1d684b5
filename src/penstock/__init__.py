"""Penstock feeds models: data loading and pre-processing for deep learning.

    import penstock.dynamic as ndd                 # imperative: a plain Python loop
    from penstock import pipeline_def, fn, ops, types  # declarative: a pipeline defined once

Each part is imported when it is first used.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

_PLACES = {
    "DataNode": "penstock.pipeline.definition.data_node",
    "OperatorConcurrency": "penstock.pipeline.options",
    "Pipeline": "penstock.pipeline.pipeline",
    "StreamPolicy": "penstock.pipeline.options",
    "newaxis": "penstock.pipeline.definition.data_node",
    "pipeline_def": "penstock.pipeline.definition.pipeline_function",
}
_MODULES = (
    "auto_aug",
    "compat",
    "dynamic",
    "events",
    "fn",
    "math",
    "ops",
    "pipeline",
    "plugin",
    "tfrecord",
    "torch",
    "types",
)


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(importlib.import_module(_PLACES[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"penstock.{name}")
    raise AttributeError(f"module 'penstock' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES, *_MODULES})
