"""Draws what the transforms in the guides for users of torchvision and albumentations do, a sheet for each table.

python tools/draw_transforms.py

A sheet has the photograph as it was, then what each line of the table makes of it, as the tests of the tables run it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import penstock.dynamic as ndd
from penstock.viz.sheet import Tile, contact_sheet

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs/assets/pictures"
sys.path.insert(0, str(ROOT / "tests"))
from migration.tables import PHOTOS, Row, names_for, page, rows_of  # noqa: E402

GUIDES = ("coming_from_torchvision", "coming_from_albumentations")
_COLUMNS, _SIDE, _QUALITY = 6, 112, 80
_SEED = 3
_SHOWN = 2  # of the photographs: a light one, with colours and things that are not symmetric

Picture = np.ndarray[Any, Any]


def sheets(guide: str) -> Iterator[tuple[str, Picture]]:
    """The file of each table that is about pictures, and what is drawn into it."""
    for section in page(guide).split("\n### ")[1:]:
        tiles = [*_tiles(rows_of(section))]
        if tiles:
            name = re.sub(r"\W+", "_", section.partition("\n")[0].lower())
            before = Tile([PHOTOS[_SHOWN]], "before")
            yield f"{guide}_{name}.jpg", contact_sheet([before, *tiles], _COLUMNS, _SIDE)


def _tiles(rows: list[Row]) -> Iterator[Tile]:
    """Lines whose results are numbers, as those that normalize, have no picture."""
    for row in rows:
        ndd.random.set_seed(_SEED)
        images = ndd.batch([PHOTOS[_SHOWN]], layout="HWC")
        made = np.asarray(eval(row.ours, names_for(images)).tensors[0])
        if made.dtype == np.uint8:
            yield Tile([made.repeat(3, 2) if made.shape[2] == 1 else made], _theirs(row.theirs), _ours(row.ours))


def _theirs(program: str) -> str:
    """The name of the transform, without its module: v2.Resize((48, 80)) is Resize."""
    return program.partition("(")[0].rpartition(".")[2]


def _ours(program: str) -> str:
    """The operator that stands for it; a cast around it is left out."""
    calls = re.findall(r"ndd\.([\w.]+)\(", program)
    return next((name for name in calls if name != "cast"), "arithmetic")


def main() -> None:
    for guide in GUIDES:
        for name, sheet in sheets(guide):
            quality = [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
            (PICTURES / name).write_bytes(cv2.imencode(".jpg", sheet[..., ::-1], quality)[1].tobytes())
            print(f"wrote {(PICTURES / name).relative_to(ROOT)}")


if __name__ == "__main__":
    main()
