"""pipeline_def with a debug mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from penstock.pipeline.definition.pipeline_function import pipeline_factory
from penstock.pipeline.pipeline import Pipeline

__all__ = ["pipeline_def"]


@overload
def pipeline_def(fn: Callable[..., Any], /) -> Callable[..., Pipeline]: ...
@overload
def pipeline_def(
    fn: None = None, /, *, enable_conditionals: bool = False, debug: bool = False, **pipeline_kwargs: Any
) -> Callable[[Callable[..., Any]], Callable[..., Pipeline]]: ...
def pipeline_def(
    fn: Callable[..., Any] | None = None,
    /,
    *,
    enable_conditionals: bool = False,
    debug: bool = False,
    **pipeline_kwargs: Any,
) -> Any:
    """As `penstock.pipeline_def`, and with a debug mode.

    Args:
        enable_conditionals: `if`, `and`, `or` and `not` in the function decide for each sample.
        debug: The function is called in every `run`, and its operators run at once: nodes can be printed, turned into
            arrays with `np.asarray(node)` and looked at with `node.get()`.
    """
    options = {"enable_conditionals": enable_conditionals, "debug": debug, **pipeline_kwargs}
    return pipeline_factory(fn, options) if fn is not None else lambda function: pipeline_factory(function, options)
