"""What programs find as `nvidia.dali`. The version is the one whose interface penstock has."""

import importlib
from typing import Any

import penstock
from penstock.compat.aliases import DALI

__version__ = "2.4.0"

_MODULES = (
    "_autograph", "_conditionals", "_typing", "_utils", "auto_aug", "backend", "backend_impl", "data_node", "dynamic",
    "experimental", "external_source", "fn", "internal", "math", "ops", "pickling", "pipeline", "plugin",
    "plugin_manager", "python_function_plugin", "reducers", "sysconfig", "tensors", "tfrecord", "types",
)  # fmt: skip
_OF_PENSTOCK = ("OperatorConcurrency", "Pipeline", "StreamPolicy", "newaxis", "pipeline_def")


def __getattr__(name: str) -> Any:
    if name in _OF_PENSTOCK:
        return getattr(penstock, name)
    if name not in _MODULES:
        raise AttributeError(f"module {DALI!r} has no attribute {name!r}")
    return importlib.import_module(f"{DALI}.{name}")  # by this name, so that it gets what programs look for in it


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_OF_PENSTOCK})
