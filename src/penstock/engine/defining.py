"""Whether this thread is defining a graph to be run later, which calls without its nodes are part of as well."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class Defining(threading.local):
    """`define(op, inputs, keywords)` adds a call to the pipeline that is being defined; None where there is none."""

    define: Callable[..., Any] | None = None


defining = Defining()
