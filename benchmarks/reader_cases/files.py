"""Small files in class folders: what is timed is mostly the opening of files."""

from __future__ import annotations

import random
from pathlib import Path

FILES, CLASSES = 4_096, 16
SIZES = {"1 kB": 1_000, "10 kB": 10_000, "110 kB": 110_000}

CASES = [
    (f"File, {size}{words}", f"ndd.readers.File(file_root=f'{{folder}}/{size}'{arguments})", True)
    for size in SIZES
    for words, arguments in (("", ""), (", shuffled", ", random_shuffle=True"))
]


def write(folder: Path) -> None:
    numbers = random.Random(0)
    for title, size in SIZES.items():
        for label in range(CLASSES):
            place = folder / title / f"{label:02d}"
            place.mkdir(parents=True)
            for i in range(min(FILES, 110_000_000 // size) // CLASSES):
                (place / f"{i:05d}.jpg").write_bytes(numbers.randbytes(size + i % 64))
