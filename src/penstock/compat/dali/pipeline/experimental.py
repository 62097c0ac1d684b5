"""What programs find as `nvidia.dali.pipeline.experimental`."""

from __future__ import annotations

from typing import Any

from penstock.pipeline import pipeline_def as _definition


def pipeline_def(fn: Any = None, *, debug: bool = False, **options: Any) -> Any:
    """As `penstock.pipeline_def`. Errors name the line of a pipeline that they come from with and without `debug`."""
    return _definition.pipeline_def(fn, **options) if fn is not None else _definition.pipeline_def(**options)
