"""The declarative face: pipelines that are defined once and run ahead of the program.

from penstock.pipeline import Pipeline, pipeline_def, do_not_convert, DataNode, experimental
"""

import importlib
from typing import Any

from penstock.pipeline.definition import call_definition  # noqa: F401  gives DataNode its arithmetic and indexing

_PLACES = {
    "DataNode": "penstock.pipeline.definition.data_node",
    "OperatorConcurrency": "penstock.pipeline.options",
    "Pipeline": "penstock.pipeline.pipeline",
    "PipelineAPIType": "penstock.values.enums",
    "StreamPolicy": "penstock.pipeline.options",
    "do_not_convert": "penstock.pipeline.conditionals.function_conversion",
    "pipeline_def": "penstock.pipeline.definition.pipeline_function",
}


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(importlib.import_module(_PLACES[name]), name)
    if name == "experimental":
        return importlib.import_module("penstock.pipeline.experimental")
    raise AttributeError(f"module 'penstock.pipeline' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES, "experimental"})
