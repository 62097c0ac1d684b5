"""penstock profile script.py: runs a script and reports where its time went."""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path

import penstock.dynamic as ndd
from penstock.cli.script import add_script, refusal, run_script
from penstock.profiling.profile import Profile

HELP = "run a script and report where its time goes"

_STATUS_SECONDS = 0.5


def arguments(parser: argparse.ArgumentParser) -> None:
    add_script(parser)
    parser.add_argument(
        "--out", type=Path, default=Path("profile.html"), metavar="FILE", help="(default: profile.html)"
    )
    parser.add_argument("--trace", type=Path, metavar="FILE", help="also write a trace for ui.perfetto.dev")


def run(given: argparse.Namespace) -> int:
    """Prints the summary and writes the report to `out`, also where the script fails: its exception goes on."""
    refused = refusal(given, given.out, (".html",))
    if refused is not None:
        print(f"penstock profile: {refused}", file=sys.stderr)
        return 1
    profile = ndd.profile(given.script.name)
    try:
        with profile, _Status(profile):
            run_script(given)
    finally:
        _report(profile, given.out, given.trace)
    return 0


def _report(profile: Profile, out: Path, trace: Path | None) -> None:
    profile.html(out)
    print(f"\n{profile}\n\n{out}")
    if trace is not None:
        profile.trace(trace)
        print(trace)


class _Status:
    """A line at the bottom of the terminal that tells how the script is doing; nothing elsewhere."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> None:
        if sys.stderr.isatty():
            self._thread = threading.Thread(target=self._show, name="penstock-status", daemon=True)
            self._thread.start()

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            sys.stderr.write("\r\x1b[K")

    def _show(self) -> None:
        while not self._ended.wait(_STATUS_SECONDS):
            sys.stderr.write(f"\r\x1b[K{status(self._profile)}")
            sys.stderr.flush()


def status(profile: Profile) -> str:
    """Returns how a program is doing, in one line."""
    totals = profile.totals
    heaviest = totals.heaviest_first
    parts = [
        f"{totals.samples:,} samples",
        f"{totals.samples_per_second:,.0f}/s",
        f"input wait {totals.wait_share:.0%}",
        f"threads idle {totals.idle_share:.0%}",
    ]
    parts += [f"queue {queue.ready / max(queue.takes, 1):.1f}/{queue.depth}" for queue in totals.queues[-1:]]
    parts += [f"most time: {heaviest[0].operator}"] if heaviest else []
    return "  ".join(parts)
