"""How far long work is: a bar that redraws itself on a terminal, plain lines now and then in a log file."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TextIO

_REDRAW_SECONDS = 0.1
_LINE_SECONDS = 10.0
_BAR = 24


class Progress:
    """Shows how much of some work is done, how fast it goes and how long the rest will take.

    On a terminal a bar redraws itself ten times a second, and is gone in the end. Elsewhere a line is written every ten
    seconds, so that short work leaves nothing in a log.

    Example:
        >>> with Progress(len(files), "files", "check") as progress:
        ...     for number, file in enumerate(files, start=1):
        ...         look_at(file)
        ...         progress.show(number)

    Args:
        total: How much there is to do; None where nobody knows.
        unit: What is counted, such as "images".
        title: What is being done, written before the bar.
        file: Where it is shown; standard error by default.
    """

    def __init__(self, total: int | None, unit: str, title: str = "", file: TextIO | None = None) -> None:
        self._total = total
        self._unit = unit
        self._title = f"{title}  " if title else ""
        self._file = sys.stderr if file is None else file
        self._redraws = self._file.isatty()
        self._started = self._shown = time.perf_counter()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def show(self, done: int, also: str = "") -> None:
        """Tells how much is done by now, and more in the words of `also`. Most calls only look at the clock."""
        now = time.perf_counter()
        since = now - self._shown
        if self._redraws:
            if since >= _REDRAW_SECONDS or done == self._total:
                self._shown = now
                self._file.write(f"\r  {self._line(done, now, also)}\x1b[K")
                self._file.flush()
        elif since >= _LINE_SECONDS:
            self._shown = now
            self._file.write(f"{self._line(done, now, also)}\n")
            self._file.flush()

    def clear(self) -> None:
        """Removes the bar."""
        if self._redraws:
            self._file.write("\r\x1b[K")
            self._file.flush()

    def _line(self, done: int, now: float, also: str) -> str:
        rate = done / max(now - self._started, 1e-9)
        parts = [f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"]
        counted = f"{done:,} {self._unit}"
        if self._total:
            counted = f"{done:,}/{self._total:,} {self._unit}"
            filled = "█" * min(_BAR, _BAR * done // self._total)
            left = f"{filled:░<{_BAR}} " if self._redraws else f"{done / self._total:.0%} "
            if 0 < done < self._total:
                parts.append(f"{duration((self._total - done) / rate)} left")
        else:
            left = ""
        return f"{self._title}{left}{'  '.join([counted, *parts, *filter(None, [also])])}"


def duration(seconds: float) -> str:
    """Returns "12 s", "3:05 min" or "1:02:03 h"."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    if hours:
        return f"{hours}:{minutes:02}:{whole % 60:02} h"
    return f"{minutes}:{whole % 60:02} min" if minutes else f"{whole} s"
