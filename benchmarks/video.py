"""Times the video reader beside DALI's on the CPU, and beside plain PyAV.

    python benchmarks/video.py --oracle .oracle/bin/python [--quick]

The loops are in clip_loops.py. All run in turn, and the best run of each counts; what is told are frames per second,
frames per second of CPU time, and the ratio to the other. Clips are made first: 360x640, a key frame every 20 frames.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import av
import numpy as np
from workers import Answer, Worker

FRAMES = 240
CODECS = {"vp9.webm": "libvpx-vp9", "mjpeg.avi": "mjpeg", "h264.mp4": "libx264"}


class Row(NamedTuple):
    """A loop of penstock and the one beside it, which `library` runs; `at_least` is what the ratio is meant to be."""

    title: str
    loop: str
    beside: str
    library: str
    at_least: float


ROWS = (
    Row("random sequences of VP9, beside DALI", "random vp9.webm", "random vp9.webm", "dali", 1.0),
    Row("random sequences of MJPEG, beside DALI", "random mjpeg.avi", "random mjpeg.avi", "dali", 1.0),
    Row("all of VP9 in sequences, beside DALI", "sequential vp9.webm", "sequential vp9.webm", "dali", 1.0),
    Row("all of MJPEG in sequences, beside DALI", "sequential mjpeg.avi", "sequential mjpeg.avi", "dali", 1.0),
    Row("all of H.264 in sequences, beside PyAV", "sequential h264.mp4", "plain h264.mp4", "penstock", 0.95),
    Row("all of VP9 in sequences, beside PyAV", "sequential vp9.webm", "plain vp9.webm", "penstock", 0.95),
    Row("all of MJPEG in sequences, beside PyAV", "sequential mjpeg.avi", "plain mjpeg.avi", "penstock", 0.95),
)


def make_clips(folder: Path) -> None:
    y, x = np.mgrid[:360, :640]
    noise = np.random.default_rng(0).normal(0, 12, (360 + FRAMES, 640, 3))
    for name, codec in CODECS.items():
        with av.open(str(folder / name), "w") as output:
            stream = output.add_stream(codec, rate=25)
            stream.width, stream.height, stream.gop_size, stream.bit_rate = 640, 360, 20, 2_000_000
            stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
            stream.options = {"deadline": "realtime", "cpu-used": "8"} if codec == "libvpx-vp9" else {}
            for t in range(FRAMES):
                waves = np.stack(
                    [np.sin((x + 3 * t) / a + y / b) for a, b in ((30, 50), (-70, 40), (20, -90))], axis=-1
                )
                image = (128 + 80 * waves + noise[t : t + 360]).clip(0, 255).astype(np.uint8)
                output.mux(stream.encode(av.VideoFrame.from_ndarray(image)))
            output.mux(stream.encode())


def measure(row: Row, workers: dict[str, Worker], rounds: int) -> bool:
    """Prints the row; whether it is what it is meant to be."""
    asked = [(workers["penstock"], row.loop), (workers[row.library], row.beside)]
    runs: list[list[Answer]] = [[worker.ask(loop) for worker, loop in asked]]
    for turn in range(rounds):
        answers = [worker.ask(loop) for worker, loop in asked[:: -1 if turn % 2 else 1]]
        runs.append(answers[:: -1 if turn % 2 else 1])
    for ours, other in runs:
        if "error" in ours or "error" in other:
            sys.exit(f"{row.title}: {ours.get('error') or other.get('error')}")
    wall, cpu = ([max(run[who]["items"] / run[who][key] for run in runs) for who in (0, 1)] for key in ("wall", "cpu"))
    ratio = wall[0] / wall[1]
    print(
        f"{row.title:42} {wall[0]:7.0f} {wall[1]:7.0f} frames/s {ratio:5.2f}x   {cpu[0]:6.0f} {cpu[1]:6.0f} "
        f"frames/s of CPU {cpu[0] / cpu[1]:5.2f}x   at least {row.at_least}x",
        flush=True,
    )
    return ratio >= row.at_least


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", required=True, help="python of the environment with DALI")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="two rounds instead of seven")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        make_clips(Path(folder))
        workers = {
            library: Worker(python, "clip_loops.py", library, folder, str(given.threads))
            for library, python in (("penstock", sys.executable), ("dali", given.oracle))
        }
        try:
            good = [measure(row, workers, 2 if given.quick else 7) for row in ROWS]
        finally:
            for worker in workers.values():
                worker.close()
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
