"""Compiled loops where the CPU stands in for a GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd

pytestmark = pytest.mark.usefixtures("any_gpu")


@pytest.fixture
def folder(tmp_path: Any) -> str:
    random = np.random.default_rng(0)
    for k in range(7):
        cv2.imwrite(str(tmp_path / f"{k}.jpg"), random.integers(0, 256, (24, 32, 3), np.uint8))
    return str(tmp_path)


def steps(folder: str, compile: bool, move: bool) -> tuple[list[Any], list[str]]:
    reader = ndd.readers.File(files=sorted(map(str, Path(folder).iterdir())))
    ndd.random.set_seed(3)
    made, where = [], []
    for data, labels in reader.next_epoch(batch_size=2, compile=compile):
        images = ndd.decoders.image(data).gpu() if move else ndd.decoders.image(data, device="gpu")
        images = ndd.resize(images, size=[8, 8])
        mirror = ndd.random.coin_flip(batch_size=2)
        images = ndd.crop_mirror_normalize(images, mirror=mirror, dtype=ndd.float32, output_layout="CHW") * 2
        labels = labels.gpu()
        where += [str(images.device), str(labels.device)]
        made.append(images.torch().numpy().copy())
    return made, where


@pytest.mark.parametrize("move", [False, True])
def test_a_compiled_loop_makes_what_an_eager_one_does(folder: str, move: bool) -> None:
    eager, where = steps(folder, compile=False, move=move)
    compiled, also = steps(folder, compile=True, move=move)
    assert {*where, *also} == {"gpu:0"}
    assert str(ndd.capture.report()).endswith("not captured:\n  nothing")
    assert len(eager) == len(compiled) == 4
    assert all(np.array_equal(one, other) for one, other in zip(eager, compiled, strict=True))
