"""penstock stats DIR: mean and standard deviation of every channel, as normalisation needs them."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import penstock.dynamic as ndd
from penstock.cli.checking.dataset import find
from penstock.cli.options import add_threads, positive
from penstock.cli.terminal import table
from penstock.dynamic.values.operator_calls import calls
from penstock.engine.explanation import counted
from penstock.values.bad_samples import BadSample
from penstock.viz.progress import Progress

HELP = "mean and standard deviation of the images of a folder, per channel"

_BATCH_SIZE = 64
_CHANNELS = ("red", "green", "blue")
Array = np.ndarray[Any, Any]


class ChannelStats(NamedTuple):
    """Mean, standard deviation, least and greatest value of one channel, from 0 to 255."""

    mean: float
    deviation: float
    least: int
    greatest: int


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="DIR|FILE", help="folders of images, or images")
    parser.add_argument(
        "--size", type=positive, metavar="N", help="resize each image to N x N first, so that all count the same"
    )
    add_threads(parser)


def run(given: argparse.Namespace) -> int:
    """Prints a line for each channel and the numbers to paste."""
    ndd.set_num_threads(given.threads)
    dataset = find(given.paths)
    files = [dataset.path(number) for number in range(len(dataset.names))]
    if not files:
        print(f"penstock stats: no images in {', '.join(map(str, given.paths))}", file=sys.stderr)
        return 1
    errors: list[BadSample] = []
    counts = histogram_of(files, given.size, errors)
    if not counts.any():
        print("penstock stats: none of the images can be decoded; penstock check tells why", file=sys.stderr)
        return 1
    stats = [channel_stats(channel) for channel in counts]
    rows = [
        (name, f"{each.mean:.4f}", f"{each.deviation:.4f}", str(each.least), str(each.greatest))
        for name, each in zip(_CHANNELS, stats, strict=True)
    ]
    each_as = f", each as {given.size}x{given.size}" if given.size else ""
    print(f"{counted(len(files) - len(errors), 'image')}, {int(counts[0].sum()):,} pixels{each_as}")
    print(table(("channel", "mean", "std", "min", "max"), rows))
    for scale, said, digits in ((1, "for pixels from 0 to 255", 4), (255, "for pixels from 0 to 1", 6)):
        print(f"\n# {said}")
        print(f"mean={_pasted([each.mean / scale for each in stats], digits)}")
        print(f"std={_pasted([each.deviation / scale for each in stats], digits)}")
    if errors:
        print(f"\nleft out: {counted(len(errors), 'file')} not decoded; penstock check tells why", file=sys.stderr)
    return 0


def histogram_of(files: Sequence[str], size: int | None, errors: list[BadSample]) -> Array:
    """How often each value occurs in each channel of all images, of shape (3, 256). Bad ones are added to `errors`.

    Reading, decoding, resizing and counting are one pass over each image: nothing but the counts is stored.
    """
    total: Array = np.zeros((len(_CHANNELS), 256), np.int64)
    reader = ndd.readers.File(files=files, on_error="skip")
    bad: list[BadSample] = []
    done = 0
    with Progress(len(files), "images", "stats") as progress:
        for encoded, _ in reader.next_epoch(batch_size=_BATCH_SIZE, last_batch="partial"):
            images = ndd.decoders.image(encoded, on_error=_one_black_pixel, errors=bad)
            images = images if size is None else ndd.resize(images, size=[size, size], antialias=True)
            total += calls.function("_histogram")(images).numpy().sum(axis=0)
            done += len(encoded)
            progress.show(done)
    total[:, 0] -= len(bad) * (1 if size is None else size * size)
    errors += [*reader.errors, *bad]
    return total


def _one_black_pixel(bad: BadSample, data: Array) -> Array:
    """Stands for an image that cannot be decoded, and is taken off the counts in the end."""
    return np.zeros((1, 1, 3), np.uint8)


def channel_stats(counts: Array) -> ChannelStats:
    """From counts of the values 0 to 255. Sums are of whole numbers, so that nothing is lost however many there are."""
    numbers = [int(count) for count in counts]
    total = sum(numbers)
    first = sum(value * count for value, count in enumerate(numbers))
    second = sum(value * value * count for value, count in enumerate(numbers))
    seen = np.flatnonzero(counts)
    variance = (second * total - first * first) / total**2
    return ChannelStats(first / total, math.sqrt(variance), int(seen[0]), int(seen[-1]))


def _pasted(values: Sequence[float], digits: int) -> str:
    return "[" + ", ".join(f"{value:.{digits}f}" for value in values) + "]"
