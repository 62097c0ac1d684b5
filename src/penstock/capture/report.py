"""`ndd.capture.report`: which calls a compiled loop makes ahead, and why it does not make the others ahead."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import NamedTuple

from penstock.capture.feeds import Feed
from penstock.capture.loop_plan import UncapturedCall
from penstock.capture.trace import Trace
from penstock.engine.site import Site

SOURCE = "ExternalSource"


class Entry(NamedTuple):
    """A call of the loop; `reason` says why it is not captured."""

    operator: str
    site: Site
    captured: bool
    reason: str = ""

    def __str__(self) -> str:
        file = self.site.code.co_filename
        return f"{self.operator} at {file}:{self.site.line}" + (f": {self.reason}" if self.reason else "")


class Report(tuple[Entry, ...]):
    """The calls of a loop in the order they were first made; its text is a list of them, one call to a line."""

    __slots__ = ()

    @property
    def captured(self) -> list[Entry]:
        return [entry for entry in self if entry.captured]

    @property
    def not_captured(self) -> list[Entry]:
        return [entry for entry in self if not entry.captured]

    def __str__(self) -> str:
        return "\n".join([*_section("captured", self.captured), *_section("not captured", self.not_captured)])

    __repr__ = __str__


def _section(title: str, entries: Iterable[Entry]) -> list[str]:
    lines = [f"  {entry}" for entry in entries]
    return [f"{title}:", *(lines or ["  nothing"])]


def report_of(trace: Trace, feeds: Iterable[Feed]) -> Report:
    captured = [Entry(node.op.path, node.site, True) for node in trace.planned]
    if captured:  # otherwise nothing is made ahead
        captured = [*(Entry(SOURCE, feed.site, True) for feed in feeds), *captured]
    known = {(entry.operator, entry.site) for entry in captured}
    refused: list[UncapturedCall] = [each for each in trace.refused.values() if each[:2] not in known]
    return Report([*captured, *(Entry(each.operator, each.site, False, each.reason) for each in refused)])


class _Latest(threading.local):
    """The trace of the loop that this thread has run last. It does not keep the loop itself alive."""

    traced: tuple[Trace, Iterable[Feed]] | None = None


latest = _Latest()


def report() -> Report:
    """Lists the calls that this thread's compiled loop makes ahead and those it does not; the last loop if none runs.

    Example:
        >>> print(ndd.capture.report())
        captured:
          decoders.image at train.py:8
          resize at train.py:9
        not captured:
          rotate at train.py:10: angle changed from one step to the next
    """
    if latest.traced is None:
        raise RuntimeError("no loop of this thread was compiled; next_epoch(batch_size=..., compile=True) does")
    return report_of(*latest.traced)
