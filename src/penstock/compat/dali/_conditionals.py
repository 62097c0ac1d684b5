"""What programs find as `nvidia.dali._conditionals`."""

from __future__ import annotations

import sys
from types import FrameType

from penstock.pipeline.conditionals.branches import current_branch
from penstock.pipeline.conditionals.rewritten import is_rewritten

__all__ = ["conditionals_enabled", "this_condition_stack"]


class ConditionStack:
    """How many `if` statements the line that is being run is in."""

    def stack_depth(self) -> int:
        """One more than there are."""
        depth, branch = 1, current_branch()
        while branch is not None:
            depth, branch = depth + 1, branch.conditional.outer
        return depth


def conditionals_enabled() -> bool:
    """Whether a pipeline with `enable_conditionals=True` is being defined by a caller of this function."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if is_rewritten(frame.f_code):
            return True
        frame = frame.f_back
    return False


def this_condition_stack() -> ConditionStack:
    """That of the pipeline that is being defined."""
    return ConditionStack()
