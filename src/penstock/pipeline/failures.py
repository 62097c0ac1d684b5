"""Errors of a pipeline: which operator or source, where it was defined, and what it says."""

from __future__ import annotations

from penstock.engine.errors import add_note
from penstock.pipeline.call_definition import Definition


def of_operator(error: BaseException) -> BaseException:
    """The error of an iteration as the program gets it: of the same type, telling that a pipeline failed."""
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
    """An error of a callback, a reader or fed data: as it is, with the place where the source was defined."""
    if not getattr(error, "_penstock_source", False):
        add_note(error, f"in {source.path} {source.name!r}, defined at {source.site.describe()}")
        error._penstock_source = True  # type: ignore[attr-defined]
    return error
