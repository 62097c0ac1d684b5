"""Loops over videos, for benchmarks/video.py: python clip_loops.py penstock|dali FOLDER THREADS, loops by line.

A loop is "KIND FILE": `random` and `sequential` go through an epoch of sequences of 8 frames, `plain` decodes the whole
file with PyAV alone.
"""

from __future__ import annotations

import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from serving import serve

LENGTH = 8
BATCH = 4


@cache
def reader_of(ndd: Any, path: str, shuffle: bool) -> Any:
    """Sequences begin every 4 frames and come in random order, or follow each other. One reader runs all epochs."""
    order = {"random_shuffle": True, "seed": 7, "step": 4} if shuffle else {}
    return ndd.experimental.readers.Video(filenames=[path], sequence_length=LENGTH, **order)


def epoch(reader: Any) -> int:
    made = 0
    for (frames,) in reader.next_epoch(batch_size=BATCH):
        made += sum(len(np.asarray(sample)) for sample in frames)
    return made


def plain(path: str, threads: int) -> int:
    """What a program would write without a reader: all frames as RGB, into one array for each sequence."""
    import av

    made = 0
    with av.open(path) as file:
        stream = file.streams.video[0]
        stream.codec_context.thread_count = threads
        stream.thread_type = "AUTO"
        sequence = np.empty((LENGTH, stream.height, stream.width, 3), np.uint8)
        for frame in file.decode(stream):
            sequence[made % LENGTH] = frame.to_ndarray(format="rgb24")
            made += 1
    return made


def main() -> None:
    library, folder, threads = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])

    def answer(ndd: Any, line: str) -> dict[str, Any]:
        kind, name = line.split()
        path = str(folder / name)
        wall, cpu = time.perf_counter(), time.process_time()
        frames = plain(path, threads) if kind == "plain" else epoch(reader_of(ndd, path, kind == "random"))
        return {"items": frames, "wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}

    serve(library, threads, answer)


if __name__ == "__main__":
    main()
