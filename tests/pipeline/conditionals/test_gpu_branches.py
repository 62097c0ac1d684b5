"""Branches that data on a GPU takes: split and merged there, by conditions on the CPU."""

# ruff: noqa: SIM108, SIM220

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from penstock import fn, pipeline_def, types

pytestmark = pytest.mark.usefixtures("any_gpu")

PHOTOS = [np.random.default_rng(k).integers(0, 256, (9 + k, 4, 3), np.uint8) for k in range(6)]


def made(body: Callable[[Any, bool], Any], move: bool) -> list[Any]:
    def defined() -> Any:
        images = fn.external_source(lambda: PHOTOS, layout="HWC")
        return body(images.gpu() if move else images, fn.reductions.mean(images) > 127)

    pipeline = pipeline_def(defined, batch_size=6, num_threads=2, device_id=0, seed=3, enable_conditionals=True)()
    (result,) = pipeline.run()
    assert (type(result).__name__ == "TensorListGPU") is move
    return [np.array(result.as_cpu().at(k) if move else result.at(k)) for k in range(6)]


def mirrored(images: Any, bright: Any) -> Any:
    if bright:
        images = fn.flip(images)
    else:
        images = fn.crop(images, crop=[5, 2])
    return images


def nested(images: Any, bright: Any) -> Any:
    chance = fn.random.coin_flip(dtype=types.BOOL)
    if bright and not chance:
        rows = fn.reductions.max(images, axes=[0], keep_dims=True)
        images = fn.cat(rows, images, axis=0)
    elif bright or chance:
        images = fn.stack(images, images)[1]
    return images


def of_nobody(images: Any, bright: Any) -> Any:
    if bright and not bright:
        images = fn.flip(images)
    return images


@pytest.mark.parametrize("body", [mirrored, nested, of_nobody])
def test_branches_make_what_they_make_on_the_cpu(body: Any) -> None:
    for got, wanted in zip(made(body, True), made(body, False), strict=True):
        assert np.array_equal(got, wanted)


def condition(images: Any, bright: Any) -> Any:
    if fn.reductions.max(images) > 5:
        images = fn.flip(images)
    return images


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        (condition, ValueError, r"Invalid device \"gpu\" for argument 'predicate' of .* must be on CPU\. `\.cpu\(\)`"),
        (lambda images, bright: not fn.reductions.max(images), RuntimeError, "`not` is .* on CPU. Got a GPU input in"),
        (
            lambda images, bright: (fn.reductions.max(images) > 3) and bright, RuntimeError,
            r"`and` is restricted to scalar .* Got a GPU input as the left argument in logical expression\.",
        ),
        (
            lambda images, bright: bright or (fn.reductions.max(images) > 3), RuntimeError,
            r"`or` is restricted to scalar .* Got a GPU input as the right argument in logical expression\.",
        ),
    ],
)  # fmt: skip
def test_conditions_are_on_the_cpu(body: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        made(body, True)
