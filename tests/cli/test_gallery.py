"""The gallery: every image operator is in it, and its pictures are what the calls make."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from penstock.cli import gallery, main
from penstock.dynamic.calls.functions import declaration
from penstock.ops._index import OPERATORS
from penstock.ops.families import family_of
from penstock.schema import Example, Operator

COMMITTED = Path(__file__).resolve().parents[2] / "docs/gallery"
FAMILIES = {"color", "decode", "filter", "image", "noise"}
SHOWN = [shown for family in gallery.gallery().values() for shown in family]

# Operators of these families that make no picture.
NUMBERS = {
    "coord_flip", "coord_transform", "decoders.inflate", "decoders.numpy", "optical_flow", "peek_image_shape",
    "random_crop_generator", "roi_random_crop",
}  # fmt: skip


def test_every_image_operator_is_shown() -> None:
    public = [operator for operator in OPERATORS if not operator.startswith("_")]
    today = {operator for operator in public if declaration(operator).path == operator}
    expected = {operator for operator in today if family_of(operator) in FAMILIES} - NUMBERS
    assert sorted(expected - {shown.operator for shown in SHOWN}) == []


def test_what_makes_no_picture_exists() -> None:
    assert sorted(NUMBERS - set(OPERATORS)) == []


@pytest.fixture(scope="module")
def given() -> dict[str, object]:
    return gallery.inputs()


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: shown.after)
def test_a_call_makes_a_picture(shown: gallery.ExamplePicture, given: dict[str, object]) -> None:
    pixels = gallery.picture(gallery.evaluated(shown.call, given))
    assert pixels.dtype == np.uint8
    assert pixels.shape[2] == 3
    assert pixels.std() > 5


def test_the_command_writes_pictures_and_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = ("ndd.flip(image)", "ndd.flip(frames, vertical=1)")
    flip = Operator(lambda image: image, name="flip")
    flip.examples = tuple(Example(call, drawn=True) for call in calls)
    monkeypatch.setattr(gallery, "families", lambda: [("image", [flip])])
    assert main(["gallery", "--out", str(tmp_path)]) == 0
    pictures = {file.stem: cv2.imread(str(file)) for file in tmp_path.glob("*.jpg")}
    assert set(pictures) == {"image", "frames", "flip", "flip-2"}
    assert np.abs(pictures["image"][:, ::-1].astype(int) - pictures["flip"]).mean() < 3
    assert pictures["frames"].shape == (180, 312, 3)
    assert "ndd.flip(frames, vertical=1)" in (tmp_path / "index.md").read_text()


def test_the_committed_gallery_is_fresh_and_small() -> None:
    assert (COMMITTED / "index.md").read_text() == gallery.index_text(gallery.gallery()), "run make gallery"
    pictures = {file.stem for file in COMMITTED.glob("*.jpg")}
    assert pictures == {name for shown in SHOWN for name in (shown.before, shown.after)}
    assert sum(file.stat().st_size for file in COMMITTED.iterdir()) < 1_500_000
