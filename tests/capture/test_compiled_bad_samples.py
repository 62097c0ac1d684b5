"""Compiled loops over samples whose data are bad."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.promises import photos


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Twelve photos, three of which are cut off."""
    for number in range(12):
        data = cv2.imencode(".jpg", photos([(20, 16 + number)])[0])[1].tobytes()
        (tmp_path / f"{number:02d}.jpg").write_bytes(data[:-200] if number in (1, 5, 6) else data)
    return [str(file) for file in sorted(tmp_path.iterdir())]


def run(files: list[str], compiled: bool, **options: Any) -> list[Any]:
    made = []
    for jpegs, labels in ndd.readers.File(files=files).next_epoch(batch_size=3, compile=compiled):
        labels = (labels * 2).evaluate()
        images = ndd.decoders.image(jpegs, **options)
        if options["on_error"] == "skip":
            images, kept = images
            labels = labels.select(kept)
        made.append((np.asarray(ndd.as_tensor(ndd.resize(images, size=[8, 8]))), np.asarray(ndd.as_tensor(labels))))
    return made


def white(bad: Any, data: Any) -> Any:
    return np.full((4, 4, 3), 255)


@pytest.mark.parametrize("on_error", ["replace", "skip", white])
@pytest.mark.parametrize("listed", [False, True])
def test_results_are_those_of_the_loop_as_it_is_written(files, on_error, listed):
    told: list[list[Any]] = [[], []]
    each = [{"on_error": on_error} | ({"errors": errors} if listed else {}) for errors in told]
    for one, other in zip(run(files, False, **each[0]), run(files, True, **each[1]), strict=True):
        for expected, got in zip(one, other, strict=True):
            np.testing.assert_array_equal(got, expected)
    assert [[bad.index for bad in errors] for errors in told] == [[1, 5, 6] if listed else []] * 2


def test_only_calls_that_tell_nothing_are_made_ahead(files):
    run(files, True, on_error="replace")
    assert "decoders.image" in str(ndd.capture.report()).partition("not captured")[0]
    run(files, True, on_error="replace", errors=[])
    assert "decoders.image" in str(ndd.capture.report()).partition("not captured")[2]
