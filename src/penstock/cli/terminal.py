"""Plain text output that reads well in a terminal and in a log file."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

_REDRAW_SECONDS = 0.1


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns under their names: the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        rest = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
        return "  ".join(["", cells[0].ljust(widths[0]), *rest]).rstrip()

    return "\n".join([line(header), line(["-" * width for width in widths]), *map(line, rows)])


class Progress:
    """A bar that redraws itself in a terminal; into a file nothing is written."""

    def __init__(self, total: int, unit: str) -> None:
        self._total = total
        self._unit = unit
        self._shown = sys.stderr.isatty()
        self._started = self._drawn = time.perf_counter()

    def show(self, done: int) -> None:
        now = time.perf_counter()
        if not self._shown or (now - self._drawn < _REDRAW_SECONDS and done < self._total):
            return
        self._drawn = now
        filled = "█" * (30 * done // self._total)
        rate = done / (now - self._started)
        sys.stderr.write(f"\r  {filled:░<30} {done}/{self._total} {self._unit}  {rate:,.0f}/s ")
        sys.stderr.flush()

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
