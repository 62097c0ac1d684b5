"""Background threads."""

from __future__ import annotations

import inspect
import re
import threading

import pytest

import penstock.dynamic
import penstock.engine.lookahead
import penstock.engine.program.run_ahead  # noqa: F401
from penstock.engine.background import BackgroundThread


def every_thread(kind: type = BackgroundThread) -> list[type]:
    return [each for child in kind.__subclasses__() for each in (child, *every_thread(child))]


@pytest.mark.parametrize("thread", every_thread(), ids=lambda thread: thread.__qualname__)
def test_threads_leave_the_attributes_of_thread_alone(thread: type) -> None:
    """Python 3.14 added _context, which the worker of eager calls had, too: it ended as soon as it began."""
    own = {*re.findall(r"self\.(\w+)(?:: [^=]+)? = ", inspect.getsource(thread))}
    assert own & {"_context", *vars(threading.Thread())} == set()
