"""What an error tells people."""

from __future__ import annotations


def told(error: BaseException) -> str:
    """Its message with its notes, which Python 3.10 has as a part of the message."""
    return "\n".join([str(error), *getattr(error, "__notes__", [])])
