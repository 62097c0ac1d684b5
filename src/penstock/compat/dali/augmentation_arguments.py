"""What programs find as `nvidia.dali.auto_aug.core._args`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from penstock.auto_aug.core.augmentation import Augmentation, MissingArgException, UnusedArgException, forbid_unused

__all__ = [
    "MissingArgException",
    "UnusedArgException",
    "filter_extra_accepted_kwargs",
    "filter_unused_args",
    "forbid_unused_kwargs",
    "get_missing_kwargs",
    "get_num_positional_args",
    "get_required_kwargs",
]


def filter_unused_args(augmentations: Sequence[Augmentation], kwargs: Mapping[str, Any]) -> list[str]:
    """The arguments that none of the augmentations takes."""
    return [name for name in kwargs if not any(name in each.accepted for each in augmentations)]


def forbid_unused_kwargs(augmentations: Sequence[Augmentation], kwargs: Mapping[str, Any], call_name: str) -> None:
    """Refuses arguments that none of the augmentations takes."""
    forbid_unused(augmentations, kwargs, call_name)


def filter_extra_accepted_kwargs(
    fun: Callable[..., Any], kwargs: Mapping[str, Any], skip_positional: int = 0
) -> dict[str, Any]:
    """Those of the arguments that a function takes by name; its first ones may be left out."""
    named = {each.name for each in _named(fun, skip_positional)}
    return {name: value for name, value in kwargs.items() if name in named}


def get_required_kwargs(fun: Callable[..., Any], skip_positional: int = 0) -> list[str]:
    """The names of arguments that have no default."""
    return [each.name for each in _named(fun, skip_positional) if each.default is each.empty]


def get_missing_kwargs(fun: Callable[..., Any], kwargs: Mapping[str, Any], skip_positional: int = 0) -> list[str]:
    """The names of arguments that have no default and are not given."""
    return [name for name in get_required_kwargs(fun, skip_positional) if name not in kwargs]


def get_num_positional_args(fun: Callable[..., Any]) -> int:
    """How many arguments a function takes by position."""
    return len(_positional(fun))


def _named(fun: Callable[..., Any], skip_positional: int) -> list[inspect.Parameter]:
    by_name = [each for each in inspect.signature(fun).parameters.values() if each.kind is each.KEYWORD_ONLY]
    left = [each for each in _positional(fun)[skip_positional:] if each.kind is not each.POSITIONAL_ONLY]
    return [*left, *by_name]


def _positional(fun: Callable[..., Any]) -> list[inspect.Parameter]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [each for each in inspect.signature(fun).parameters.values() if each.kind in kinds]
