"""Figures of ops.py as tables: in the terminal and in docs/op_speed.md."""

from __future__ import annotations

import statistics
from typing import NamedTuple

from report import ROOT, machine, markdown_table, times

NOISE = 0.05
MEDIAN_GOAL = 1.5
HEADER = ("operator", "call", "penstock ms", "x DALI", "CPU x plain", "roofline", "verdict")
# Calls that take less are mostly the call itself.
WORK_SECONDS = 1e-3
FURTHEST = 20


class Line(NamedTuple):
    """One case: seconds of each, as far as they could be measured; `error` is what penstock failed with.

    `ours` and `dali` are wall-clock times on several threads, `ours_cpu` and `plain_cpu` CPU times on one. `memory` is
    the time that a copy of as many bytes takes on several threads.
    """

    family: str
    operator: str
    call: str
    ours: float | None = None
    dali: float | None = None
    ours_cpu: float | None = None
    plain_cpu: float | None = None
    error: str = ""
    memory: float | None = None

    @property
    def roofline(self) -> float | None:
        """How near the call is to what memory allows, which is 1; more where its data stays in the caches."""
        return self.memory / self.ours if self.ours and self.memory else None

    @property
    def ratio(self) -> float | None:
        """How many times faster than DALI."""
        return self.dali / self.ours if self.ours and self.dali else None

    @property
    def cpu_ratio(self) -> float | None:
        """How many times less CPU time than the plain expression."""
        return self.plain_cpu / self.ours_cpu if self.ours_cpu and self.plain_cpu else None

    @property
    def verdict(self) -> str:
        if self.error:
            return "fails"
        ratios = {"DALI": self.ratio, "plain": self.cpu_ratio}
        slower = [name for name, ratio in ratios.items() if ratio is not None and ratio < 1 - NOISE]
        return f"slower than {' and '.join(slower)}" if slower else "ok"


def cells(line: Line) -> tuple[str, ...]:
    ours = "" if line.ours is None else f"{1e3 * line.ours:.0f}" if line.ours >= 0.1 else f"{1e3 * line.ours:.3g}"
    roofline = "" if line.roofline is None else f"{line.roofline:.0%}"
    return line.operator, line.call, ours, times(line.ratio), times(line.cpu_ratio), roofline, line.verdict


def as_text(line: Line) -> str:
    operator, call, ours, ratio, cpu_ratio, roofline, verdict = cells(line)
    error = f"\n    {line.error}" if line.error else ""
    shown = call if len(call) <= 70 else call[:69] + "…"
    return f"{operator:<28} {shown:<70} {ours:>8} {ratio:>8} {cpu_ratio:>8} {roofline:>6}  {verdict}{error}"


def medians(lines: list[Line]) -> list[tuple[str, ...]]:
    """The middle of the ratios, in every family and in all."""
    families = dict.fromkeys(line.family for line in lines)
    groups = {family: [line for line in lines if line.family == family] for family in families} | {"all": lines}
    return [
        (name, str(len(group)), _median([line.ratio for line in group]), _median([line.cpu_ratio for line in group]))
        for name, group in groups.items()
    ]


def _median(ratios: list[float | None]) -> str:
    known = [ratio for ratio in ratios if ratio is not None]
    return times(statistics.median(known)) if known else ""


def furthest(lines: list[Line]) -> list[Line]:
    """The calls that are furthest from what memory allows."""
    working = [line for line in lines if line.roofline is not None and line.ours and line.ours >= WORK_SECONDS]
    return sorted(working, key=lambda line: line.roofline or 0)[:FURTHEST]


def _rows(lines: list[Line]) -> list[tuple[str, ...]]:
    return [(operator, f"`{call}`", *rest) for operator, call, *rest in map(cells, lines)]


def write(lines: list[Line], threads: int, bandwidth: float) -> None:
    """Writes docs/op_speed.md; `bandwidth` is what a copy moves, in bytes a second."""
    slower = [line for line in lines if line.verdict != "ok"]
    (ROOT / "docs/op_speed.md").write_text(
        f"""<!-- Written by `make bench-ops`: edit benchmarks/op_report.py. -->

# Speed of the operators

Written by `make bench-ops` (benchmarks/ops.py) on {machine()}.
Every call runs in penstock and in DALI 2.4.0, {threads} threads each, in turns; the best round of each counts, and a
ratio above 1 means penstock is faster. Where DALI has the operator on GPUs only there is no ratio. *CPU x plain*
compares the CPU time of the call on one thread with that of what one would write with OpenCV or NumPy instead, also on
one thread. The inputs are made in benchmarks/op_worker.py and op_cases: `images` is a batch of 32 RGB images, 480x640.
Batches of 256 numbers have no plain figure: NumPy does them in about 1 µs, a call of an operator takes 5 to 40 µs.
`line`, `part` and `whole` have 32 MB each: arrays of 16 MB and their result would just fill a third-level cache of
32 MB, and the time of either side would tell how much of it other programs use. What is freed stays with the process
on both sides: penstock's pool keeps it, and malloc is told to. Otherwise the kernel may clear the memory of each new
array of NumPy's or OpenCV's, which takes longer than most of the calls.
*Roofline* is the time a copy of as many bytes as the call's inputs and results have would take, in parts of the time
the call takes; in this run a copy read and wrote {bandwidth / 1e9:.1f} GB/s on {threads} threads. 100% is as fast as
memory allows, and more is for data that stays in the caches.

{_summary(lines, slower)}

{markdown_table(("family", "calls", "x DALI", "CPU x plain"), medians(lines))}

{markdown_table(HEADER, _rows(lines), left=2)}

## Furthest from what memory allows

The {FURTHEST} lowest figures of *roofline* among calls of {1e3 * WORK_SECONDS:.0f} ms and more.

{markdown_table(HEADER, _rows(furthest(lines)), left=2)}
"""
    )


def _summary(lines: list[Line], slower: list[Line]) -> str:
    median = _median([line.ratio for line in lines])
    return (
        f"Of {len(lines)} calls {len(slower)} are slower than they should be by more than {NOISE:.0%}; the median is "
        f"{median} DALI's speed\n(goal: {MEDIAN_GOAL}x)."
    )
