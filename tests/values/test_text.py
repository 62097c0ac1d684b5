"""How Tensors, Batches and lists of tensors print: line for line as programs for DALI know them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.pipeline.values.tensors import TensorListCPU

RAGGED = [np.arange(6, dtype=np.int32).reshape(2, 3) * 10, np.zeros((1, 3), np.int32)]


def data(value: Any) -> str:
    """What stands before the properties."""
    return str(value).partition("dtype=")[0].partition("\n")[2].strip().rstrip(",")


def shapes(value: Any) -> str:
    return str(value).partition("shape=[")[2].removesuffix("])")


def test_samples_stand_below_each_other_as_far_apart_as_they_have_axes() -> None:
    assert (
        str(ndd.batch(RAGGED, layout="HW"))
        == """Batch(
    [[[ 0 10 20]
     [30 40 50]],

    [[0 0 0]]],
    dtype=i32,
    layout="HW",
    device="cpu",
    num_samples=2,
    shape=[(2, 3), (1, 3)])"""
    )
    assert data(ndd.batch([[1, 2, 3], [4]])) == "[[1 2 3],\n    [4]]"
    assert data(ndd.batch([1, 2, 3])) == "[1, 2, 3]"
    assert data(ndd.batch(np.ones((2, 1, 1, 2), np.uint8))) == "[[[[1 1]]],\n\n\n    [[[1 1]]]]"
    assert data(ndd.batch(np.ones((2, 0), np.uint8))) == "[[],\n    []]"
    assert data(ndd.batch([], dtype=ndd.uint8)) == "[]"


def test_a_list_of_tensors_prints_as_a_batch_does() -> None:
    rows = np.arange(2000).reshape(8, 5, 50)
    assert data(TensorListCPU(rows)) == data(ndd.batch(rows))
    assert shapes(TensorListCPU(rows)) == shapes(ndd.batch(rows))


@pytest.mark.parametrize(
    ("shape", "shortened"),
    [
        ((12, 10, 10), True),
        ((10, 10, 10), False),
        ((6, 167), True),
        ((6, 166), False),
        ((5, 300), False),
        ((1001,), True),
    ],
)
def test_more_than_a_thousand_numbers_in_more_than_five_samples_are_shortened(shape: Any, shortened: bool) -> None:
    for batch in (ndd.batch(np.ones(shape)), ndd.batch([*np.ones(shape)])):
        assert ("..." in data(batch)) == shortened


def test_the_ends_of_a_long_batch_are_shown() -> None:
    assert data(ndd.batch(np.arange(1200)[:, None])) == "[[0],\n    [1],\n    ...,\n    [1198],\n    [1199]]"
    assert data(ndd.batch([1] * 1001)) == "[1, 1, ..., 1, 1]"
    assert data(ndd.batch(np.arange(8000).reshape(4, 2000))).splitlines()[0] == "[[   0    1 ... 1998 1999],"


def test_how_much_of_a_sample_is_shown_is_up_to_the_print_options() -> None:
    with np.printoptions(threshold=5):
        assert data(ndd.tensor(range(6))) == "[0 1 ... 4 5]"
        assert data(ndd.batch([[1, 2, 3, 4, 5, 6]])) == "[[1 2 ... 5 6]]"


def test_shapes_stand_in_one_line_while_they_fit() -> None:
    assert shapes(ndd.batch(np.zeros((7, 3, 3, 3)))) == ", ".join(["(3, 3, 3)"] * 7)
    taller = ndd.batch([np.zeros((10 if i == 0 else 3, 3, 3)) for i in range(7)])
    assert shapes(taller).splitlines() == ["(10, 3, 3), ", *["           (3, 3, 3), "] * 5, "           (3, 3, 3)"]
    assert shapes(ndd.batch(np.zeros((16, 3)))).count("\n") == 15
    assert shapes(ndd.batch(np.zeros((17, 3)))) == "(3,), (3,), ..., (3,), (3,)"
