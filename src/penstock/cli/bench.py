"""penstock bench DIR: how fast the classification loops run on somebody's own images, by mode and number of threads."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import NamedTuple

import penstock.dynamic as ndd
from penstock.cli.classification import Speed, Stopwatch, pipeline, train, val
from penstock.cli.options import add_threads, positive
from penstock.cli.terminal import table
from penstock.viz.bars import Bar, chart, text_bars
from penstock.viz.page import page
from penstock.viz.progress import Progress

HELP = "time the validation and training loop on a folder of images"

_SUFFIXES = (".html", ".svg")
_STYLE = "figure svg { max-width: 100%; height: auto; }"
_LOOPS = {"val: decode, resize, normalise": val, "train: random-crop decode, resize, mirror, normalise": train}


class Case(NamedTuple):
    """A loop to be timed: its name in tables and charts, what it does, in which mode, on how many threads."""

    name: str
    loop: Callable[[ndd.Batch], ndd.Batch]
    mode: str
    threads: int


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="images in one sub-folder per class")
    parser.add_argument("--batch-size", type=positive, default=64, metavar="N", help="(default: 64)")
    parser.add_argument("--epochs", type=positive, default=3, metavar="N", help="the best one counts (default: 3)")
    parser.add_argument("--images", type=positive, metavar="N", help="images of an epoch (default: all of the folder)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="also draw a chart: bench.html or bench.svg")
    add_threads(parser)


def run(given: argparse.Namespace) -> int:
    """Prints the best of `epochs` epochs of each loop, by mode and by number of threads, with bars."""
    if given.out is not None and given.out.suffix not in _SUFFIXES:
        print(f"penstock bench: {given.out} is neither .html nor .svg", file=sys.stderr)
        return 1
    ndd.set_num_threads(given.threads)
    threads = ndd.get_num_threads()
    try:
        speeds = _timed(_cases(threads), given)
    except (OSError, RuntimeError, ValueError) as error:
        print(f"penstock bench: {error}", *getattr(error, "__notes__", ()), sep="\n", file=sys.stderr)
        return 1
    finally:
        ndd.set_num_threads(given.threads)
    heading = f"{given.folder}, batches of {given.batch_size}, best epoch of {given.epochs}"
    print(f"{heading}, {threads} threads unless told otherwise")
    rows = [(case.name, f"{s.per_second:,.0f}", f"{s.wall_ms:.2f}", f"{s.cpu_ms:.2f}") for case, s in speeds.items()]
    print(table(("loop", "images/s", "ms per image", "CPU ms per image"), rows))
    bars = [Bar(case.name, speed.per_second, _colour(case)) for case, speed in speeds.items()]
    print(f"\n{text_bars(bars, 'images/s')}")
    if given.out is not None:
        drawn = chart(bars, "images/s", "Images a second")
        whole = page("penstock bench", f"<figure>{drawn}</figure>", heading, _STYLE)
        given.out.write_text(drawn if given.out.suffix == ".svg" else whole, encoding="utf-8")
        print(f"\n{given.out}")
    return 0


def _cases(threads: int) -> list[Case]:
    """Both loops in all modes, then the compiled training loop on fewer threads."""
    cases = [Case(f"{name}, {mode}", loop, mode, threads) for name, loop in _LOOPS.items() for mode in _MODES]
    fewer = [count for count in (1, 2, 4, 8, 16, 32, 64) if count < threads]
    return cases + [Case(f"train, compiled, {_threads(count)}", train, "compiled", count) for count in fewer]


def _threads(count: int) -> str:
    return "1 thread" if count == 1 else f"{count} threads"


def _colour(case: Case) -> str:
    return {"eager": "grey", "compiled": "blue", "pipeline": "teal"}[case.mode]


def _timed(cases: list[Case], given: argparse.Namespace) -> dict[Case, Speed]:
    """The best speed of each case."""
    reader = ndd.readers.File(file_root=str(given.folder))
    images = min(len(reader), given.images or len(reader))
    batches = -(-images // given.batch_size)
    speeds: dict[Case, Speed] = {}
    with Progress(len(cases) * given.epochs * batches * given.batch_size, "images", "bench") as progress:
        done = 0
        for case in cases:
            ndd.set_num_threads(case.threads)
            steps = _MODES[case.mode](case.loop, given.folder, given.batch_size)
            for _ in range(given.epochs):
                watch = Stopwatch()
                for _ in range(batches):
                    next(steps)
                    done += given.batch_size
                    progress.show(done, case.name.partition(":")[0])
                speed = watch.read(batches * given.batch_size)
                speeds[case] = max(speeds.get(case, speed), speed)
            steps.close()
    return speeds


def _eager(
    loop: Callable[[ndd.Batch], ndd.Batch], folder: Path, batch_size: int, compiled: bool = False
) -> Generator[None, None, None]:
    reader = ndd.readers.File(file_root=str(folder))
    while True:
        for jpegs, _labels in reader.next_epoch(batch_size=batch_size, compile=compiled):
            loop(jpegs).evaluate()
            yield


def _compiled(loop: Callable[[ndd.Batch], ndd.Batch], folder: Path, batch_size: int) -> Generator[None, None, None]:
    return _eager(loop, folder, batch_size, compiled=True)


def _pipeline(loop: Callable[[ndd.Batch], ndd.Batch], folder: Path, batch_size: int) -> Generator[None, None, None]:
    running = pipeline(str(folder), random=loop is train, batch_size=batch_size, num_threads=ndd.get_num_threads())
    while True:
        running.run()
        yield


_MODES: dict[str, Callable[[Callable[[ndd.Batch], ndd.Batch], Path, int], Generator[None, None, None]]] = {
    "eager": _eager,
    "compiled": _compiled,
    "pipeline": _pipeline,
}
