"""What programs find as `nvidia.dali.pickling`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def pickle_by_value(function: F) -> F:
    """Marks a callback that worker processes could not import. Here callbacks stay in the program's own process."""
    return function
