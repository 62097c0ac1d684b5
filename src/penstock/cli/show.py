"""penstock show script.py: runs a script for one step of its loop and shows what each call does to a few samples."""

from __future__ import annotations

import argparse
import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from penstock.cli.options import positive
from penstock.cli.script import add_script, refusal, run_script
from penstock.engine.events import BatchHandedOut, Explainable, listening, watchers
from penstock.viz.steps import StepRecorder, recording
from penstock.viz.steps_page import steps_page

HELP = "run one step of a script and show its samples before and after every call"


class EnoughSeen(BaseException):
    """Ends the script once a step of its loop has been seen. Programs that catch every Exception do not catch it."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_script(parser)
    parser.add_argument("--out", type=Path, default=Path("show.html"), metavar="FILE", help="(default: show.html)")
    parser.add_argument("--samples", type=positive, default=6, metavar="N", help="how many are shown (default: 6)")
    parser.add_argument(
        "--to-end", action="store_true", help="let the script run to its end, and show the first step of all its loops"
    )


def run(given: argparse.Namespace) -> int:
    """Writes what was seen to `out`, also where the script fails: its exception goes on."""
    out: Path = given.out
    why = refusal(given, out, (".html",))
    if why is not None:
        print(f"penstock show: {why}", file=sys.stderr)
        return 1
    stopper = _Stopper(enabled=not given.to_end)
    with recording(given.samples, stopper.stop) as recorder:
        try:
            with stopper.listening():
                run_script(given)
        except EnoughSeen:
            pass
        finally:
            shown = _write(recorder, given.script, out, given.to_end)
    return 0 if shown else 1


class _Stopper:
    """Raises EnoughSeen in the thread that made it, once, when any thread sees that a step is over.

    Pipelines and compiled loops make calls of the next steps ahead: until the program has got its second batch, it is
    in its first step all the same.
    """

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled
        self._batches = 0
        self._runs_ahead = False
        self._sent = False
        self._thread = ctypes.c_ulong(threading.get_ident())
        self._lock = threading.Lock()

    def note_batch(self, batch: BatchHandedOut) -> None:
        self._batches += 1

    def note_program(self, owner: object, plan: Explainable) -> None:
        self._runs_ahead = True

    def stop(self) -> None:
        with self._lock:
            if self._enabled and (self._batches >= 2 or not (self._batches or self._runs_ahead)):
                self._enabled = False
                self._send()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Behind it nothing is raised any more."""
        watchers.append(self.note_program)
        try:
            with listening(self.note_batch, BatchHandedOut):
                yield
        finally:
            try:
                self._settle()
            finally:
                watchers.remove(self.note_program)

    def _send(self) -> None:
        self._sent = True
        ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread, ctypes.py_object(EnoughSeen))

    def _settle(self) -> None:
        """Has an exception that may be on its way arrive here.

        It cannot be taken back: CPython 3.11 then waits for it in every thread that is traced, for ever. So another one
        is sent in its place, of which one is certain to arrive.
        """
        try:
            with self._lock:
                self._enabled = False
            if self._sent:
                self._send()
                while True:
                    pass
        except EnoughSeen:
            pass


def _write(recorder: StepRecorder, script: Path, out: Path, to_end: bool) -> bool:
    if not recorder.steps:
        print(f"penstock show: {script} ran no call on images, sequences or sound", file=sys.stderr)
        return False
    more = "" if to_end else "The script was ended after one step of its loop; --to-end shows all loops."
    out.write_text(steps_page(recorder.steps, script.name, list(recorder.others), more), encoding="utf-8")
    print(out)
    return True
