"""ndd.checkpoint: stop a run and go on later at exactly the next sample."""

from penstock.engine.checkpoint import Checkpoint
from penstock.engine.context import EvalContext

__all__ = ["Checkpoint", "current"]


def current() -> Checkpoint:
    """The checkpoint of the current evaluation context."""
    return EvalContext.current().checkpoint
