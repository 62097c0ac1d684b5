"""Errors inside of branches name the sample by its number in the whole batch."""

# ruff: noqa: SIM108

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from messages import told
from penstock import Pipeline, fn, pipeline_def
from penstock.pipeline import experimental
from penstock.pipeline.pipeline import fed_inputs

HEIGHTS = [9, 2, 8, 7, 1, 6]


def pictures() -> Any:
    return fn.external_source(lambda: [np.zeros((height, 4, 3), np.uint8) for height in HEIGHTS], layout="HWC")


def heights(images: Any) -> Any:
    return images.shape()[0]


def refused(image: Any) -> Any:
    if image.shape[0] == 6:
        raise ValueError("six rows")
    return image


def natively(images: Any) -> Any:
    return fn.crop(images, crop=[7, 4])


def by_python(images: Any) -> Any:
    return fn.python_function(images, function=refused)


def by_index(images: Any) -> Any:
    return images[6]


def chained(images: Any) -> Any:
    return fn.crop(fn.flip(images), crop=[7, 4])


def graph(call: Any) -> Any:
    images = pictures()
    if heights(images) > 3:  # samples 0, 2, 3 and 5
        made = call(images)
    else:
        made = images
    return made


def nested(call: Any) -> Any:
    images = pictures()
    if heights(images) < 9:  # all but sample 0
        if heights(images) < 3:
            made = images
        else:  # samples 2, 3 and 5
            made = call(images)
    else:
        made = images
    return made


OPTIONS: dict[str, Any] = {"batch_size": 6, "num_threads": 2, "device_id": None, "enable_conditionals": True}


def failing_sample(pipeline: Any) -> str:
    with pytest.raises((RuntimeError, IndexError)) as caught:
        pipeline.run()
    [note] = [line for line in told(caught.value).splitlines() if "called at" in line]
    return note.split(",")[1].strip()


@pytest.mark.parametrize("define", [graph, nested])
@pytest.mark.parametrize("call", [natively, by_python, by_index, chained])
def test_the_number_is_that_of_the_whole_batch(define: Any, call: Any) -> None:
    assert failing_sample(pipeline_def(**OPTIONS)(define)(call)) == "sample 5"


@pytest.mark.parametrize("define", [graph, nested])
def test_so_it_is_once_the_chain_is_known(define: Any) -> None:
    pipeline = pipeline_def(**OPTIONS)(define)(chained)
    assert [failing_sample(pipeline) for _ in range(3)] == ["sample 5"] * 3


def test_the_right_side_of_and() -> None:
    @pipeline_def(**OPTIONS)
    def define() -> Any:
        images = pictures()
        return heights(images) > 3 and by_python(images).shape()[0] > 0

    assert failing_sample(define()) == "sample 5"


def test_a_written_pipeline_tells_it_too() -> None:
    written = pipeline_def(**OPTIONS)(nested)(natively).serialize()
    pipeline = Pipeline.deserialize(written)
    assert pipeline.serialize() == written
    [source] = fed_inputs(pipeline)
    pipeline.feed_input(source, [np.zeros((height, 4, 3), np.uint8) for height in HEIGHTS])
    assert failing_sample(pipeline) == "sample 5"


def test_a_sample_without_a_branch_keeps_its_number() -> None:
    assert failing_sample(pipeline_def(**OPTIONS)(lambda: natively(pictures()))()) == "sample 1"


@pytest.mark.parametrize("define", [graph, nested])
@pytest.mark.parametrize("call", [natively, by_python, by_index, chained])
def test_in_debug_mode_as_well(define: Any, call: Any) -> None:
    pipeline = experimental.pipeline_def(debug=True, **OPTIONS)(define)(call)
    assert failing_sample(pipeline) == "sample 5"
