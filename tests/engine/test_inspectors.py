"""Calls that are shown to an inspector run one by one, with the same results."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told
from penstock.engine import events

ASSETS = Path(__file__).resolve().parents[2] / "src/penstock/cli/assets"
IMAGES = np.random.default_rng(4).integers(0, 256, (3, 20, 24, 3), np.uint8)


def chain(images: ndd.Batch) -> ndd.Batch:
    small = ndd.resize(images, size=[12, 10])
    turned = ndd.rotate(small, angle=ndd.batch([10.0, 20.0, 30.0]), keep_size=True)
    return ndd.crop_mirror_normalize(turned, mean=[100.0], std=[50.0])


def test_every_call_is_seen_with_what_goes_in_and_out() -> None:
    fused = chain(ndd.batch(IMAGES, layout="HWC")).numpy()
    seen: list[events.CallRun] = []
    with events.inspecting(seen.append):
        made = chain(ndd.batch(IMAGES, layout="HWC")).numpy()
    assert (made == fused).all()
    assert [run.op.path for run in seen] == ["resize", "rotate", "crop_mirror_normalize"]
    for earlier, later in pairwise(seen):
        assert later.inputs[0] is earlier.outputs[0]
    assert [float(angle) for angle in seen[1].tensors["angle"].array()] == [10.0, 20.0, 30.0]
    assert (seen[0].inputs[0].array() == IMAGES).all()
    chain(ndd.batch(IMAGES, layout="HWC")).evaluate()
    assert len(seen) == 3


def test_calls_of_compiled_loops_are_seen_in_every_step() -> None:
    reader = ndd.readers.File(file_root=str(ASSETS))
    seen: list[str] = []
    with events.inspecting(lambda run: seen.append(run.op.path)):
        for jpegs, _ in reader.next_epoch(batch_size=3, compile=True):
            ndd.resize(ndd.decoders.image(jpegs), size=[8, 8]).evaluate()
    assert seen == ["decoders.image", "resize"] * 4


def test_an_error_is_raised_as_without_an_inspector() -> None:
    images = ndd.batch([IMAGES[0], IMAGES[0][:4]], layout="HWC")
    seen: list[str] = []
    with events.inspecting(lambda run: seen.append(run.op.path)), ndd.EvalMode.deferred:
        cut = ndd.flip(ndd.crop(ndd.flip(images), crop=[10, 10]))
        with pytest.raises(RuntimeError, match="crop") as raised:
            cut.evaluate()
    # A compiled loop of an earlier test may still run ahead.
    assert [path for path in seen if path in ("flip", "crop")] == ["flip"]
    assert "sample 1" in told(raised.value)
