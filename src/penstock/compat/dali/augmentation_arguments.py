"""What programs find as `nvidia.dali.auto_aug.core._args`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from penstock.auto_aug.core.declared import Augmentation, MissingArgException, UnusedArgException, forbid_unused

__all__ = ["MissingArgException", "UnusedArgException", "filter_unused_args", "forbid_unused_kwargs"]


def filter_unused_args(augmentations: Sequence[Augmentation], kwargs: Mapping[str, Any]) -> list[str]:
    """The arguments that none of the augmentations takes."""
    return [name for name in kwargs if not any(name in each.accepted for each in augmentations)]


def forbid_unused_kwargs(augmentations: Sequence[Augmentation], kwargs: Mapping[str, Any], call_name: str) -> None:
    """Refuses arguments that none of the augmentations takes."""
    forbid_unused(augmentations, kwargs, call_name)
