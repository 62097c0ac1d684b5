"""A profile as plain text, for a terminal or a log."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.profiling.advice import advice, milliseconds, verdict
from penstock.profiling.totals import ReaderTotal, Totals
from penstock.viz.pixels import bytes_text

_MOST_STEPS, _MOST_WAITS, _MOST_SLOW = 12, 3, 5


def text(totals: Totals) -> str:
    """Returns verdict, advice and the tables."""
    lines = [verdict(totals), *(f"  → {each}" for each in advice(totals)), ""]
    lines += _overview(totals)
    if totals.steps:
        lines += ["", *_steps(totals)]
    for reader in totals.readers:
        lines.append(f"reader   {reader.name} {reader.place}: {reader_line(reader)}")
    for queue in totals.queues:
        taken = max(queue.takes, 1)
        lines.append(
            f"queue    {queue.name}: {queue.ready / taken:.1f} of {queue.depth} ready, empty {queue.empty / taken:.0%} "
            f"of the times, waited for {milliseconds(queue.waited / taken)}"
        )
    if totals.slowest:
        lines.append("slowest samples")
        for slow in totals.slowest[:_MOST_SLOW]:
            lines.append(f"  {milliseconds(slow.seconds):>8}  {slow.source}  ({' + '.join(slow.operators)})")
    return "\n".join(lines)


def reader_line(reader: ReaderTotal) -> str:
    """Returns what a reader did, in one line."""
    seconds = max(reader.seconds, 1e-9)
    cache = f", {reader.cached} of {reader.cached + reader.fetched} from the cache" if reader.fetched else ""
    if reader.cached and not reader.fetched:
        cache = ", all from the cache"
    return (
        f"{reader.samples:,} samples, {bytes_text(reader.bytes)} at {bytes_text(reader.bytes / seconds)}/s, "
        f"I/O wait {reader.waited / seconds:.0%}{cache}"
    )


def _overview(totals: Totals) -> list[str]:
    counted = f"{totals.samples:,} samples in {totals.batches:,} batches" if totals.batches else "no batches"
    lines = [f"speed    {totals.samples_per_second:,.0f} samples/s: {counted}, {totals.seconds:.2f} s"]
    waits = [
        f"{wait.seconds / totals.seconds:.0%} for {wait.what} at {wait.place}" for wait in totals.waits[:_MOST_WAITS]
    ]
    lines.append(f"program  waited {totals.wait_share:.0%}" + (f": {', '.join(waits)}" if waits else ""))
    lines.append(
        f"threads  {totals.pool_threads}, busy {1 - totals.idle_share:.0%}, idle {totals.idle_share:.0%}; "
        f"the process used {totals.cpu_share:.0%} of {totals.cores} CPUs"
    )
    lines.append(f"memory   arena up to {bytes_text(totals.arena_peak)}, process up to {bytes_text(totals.peak_bytes)}")
    return lines


def _steps(totals: Totals) -> list[str]:
    rows = [
        (
            step.operator,
            step.place,
            step.way,
            f"{totals.share([step]):.0%}",
            milliseconds(step.seconds / max(step.samples, 1)),
            milliseconds(step.cpu / max(step.samples, 1)),
        )
        for step in totals.heaviest_first[:_MOST_STEPS]
    ]
    return _table(
        ("step", "line", "way", "CPU share" if totals.is_contended else "share", "per sample", "CPU"), rows, left=3
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> list[str]:
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    return [line(head), *map(line, rows)]
