"""Pipelines for inference servers, which write the one that a model's file marks to the disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from penstock.pipeline.conditionals.function_conversion import is_pipeline_def
from penstock.pipeline.pipeline import Pipeline

__all__ = ["autoserialize", "invoke_autoserialize"]

F = TypeVar("F", bound=Callable[..., Pipeline])


def autoserialize(dali_pipeline: F) -> F:
    """Marks the pipeline that a server takes from this file.

        @autoserialize
        @pipeline_def(batch_size=256, num_threads=4, device_id=None)
        def preprocessing():
            return fn.decoders.image(fn.external_source(name="jpegs"))

    Args:
        dali_pipeline: What `pipeline_def` made, to be called without arguments. There is one of them in a file.
    """
    if not is_pipeline_def(dali_pipeline):
        raise TypeError("Only `@pipeline_def` can be decorated with `@triton.autoserialize`.")
    dali_pipeline._is_autoserialize = True  # type: ignore[attr-defined]  # a name that servers look for
    return dali_pipeline


def invoke_autoserialize(head_module: ModuleType, filename: str | Path) -> None:
    """Writes the pipeline that a module, or one below it, has marked; for `Pipeline.deserialize(filename=...)`.

    Args:
        head_module: The module of a model.
        filename: Where to.
    """
    found = _marked(head_module, set())
    if len(found) != 1:
        what = f"{len(found)}: {found}" if found else "none"
        raise RuntimeError(f"Precisely one autoserialize function must exist in the module. Found {what}.")
    found[0]().serialize(filename=str(filename))


def _marked(module: ModuleType, visited: set[str]) -> list[Any]:
    if module.__name__ in visited:
        return []
    visited.add(module.__name__)
    found = []
    for value in vars(module).values():
        if getattr(value, "_is_autoserialize", False):
            found.append(value)
        elif isinstance(value, ModuleType) and value.__name__.startswith(f"{module.__name__}."):
            found += _marked(value, visited)
    return found
