"""One of several operations for every sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from penstock.pipeline.conditionals.runtime import if_, returned
from penstock.pipeline.definition.data_node import DataNode


def select(ops: Sequence[Callable[..., Any]], selected_op_idx: DataNode | int, *op_args: Any, **op_kwargs: Any) -> Any:
    """Applies to every sample the operation that a node of numbers chooses for it.

    Args:
        ops: Functions, all of which are called with `op_args` and `op_kwargs`, each on its samples.
        selected_op_idx: From 0 to `len(ops) - 1`.
    """
    if not ops:
        raise ValueError("select() needs at least one operation to choose from")
    return _selected(ops, selected_op_idx, 0, op_args, op_kwargs)


def _selected(
    ops: Sequence[Callable[..., Any]], chosen: Any, first: int, arguments: Sequence[Any], keywords: dict[str, Any]
) -> Any:
    """Halves the operations until one is left. `first` is the number of the first of them."""
    if len(ops) == 1:
        return ops[0](*arguments, **keywords)
    half = (len(ops) + 1) // 2
    return when(
        chosen < first + half,
        lambda: _selected(ops[:half], chosen, first, arguments, keywords),
        lambda: _selected(ops[half:], chosen, first + half, arguments, keywords),
    )


def when(condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """One of two results for every sample, as an `if` statement decides in pipelines with conditionals."""
    left = if_(condition, lambda: returned(then()), lambda: returned(otherwise()), (), lambda: (), lambda _: None)
    assert left is not None
    return left.value
