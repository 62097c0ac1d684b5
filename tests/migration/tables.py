"""Tables of equal transforms in the guides, whose lines are programs of both libraries."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

import penstock.dynamic as ndd
from penstock import types

ROOT = Path(__file__).resolve().parents[2]
HEIGHT, WIDTH = 96, 128
PHOTOS = [
    cv2.resize(cv2.imread(str(path)), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)[:, :, ::-1].copy()
    for path in sorted((ROOT / "src/penstock/cli/assets").glob("*/*.jpg"))[::2]
]


class Row(NamedTuple):
    """A line of a table: two programs, and how close their results are said to be."""

    theirs: str
    ours: str
    close: str


def page(name: str) -> str:
    return (ROOT / "docs" / "guides" / f"{name}.md").read_text()


def rows_of(text: str) -> list[Row]:
    return [Row(*found) for found in re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| (.+) \|$", text, re.MULTILINE)]


def names_for(images: ndd.Batch) -> dict[str, Any]:
    """What the programs of the tables are written with."""
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    return {
        "ndd": ndd, "np": np, "types": types, "images": images, "n": len(images),
        "uniform": lambda n: ndd.random.uniform(range=(0, 1), batch_size=n),
        "grey": ndd.color_space_conversion(images, image_type=types.RGB, output_type=types.GRAY),
        "columns": x + 3 * np.sin(y / 9), "rows": y,
    }  # fmt: skip


def arrays(batch: ndd.Batch) -> list[np.ndarray[Any, Any]]:
    return [np.asarray(sample) for sample in batch]


def agrees(row: Row, theirs: list[Any], ours: list[Any]) -> None:
    """Asserts that the results are as close as the line says: exact, within so much, so much in the mean, or drawn."""
    assert [each.shape for each in ours] == [each.shape for each in theirs]
    differences = np.stack([np.abs(np.float64(a) - np.float64(b)) for a, b in zip(ours, theirs, strict=True)])
    kind, _, rest = row.close.partition(" ")
    number = float(re.match(r"[\d.]+", rest)[0]) if kind in ("within", "mean") else 0.0
    if kind in ("exact", "within"):
        assert differences.max() <= number
        assert ours[0].dtype == theirs[0].dtype or theirs[0].dtype == np.float64
    elif kind == "mean":
        assert number / 4 < differences.mean() <= number
    else:
        assert kind.startswith("drawn")
        assert ours[0].dtype == theirs[0].dtype
        assert differences.mean() < 90, "these are not the same pictures at all"
