"""Stages of native steps that are run again without making their calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.decode.files import RGB, saved
from penstock.engine.backends.native_chain import NativeChain, native_chain, repeatable_spec
from penstock.engine.executor import run_stage
from penstock.engine.pending import pending
from penstock.values.samples import arrays_of, from_arrays


@ndd.operator
def inverted(image):
    return 255 - image


def photos(seed: int = 0) -> ndd.Batch:
    pixels = np.random.default_rng(seed).integers(0, 256, (2, 4, 6, 3)).astype(np.uint8)
    return ndd.batch(pixels, layout="HWC")


def files(*kinds: str) -> ndd.Batch:
    return ndd.batch([saved(RGB, kind) for kind in kinds])


def chain_of(value: ndd.Batch) -> NativeChain | None:
    """What is kept of running the calls behind a deferred value as one stage."""
    stage = pending(value._call)
    spec = repeatable_spec(stage)
    passes = run_stage(stage, stage[0].context.pool)
    return None if spec is None else native_chain(stage, spec, passes)


@pytest.fixture(autouse=True)
def deferred():
    with ndd.EvalMode.deferred:
        yield


def test_steps_serve_the_next_batch_of_the_same_spec() -> None:
    chain = chain_of(ndd.flip(ndd.resize(photos(), size=[3, 5])))
    assert chain is not None
    other = photos(1)
    made = chain.run(other._resolve(), 2, ndd.EvalContext.current().pool)
    assert made is not None
    assert made.layout == "HWC"
    expected = ndd.flip(ndd.resize(other, size=[3, 5])).tensors
    assert all(np.array_equal(a, np.asarray(b)) for a, b in zip(arrays_of(made), expected, strict=True))


def test_another_spec_is_left_to_the_executor() -> None:
    chain = chain_of(ndd.flip(photos()))
    assert chain is not None
    floats = from_arrays([np.zeros((4, 6, 3), np.float32)] * 2)
    assert chain.run(floats, 2, ndd.EvalContext.current().pool) is None


@pytest.mark.parametrize(
    "make",
    [
        lambda images: ndd.flip(images, horizontal=ndd.batch([0, 1])),
        lambda images: images + 1,
        lambda images: ndd.pad(images, align=[4]),
        lambda images: inverted(ndd.flip(images)),
        inverted,
    ],
    ids=["per-sample argument", "stacked where it is faster", "built from the data", "native in part", "plain"],
)
def test_what_depends_on_more_than_the_spec_is_not_kept(make: Any) -> None:
    assert chain_of(make(photos())) is None


def test_a_step_built_for_another_chain_is_not_taken_where_the_storage_was() -> None:
    images = photos()
    reshaped = {"shape": [6, 4, 3], "layout": "HWC"}
    assert chain_of(ndd.flip(ndd.reshape(images, **reshaped))) is not None
    alone = ndd.reshape(images, **reshaped)
    assert alone._call.memo.step is not None
    assert chain_of(alone) is None


def test_a_decoder_serves_the_next_batch_of_jpegs() -> None:
    chain = chain_of(ndd.flip(ndd.decoders.image(files("JPEG"))))
    assert chain is not None
    other = ndd.batch([saved(RGB[:8, :5], "JPEG"), saved(RGB, "JPEG", progressive=True)])
    made = chain.run(other._resolve(), 2, ndd.EvalContext.current().pool)
    assert made is not None
    expected = ndd.flip(ndd.decoders.image(other)).tensors
    assert all(np.array_equal(a, np.asarray(b)) for a, b in zip(arrays_of(made), expected, strict=True))


@pytest.mark.parametrize("damaged", [saved(RGB, "PNG"), saved(RGB, "JPEG")[:30], np.zeros(0, np.uint8)])
def test_what_is_no_whole_jpeg_is_left_to_the_executor(damaged: Any) -> None:
    chain = chain_of(ndd.decoders.image(files("JPEG")))
    assert chain is not None
    batch = ndd.batch([saved(RGB, "JPEG"), damaged])
    assert chain.run(batch._resolve(), 2, ndd.EvalContext.current().pool) is None


def test_images_decoded_for_one_batch_are_not_kept() -> None:
    assert chain_of(ndd.decoders.image(files("JPEG"))) is not None
    decoded = ndd.decoders.image(files("JPEG", "PNG"))
    memo = decoded._call.memo
    assert chain_of(decoded) is None
    assert memo.step is None
