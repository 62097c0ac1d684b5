"""Errors of a pipeline, with the operator or source that they come from."""

from __future__ import annotations

from penstock.engine.errors import add_note
from penstock.pipeline.definition.call_definition import Definition


def of_operator(error: BaseException) -> BaseException:
    """Adds to the message of an operator's error, once, that a pipeline failed and in which operator."""
    path = getattr(error, "_penstock_call", None)
    if path is None or getattr(error, "_penstock_pipeline", False):
        return error
    if error.args and isinstance(error.args[0], str):
        module = "" if path.startswith("plugin.") else "fn."
        head = f"Critical error in pipeline:\nError in CPU operator `nvidia.dali.{module}{path}`,\nencountered:\n\n"
        error.args = (head + error.args[0], *error.args[1:])
    error._penstock_pipeline = True  # type: ignore[attr-defined]
    return error


def of_source(error: BaseException, source: Definition) -> BaseException:
    """Adds a note to an error of a callback, a reader or fed data, once: the line that defined the source."""
    if not getattr(error, "_penstock_source", False):
        add_note(error, f"in {source.path} {source.name!r}, defined at {source.site.describe()}")
        error._penstock_source = True  # type: ignore[attr-defined]
    return error
