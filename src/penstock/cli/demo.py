"""penstock demo: the classification loop on a small set of drawn landscapes."""

from __future__ import annotations

import argparse
import shutil
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

import penstock.dynamic as ndd
from penstock.cli.classification import MEAN, STD, Speed, Stopwatch, train
from penstock.cli.options import add_threads, positive
from penstock.cli.terminal import table
from penstock.engine.events import StageRun, listening
from penstock.engine.explanation import counted
from penstock.viz.pixels import Normalization, picture
from penstock.viz.progress import Progress
from penstock.viz.sheet import Tile, contact_sheet

HELP = "load a small picture set, show the speed, write a contact sheet"

_PICTURES = Path(__file__).parent / "assets"
_BATCH_SIZE = 24
_COLUMNS = 6


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=Path("demo"), metavar="DIR", help="where to write (default: demo)")
    parser.add_argument("--images", type=positive, default=960, metavar="N", help="how many images (default: 960)")
    add_threads(parser)


def run(given: argparse.Namespace) -> int:
    """Runs the loop, prints what it took and leaves a contact sheet, and the pictures to play with, in `out`."""
    out: Path = given.out
    images: int = given.images
    ndd.set_num_threads(given.threads)
    photos = out / "photos"
    shutil.copytree(_PICTURES, photos, dirs_exist_ok=True)
    reader = ndd.readers.File(file_root=str(photos), random_shuffle=True, seed=7)
    ndd.random.set_seed(7)

    batch, speed = _loop(reader, images)
    threads = counted(ndd.get_num_threads(), "thread")
    print(f"{images} images through decode, random crop, resize, mirror, normalise on {threads}:")
    print(f"  {speed}\n")
    print(_per_operator(reader, speed))
    sheet = out / "contact_sheet.png"
    cv2.imwrite(str(sheet), cv2.cvtColor(_contact_sheet(batch), cv2.COLOR_RGB2BGR))
    print(f"\nThe last batch as the model would see it: {sheet}\nThe pictures themselves: {photos}")
    return 0


def _loop(reader: ndd.readers.File, images: int) -> tuple[np.ndarray, Speed]:
    """The last batch, and the speed once the first has warmed things up."""
    progress = Progress(images, "images")
    done = -_BATCH_SIZE
    watch = Stopwatch()
    while True:
        for jpegs, _labels in reader.next_epoch(batch_size=_BATCH_SIZE):
            batch = np.asarray(ndd.as_tensor(train(jpegs)))
            done += len(batch)
            if not done:
                watch = Stopwatch()
                continue
            progress.show(min(done, images))
            if done >= images:
                progress.clear()
                return batch, watch.read(done)


def _per_operator(reader: ndd.readers.File, fused: Speed, epochs: int = 10) -> str:
    """Time of each operator. The loop runs them as one, so here they are run one after the other."""
    seconds: defaultdict[str, float] = defaultdict(float)
    done = 0

    def note(stage: StageRun) -> None:
        seconds[" + ".join(stage.operators)] += stage.seconds

    with ndd.EvalMode.sync_cpu, listening(note):
        for _ in range(epochs):
            for jpegs, _labels in reader.next_epoch(batch_size=_BATCH_SIZE):
                train(jpegs)
                done += _BATCH_SIZE
    total = sum(seconds.values())
    longest_first = sorted(seconds.items(), key=lambda item: -item[1])
    rows = [(name, f"{1e3 * spent / done:.3f}", f"{spent / total:.0%}") for name, spent in longest_first]
    rows.append(("one after the other", f"{1e3 * total / done:.3f}", "100%"))
    rows.append(("fused, as in the loop", f"{fused.wall_ms:.3f}", f"{1e-3 * fused.wall_ms * done / total:.0%}"))
    return table(("operator", "ms per image", "share"), rows)


def _contact_sheet(batch: np.ndarray) -> np.ndarray:
    """Normalised CHW images as one picture."""
    normalization = Normalization(tuple(MEAN), tuple(STD))
    tiles = [Tile(picture(image, "CHW", normalization).frames) for image in batch]
    return contact_sheet(tiles, _COLUMNS, side=batch.shape[2], gap=6)
