"""penstock stats."""

from __future__ import annotations

import re
from pathlib import Path

import messy_folder
import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.cli import main
from penstock.cli.stats import channel_stats

ASSETS = messy_folder.ASSETS


def told(text: str, name: str) -> list[float]:
    """The numbers for pixels from 0 to 255."""
    found = re.search(rf"^{name}=\[(.*)\]$", text, re.M)
    assert found
    return [float(number) for number in found[1].split(", ")]


def pixels(files: list[Path], size: int | None) -> np.ndarray:
    images = [ndd.decoders.image(ndd.tensor(np.fromfile(file, np.uint8))) for file in files]
    images = [image if size is None else ndd.resize(image, size=[size, size], antialias=True) for image in images]
    return np.concatenate([np.asarray(image).reshape(-1, 3) for image in images]).astype(np.float64)


@pytest.mark.parametrize("size", [None, 40])
def test_mean_and_deviation_are_those_of_numpy(size: int | None, capsys) -> None:
    assert main(["stats", str(ASSETS), *([] if size is None else ["--size", str(size)])]) == 0
    said = capsys.readouterr().out
    expected = pixels(sorted(ASSETS.glob("*/*.jpg")), size)
    assert f"12 images, {len(expected):,} pixels" in said
    assert told(said, "mean") == pytest.approx(expected.mean(axis=0), abs=1e-4)
    assert told(said, "std") == pytest.approx(expected.std(axis=0), abs=1e-4)


@pytest.mark.parametrize("size", [None, 16])
def test_bad_files_are_left_out(size: int | None, tmp_path: Path, capsys) -> None:
    folder = messy_folder.make(tmp_path)
    assert main(["stats", str(folder / "a"), *([] if size is None else ["--size", str(size)])]) == 0
    said = capsys.readouterr()
    expected = pixels([folder / "a/whole.png"], size)
    assert f"1 image, {len(expected):,} pixels" in said.out
    assert told(said.out, "mean") == pytest.approx(expected.mean(axis=0), abs=1e-4)
    assert "left out: 5 files" in said.err


def test_sums_of_many_pixels_are_exact() -> None:
    counts = np.zeros(256, np.int64)
    counts[[254, 255]] = 10**15
    stats = channel_stats(counts)
    assert (stats.mean, stats.deviation, stats.least, stats.greatest) == (254.5, 0.5, 254, 255)


def test_a_folder_without_images_is_said(tmp_path: Path, capsys) -> None:
    assert main(["stats", str(tmp_path)]) == 1
    assert "no images in" in capsys.readouterr().err
    (tmp_path / "bad.jpg").write_bytes(b"nothing")
    assert main(["stats", str(tmp_path)]) == 1
    assert "none of the images can be decoded" in capsys.readouterr().err
