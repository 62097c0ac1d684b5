"""The guides show what the transforms of their tables do, as the tables are now."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from migration.tables import ROOT, page

sys.path.insert(0, str(ROOT / "tools"))
draw_transforms = importlib.import_module("draw_transforms")


@pytest.mark.parametrize("guide", draw_transforms.GUIDES)
def test_every_table_has_a_sheet_of_what_it_makes(guide: str) -> None:
    drawn = dict(draw_transforms.sheets(guide))
    text = page(guide)
    assert len(drawn) == text.count("| how close |") == text.count("](../assets/pictures/")
    for name, sheet in drawn.items():
        file = Path(draw_transforms.PICTURES, name)
        committed = cv2.imread(str(file))
        assert f"](../assets/pictures/{name})" in text
        assert committed.shape == sheet.shape, "run make gallery"
        difference = np.abs(committed[..., ::-1].astype(int) - sheet)
        assert difference.mean() < 6, "run make gallery"  # noise suffers most from JPEG
        assert file.stat().st_size < 80_000
