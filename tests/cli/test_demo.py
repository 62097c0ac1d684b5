"""penstock demo."""

from __future__ import annotations

import cv2

from penstock.cli import main


def test_demo_times_every_operator_and_draws_the_batch(tmp_path, capsys):
    assert main(["demo", "--out", str(tmp_path), "--images", "48", "--threads", "2"]) == 0
    said = capsys.readouterr().out
    assert "images/s" in said
    for operator in ("decoders.image_random_crop", "resize", "crop_mirror_normalize", "random.coin_flip"):
        assert operator in said
    sheet = cv2.imread(str(tmp_path / "contact_sheet.png"))
    assert sheet.shape == (4 * 230 + 6, 6 * 230 + 6, 3)
    assert sheet[10:220, 10:220].std() > 1
    assert len(list((tmp_path / "photos").glob("*/*.jpg"))) == 12
