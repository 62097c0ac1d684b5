"""Times a training loop in Penstock and in what people use instead, and writes docs/peers.md and its chart.

python benchmarks/peers.py --peers PYTHON --images FOLDER [--threads 2] [--rounds 5]

PYTHON is that of an environment with the other libraries (`make bench-peers` makes one). The libraries take turns, each
in a process of its own, so that all of them see the same weather; the best round counts, of wall-clock and of CPU time
each by itself.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from report import ROOT, machine, markdown_table, times

from penstock.viz import svg

LOOPS = Path(__file__).with_name("peer_loops.py")
TITLES = {
    "penstock": "Penstock, compiled loop",
    "grain": "Grain + OpenCV",
    "dataloader_opencv": "DataLoader + OpenCV",
    "albumentations": "DataLoader + albumentations",
    "mlx_data": "mlx-data",
}
PACKAGES = {
    "penstock": ["penstock"],
    "grain": ["grain", "opencv-python-headless"],
    "dataloader_opencv": ["torch", "opencv-python-headless"],
    "albumentations": ["albumentations", "torch"],
    "mlx_data": ["mlx-data"],
}


class Figure(NamedTuple):
    """What a library reached."""

    name: str
    rate: float  # images a second
    cpu_ms: float  # for an image, on all cores together


def measure(python: str, name: str, images: Path, threads: int) -> dict[str, float]:
    quiet = {"NO_ALBUMENTATIONS_UPDATE": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [python, str(LOOPS), name, str(images), str(threads)]
    done = subprocess.run(command, env=os.environ | quiet, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{name} failed:\n{done.stderr[-2000:]}")
    told: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return told


def best(name: str, rounds: list[dict[str, float]]) -> Figure:
    rate = max(each["images"] / each["wall"] for each in rounds)
    return Figure(name, rate, min(1e3 * each["cpu"] / each["images"] for each in rounds))


def chart(figures: list[Figure], threads: int) -> str:
    """Bars, the longest at the top, how many images a second each is, and a column of CPU times."""
    left, bar, row, width = 220.0, 320.0, 34.0, 720.0
    most = max(each.rate for each in figures)
    said = f"Images a second in a training loop, {threads} cores"
    parts = [svg.text(20, 32, said, "title"), svg.text(width - 20, 32, "CPU ms per image", "small", "end")]
    for number, each in enumerate(figures):
        top = 50 + row * number
        kind = "native" if each.name == "penstock" else "open"
        parts.append(svg.text(left - 12, top + 16, TITLES[each.name], "name" if kind == "native" else "", "end"))
        parts.append(svg.box(left, top + 2, max(2.0, bar * each.rate / most), 20, kind, 4))
        parts.append(svg.text(left + bar * each.rate / most + 8, top + 16, f"{each.rate:,.0f}", "name"))
        parts.append(svg.text(width - 20, top + 16, f"{each.cpu_ms:.2f}", "name" if kind == "native" else "", "end"))
    below = 50 + row * len(figures) + 16
    steps = "decode, random crop, resize to 224x224, mirror, normalise; batches of 64"
    parts.append(svg.text(20, below, steps, "small"))
    return svg.picture(parts, width, below + 16, said)


def table(figures: list[Figure]) -> str:
    ours = next(each for each in figures if each.name == "penstock")
    head = ("", "images/s", "Penstock is faster by", "CPU ms per image", "Penstock needs less by")
    rows = [
        (TITLES[each.name], f"{each.rate:,.0f}", times(ours.rate / each.rate), f"{each.cpu_ms:.2f}",
         times(each.cpu_ms / ours.cpu_ms))
        for each in figures
    ]  # fmt: skip
    return markdown_table(head, rows)


def versions(python: str) -> str:
    names = sorted({package for name, each in PACKAGES.items() if name != "penstock" for package in each})
    script = f"from importlib.metadata import version\nprint(', '.join(f'{{n}} {{version(n)}}' for n in {names!r}))"
    done = subprocess.run([python, "-c", script], capture_output=True, text=True, check=True)
    return f"penstock {version('penstock')}, {done.stdout.strip()}"


def write(figures: list[Figure], threads: int, rounds: int, used: str) -> None:
    (ROOT / "docs/drawings").mkdir(parents=True, exist_ok=True)
    (ROOT / "docs/drawings/peers.svg").write_text(chart(figures, threads))
    (ROOT / "docs/peers.md").write_text(
        f"""<!-- Written by `make bench-peers`: edit benchmarks/peers.py. -->

# Beside other loaders

The loop of an image classifier, written as the users of each library write it, on the same folder of photos.

![Images a second of each library](drawings/peers.svg)

{table(figures)}

- Each image is decoded, a random 8 to 100 % of it cut out, resized to 224x224, mirrored or not, and normalised to
  float32 CHW; batches of 64. The loops are in benchmarks/peer_loops.py.
- {threads} threads or worker processes each, on {machine()}. The libraries took turns, {rounds} rounds,
  each round in a process of its own after an epoch to warm up; the best round counts. CPU time is that of all
  threads and worker processes. The machine was shared with other work, so that CPU time is the steadier figure.
- Penstock decodes hardly more than the crop, the others the whole image. Penstock resamples with antialiasing.
- torchvision is not here: the wheel that installs with this build of PyTorch does not load.
- {used}
"""
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", required=True, help="the Python of the other libraries")
    parser.add_argument("--images", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    measured: dict[str, list[dict[str, float]]] = {name: [] for name in TITLES}
    for number in range(given.rounds):
        for name, rounds in measured.items():
            python = sys.executable if name == "penstock" else given.peers
            rounds.append(measure(python, name, given.images, given.threads))
            told = rounds[-1]
            print(f"round {number}: {name:<18} {told['images'] / told['wall']:7,.0f} images/s", flush=True)
    figures = sorted((best(*each) for each in measured.items()), key=lambda each: -each.rate)
    write(figures, given.threads, given.rounds, versions(given.peers))
    print(table(figures))


if __name__ == "__main__":
    main()
