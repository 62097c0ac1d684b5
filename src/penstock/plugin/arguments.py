"""What iterators are told, checked."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from penstock.pipeline.pipeline import Pipeline
from penstock.plugin.epochs import LastBatchPolicy


def checked_names(names: Sequence[str]) -> list[str]:
    """The names of outputs, of which no two are the same."""
    if len({*names}) != len(names):
        raise AssertionError(f"output_map names should be distinct, got {[*names]}")
    return [*names]


def listed(pipelines: Any) -> list[Pipeline]:
    """A pipeline, or several with the same batch size."""
    several = [*pipelines] if isinstance(pipelines, (list, tuple)) else [pipelines]
    if pipelines is None or not several:
        raise AssertionError("Number of provided pipelines has to be at least 1")
    sizes = [pipeline.max_batch_size for pipeline in several]
    if len({*sizes}) > 1:
        raise AssertionError(f"All pipelines should have the same batch size set, got {sizes}")
    return several


def checked_policy(policy: Any, fill: bool | None) -> LastBatchPolicy:
    """The policy, which `fill_last_batch` says in another way."""
    if fill is not None:
        warnings.warn("use last_batch_policy instead of fill_last_batch", DeprecationWarning, stacklevel=5)
        return LastBatchPolicy.FILL if fill else LastBatchPolicy.PARTIAL
    if not isinstance(policy, LastBatchPolicy):
        raise ValueError(f"Wrong type for `last_batch_policy`. Expected {LastBatchPolicy}, got {type(policy)}")
    return policy


def checked_reset(auto_reset: Any) -> bool:
    """Whether epochs follow each other without `reset`."""
    if not (auto_reset is None or isinstance(auto_reset, bool) or auto_reset in ("yes", "no")):
        raise ValueError(f"Unsupported value for `auto_reset` {auto_reset!r}; True, False, 'yes', 'no' and None are")
    return auto_reset in (True, "yes")


def check_size(pipelines: list[Pipeline], size: float, reader_name: str | None, padded: bool) -> None:
    """Refuses what does not tell how long an epoch is."""
    if reader_name is not None:
        if size != -1:
            raise AssertionError("When reader_name is provided, size should not be set")
        if padded:
            raise AssertionError("When reader_name is provided, last_batch_padded should not be set")
    elif size == 0:
        raise AssertionError("Size cannot be 0")
    elif size < 0 and len(pipelines) > 1:
        raise AssertionError("Negative size is supported only for a single pipeline")
