"""Contact sheets."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.viz.marks import Marks, colour_of, marked
from penstock.viz.sheet import Sheet, Tile, contact_sheet, data_url

GREY = np.full((60, 80, 3), 100, np.uint8)


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        if tag not in ("img", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def photos(count: int, side: int = 40) -> ndd.Batch:
    rng = np.random.default_rng(3)
    return ndd.batch([rng.integers(0, 256, (side, side + i, 3), np.uint8) for i in range(count)], layout="HWC")


def test_tiles_are_in_rows() -> None:
    tiles = [Tile((np.full((20, 20, 3), 10 * k, np.uint8),)) for k in range(5)]
    sheet = contact_sheet(tiles, columns=3, side=20, gap=4)
    assert sheet.shape == (2 * 24 + 4, 3 * 24 + 4, 3)
    assert [sheet[14, 14 + 24 * k, 0] for k in range(3)] == [0, 10, 20]
    assert [sheet[38, 14 + 24 * k, 0] for k in range(2)] == [30, 40]


def test_large_batches_are_cut_and_counted() -> None:
    sheet = ndd.show(photos(40))
    html = sheet._repr_html_()
    assert Tags(html).found.count("img") == 24
    assert "+16 more" in html
    assert "Batch of 40" in html
    assert len(ndd.show(photos(40), count=3).tiles) == 3


def test_output_is_bounded_however_large_images_are() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (2000, 1500, 3), np.uint8)
    sheet = ndd.show(ndd.as_batch([noise] * 30, layout="HWC"))
    assert len(sheet._repr_html_()) < 3_000_000
    assert len(sheet._repr_png_() or b"") < 2_000_000


def test_labels_and_names_are_said() -> None:
    labels = ndd.batch([[0], [2], [1]])
    html = ndd.show(photos(3), labels=labels, class_names=["<cat>", "dog", "bird"])._repr_html_()
    assert "<b>&lt;cat&gt;</b>" in html
    assert "<b>bird</b>" in html
    assert "40x41x3" in html
    assert Tags(html).open == []


def test_boxes_are_drawn_where_they_are() -> None:
    pixels, shares = np.float32([[8, 6, 40, 30]]), np.float32([[0.1, 0.1, 0.5, 0.5]])
    drawn = marked(GREY, Marks(shares))
    assert tuple(drawn[6, 20]) == colour_of(0)
    assert tuple(drawn[50, 60]) == (100, 100, 100)
    image = ndd.tensor(GREY, layout="HWC")
    for given, layout in ((pixels, "xyXY"), (shares, "xyXY"), (np.float32([[8, 6, 32, 24]]), "xyWH")):
        [tile] = ndd.show(image, boxes=given, bbox_layout=layout).tiles
        assert tile.marks.boxes == pytest.approx(shares)


def test_boxes_have_words_and_colours_of_their_own() -> None:
    boxes = [np.float32([[0, 0, 1, 1], [0.2, 0.2, 0.6, 0.6]]), np.zeros((0, 4), np.float32)]
    labels = [np.int32([4, 1]), np.zeros(0, np.int32)]
    first, second = ndd.show(photos(2), boxes=boxes, labels=labels, class_names=list("abcde")).tiles
    assert first.marks.words == ["e", "b"]
    assert first.marks.colours == [4, 1]
    assert second.marks.boxes is not None
    assert second.marks.boxes.shape == (0, 4)


def test_masks_cover_their_pixels() -> None:
    mask = np.zeros((60, 80), np.uint8)
    mask[:30, :40] = 2
    drawn = marked(GREY, Marks(masks=[mask]))
    assert (drawn[10, 10] != 100).any()
    assert (drawn[50, 70] == 100).all()
    stacked = ndd.show(ndd.tensor(GREY, layout="HWC"), masks=np.stack([mask > 0, mask == 0])).tiles[0].marks.masks
    assert [int(each.max()) for each in stacked] == [1, 2]


def test_sequences_are_strips_and_players() -> None:
    film = np.repeat(np.arange(40, dtype=np.uint8), 30 * 30 * 3).reshape(40, 30, 30, 3)
    sheet = ndd.show(ndd.tensor(film, layout="FHWC"))
    assert 'class="player"' in sheet._repr_html_()
    assert "12 frames" in sheet._repr_html_()
    picture = sheet.picture()
    assert picture is not None
    assert picture.shape[1] >= 12 * 30


def test_small_pictures_are_kept_exactly() -> None:
    digit = np.random.default_rng(0).integers(0, 256, (28, 28, 3), np.uint8)
    url = data_url(digit)
    import base64

    decoded = cv2.imdecode(np.frombuffer(base64.b64decode(url.partition(",")[2]), np.uint8), cv2.IMREAD_COLOR)
    assert (decoded[..., ::-1] == digit).all()


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp"])
def test_a_sheet_is_written_as_a_picture(suffix: str, tmp_path: Path) -> None:
    ndd.save_sheet(tmp_path / f"sheet{suffix}", photos(5), columns=2)
    picture = cv2.imread(str(tmp_path / f"sheet{suffix}"))
    assert picture.shape[1] == 2 * (192 + 8) + 8


def test_a_sheet_is_written_as_a_page(tmp_path: Path) -> None:
    ndd.save_sheet(tmp_path / "sheet.html", photos(5))
    text = (tmp_path / "sheet.html").read_text()
    tags = Tags(text.partition("\n")[2])
    assert tags.found.count("img") == 5
    assert tags.open == []
    assert "http" not in text.replace("http-equiv", "")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda folder: ndd.save_sheet(folder / "a.gif", photos(1)), "neither .png, .jpg, .webp nor .html"),
        (lambda folder: ndd.save_sheet(folder / "a.png", ndd.batch([1, 2])), "can be written as .html"),
        (lambda folder: ndd.show(photos(3), labels=[1]), "labels are of 1 samples, there are 3"),
        (lambda folder: ndd.show(photos(1), boxes=[np.zeros((2, 5))]), r"shape \(n, 4\), got \(2, 5\)"),
        (lambda folder: ndd.show(photos(1), boxes=[np.zeros((1, 4))], bbox_layout="WHxy"), "got 'WHxy'"),
        (lambda folder: ndd.show(photos(1), masks=[np.zeros((1, 2, 3, 4))]), r"got \(1, 2, 3, 4\)"),
    ],
)
def test_what_cannot_be_shown_is_said(call, said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said):
        call(tmp_path)


def test_arrays_and_lists_are_shown_too() -> None:
    assert len(ndd.show(np.zeros((3, 8, 8, 3), np.uint8)).tiles) == 3
    assert len(ndd.show(GREY).tiles) == 1
    assert len(ndd.show([GREY, GREY]).tiles) == 2


def test_a_sheet_says_how_to_write_it() -> None:
    assert repr(Sheet("Batch of 2", ())) == ('<sheet: Batch of 2; .save("sheet.png") and .save("sheet.html") write it>')
