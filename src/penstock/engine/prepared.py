"""What a call with certain arguments comes to."""

from __future__ import annotations

from typing import Any

from penstock._native import Step
from penstock.values.spec import Spec


class Prepared:
    """What a call with these arguments and inputs of these specs comes to. Never changed once made."""

    __slots__ = ("arguments", "specs", "step")

    def __init__(self, arguments: dict[str, Any], specs: tuple[Spec, ...]) -> None:
        self.arguments = arguments
        self.specs = specs
        self.step: Step | None = None  # for calls whose step depends on nothing else
