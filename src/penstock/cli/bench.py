"""penstock bench DIR: how fast the classification loops run on somebody's own images."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import penstock.dynamic as ndd
from penstock.cli.classification import Speed, Stopwatch, train, val
from penstock.cli.options import add_threads, positive
from penstock.cli.terminal import Progress, table

HELP = "time the validation and training loop on a folder of images"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="images in one sub-folder per class")
    parser.add_argument("--batch-size", type=positive, default=64, metavar="N", help="(default: 64)")
    parser.add_argument("--epochs", type=positive, default=3, metavar="N", help="the best one counts (default: 3)")
    add_threads(parser)


def run(given: argparse.Namespace) -> int:
    """Prints the best of `epochs` epochs of each loop."""
    folder, batch_size, epochs = given.folder, given.batch_size, given.epochs
    ndd.set_num_threads(given.threads)
    loops = {"val: decode, resize, normalise": val, "train: random-crop decode, resize, mirror, normalise": train}
    try:
        speeds = {name: _best(loop, folder, batch_size, epochs) for name, loop in loops.items()}
    except (OSError, RuntimeError, ValueError) as error:
        print(f"penstock bench: {error}", *getattr(error, "__notes__", ()), sep="\n", file=sys.stderr)
        return 1
    rows = [(name, f"{s.per_second:,.0f}", f"{s.wall_ms:.2f}", f"{s.cpu_ms:.2f}") for name, s in speeds.items()]
    print(f"{folder}, batches of {batch_size}, {ndd.get_num_threads()} threads, best of {epochs} epochs")
    print(table(("loop", "images/s", "ms per image", "CPU ms per image"), rows))
    return 0


def _best(loop: Callable[[ndd.Batch], ndd.Batch], folder: Path, batch_size: int, epochs: int) -> Speed:
    reader = ndd.readers.File(file_root=str(folder))
    size = int(reader.get_metadata()["epoch_size"])
    batches = -(-size // batch_size)
    progress = Progress(epochs * batches * batch_size, "images")
    speeds = []
    for epoch in range(epochs):
        watch = Stopwatch()
        for number, (jpegs, _labels) in enumerate(reader.next_epoch(batch_size=batch_size), start=1):
            loop(jpegs).evaluate()
            progress.show((epoch * batches + number) * batch_size)
        speeds.append(watch.read(batches * batch_size))
    progress.clear()
    return max(speeds)
