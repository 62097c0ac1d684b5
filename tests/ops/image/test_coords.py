"""coord_transform and coord_flip: points moved by affine maps, and mirrored."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator
from penstock import types

POINTS = [np.float32([[1, 2], [3, 4], [5, 6]]), np.float32([[0.5, -0.25]])]


def moved(points, **arguments):
    return np.asarray(ndd.coord_transform(points, **arguments)).tolist()


def flipped(points, **arguments):
    return np.asarray(ndd.coord_flip(points, **arguments)).tolist()


@pytest.mark.parametrize(
    ("arguments", "per_sample"),
    [
        ({}, {}),
        ({"M": 2.0, "T": [1.0, 2.0]}, {}),
        ({"M": [1, 2, 3, 4, 5, 6], "T": 1.0}, {}),
        ({"MT": [[1, 2, 3]]}, {}),
        ({}, {"M": [2.0, 3.0], "T": [[1.0, 2.0], [3.0, 4.0]]}),
        ({}, {"M": [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]}),
        ({}, {"MT": [[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]}),
    ],
)
def test_coord_transform_keeps_the_promises(arguments, per_sample):
    per_sample = {name: [np.float32(value) for value in values] for name, values in per_sample.items()}
    check_operator("coord_transform", POINTS, layout=None, per_sample=per_sample, rtol=1e-6, **arguments)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16, np.int32])
def test_integers_are_rounded_and_saturated(dtype):
    points = [np.array([[200, 3, 4]] * 500, dtype), np.array([[1, 2, 3]], dtype)]
    own = ndd.dtype(np.dtype(dtype))
    check_operator("coord_transform", points, layout=None, M=[[1.5, 0, -90], [0, 0.5, 0]], dtype=own, rtol=1e-6)
    assert moved(points[1], M=1.5, dtype=own) == [[2, 3, 5]]


def test_points_by_eye():
    assert moved(POINTS[0], M=[0, 1, 1, 0]) == [[2, 1], [4, 3], [6, 5]]
    assert moved(POINTS[0], M=[1, 1]) == [[3], [7], [11]]
    assert moved(POINTS[0], MT=ndd.transforms.translation(offset=[10, 20])) == [[11, 22], [13, 24], [15, 26]]
    assert moved(np.uint8([[200, 3]]), M=2, dtype=types.UINT8) == [[255, 6]]
    assert moved(np.zeros((0, 2), np.float32), M=[1, 2, 3, 4, 5, 6]) == []
    frames = ndd.tensor(np.ones((2, 3, 2), np.float32), layout="FNC")
    scaled = ndd.coord_transform(frames, M=ndd.per_frame(ndd.tensor([1.0, 2.0])))
    assert np.asarray(scaled)[:, 0].tolist() == [[1, 1], [2, 2]]
    assert scaled.layout == "FNC"


def test_no_points_may_be_of_any_type():
    for dtype in (np.float64, np.int64, np.float16):
        assert np.asarray(ndd.coord_transform(np.zeros((0, 3), dtype), M=[1, 2, 3, 4, 5, 6], T=[1, 2])).shape == (0, 2)
    none = ndd.batch([np.zeros((0, 2)), np.zeros((0, 2))])
    assert ndd.coord_transform(none, M=2.0).evaluate().dtype == ndd.float32
    with pytest.raises(RuntimeError, match="Unsupported input type: double"):
        ndd.coord_transform(ndd.batch([np.zeros((0, 2)), np.zeros((1, 2))]), M=2.0).evaluate()


def test_points_without_frames_serve_every_frame():
    matrices = np.arange(18, dtype=np.float32).reshape(3, 2, 3)
    points = np.float32([[1, 2]])
    made = ndd.coord_transform(points, MT=ndd.per_frame(ndd.tensor(matrices)))
    assert made.layout is None
    assert np.asarray(made).tolist() == [[[4, 16]], [[28, 40]], [[52, 64]]]
    named = ndd.coord_transform(ndd.tensor(points, layout="NX"), M=ndd.per_frame(ndd.tensor([1.0, 2.0])), T=5)
    assert named.layout == "FNX"
    assert np.asarray(named).tolist() == [[[6, 7]], [[7, 9]]]
    with pytest.raises(RuntimeError, match="argument `T` contains 2 per-frame parameters, but there are 3 frames in"):
        ndd.coord_transform(points, M=ndd.per_frame([1.0, 2.0, 3.0]), T=ndd.per_frame([1.0, 2.0])).evaluate()
    each = ndd.per_frame(ndd.batch([matrices, matrices[:1]]))
    assert ndd.coord_transform(ndd.batch(POINTS), MT=each).evaluate().shape == [(3, 3, 2), (1, 1, 2)]


def test_mirrored_by_eye():
    assert flipped(np.float32([[0.25, 0.5]])) == [[0.75, 0.5]]
    assert flipped(np.float32([[1, 2, 3]]), flip_x=0, flip_z=1, center_z=4) == [[1, 2, 5]]
    assert flipped(np.float32([[1, 2]]), layout="yx") == [[1, -1]]
    assert flipped(np.float32([[np.inf, 2]]), flip_y=1)[0][1] == -1
    each = ndd.coord_flip(ndd.batch(POINTS), flip_x=ndd.batch([0, 1]), center_x=ndd.batch([1.0, 2.0]))
    assert [np.asarray(sample).tolist() for sample in each] == [POINTS[0].tolist(), [[3.5, -0.25]]]


@pytest.mark.parametrize("flips", [{}, {"flip_x": 0}, {"flip_y": 1, "center_y": 3.0}, {"flip_z": 1, "center_z": -1.0}])
def test_coord_flip_keeps_the_promises(flips):
    check_operator("coord_flip", POINTS, layout=None, per_sample={"center_x": [1.0, 2.0]}, **flips)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: ndd.coord_transform(POINTS[0], M=[1, 2, 3]), "a matrix of 2 columns"),
        (lambda: ndd.coord_transform(POINTS[0], M=[[1, 2, 3]]), "a matrix of 2 columns"),
        (lambda: ndd.coord_transform(POINTS[0], M=[]), "a matrix of 2 columns"),
        (lambda: ndd.coord_transform(POINTS[0], MT=[1, 2, 3, 4]), "a matrix of 3 columns"),
        (lambda: ndd.coord_transform(POINTS[0], T=[1, 2, 3]), "Expected 2-D translation vectors, got 3-D"),
        (lambda: ndd.coord_transform(POINTS[0], M=np.zeros((1, 2, 2))), "at most 2 dimensions"),
        (lambda: ndd.coord_transform(POINTS[0], M=2, MT=3), "cannot be used together"),
        (lambda: ndd.coord_transform(np.float32([1, 2]), M=2), "at least 2 dimensions"),
        (lambda: ndd.coord_transform(np.float64([[1, 2]]), M=2), "Unsupported input type: double"),
        (lambda: ndd.coord_transform(POINTS[0], dtype=types.INT32), "or `float`"),
        (lambda: ndd.coord_flip(np.float32([1, 2])), "rows of a 2-D array"),
        (lambda: ndd.coord_flip(np.int32([[1, 2]])), "expected to be float"),
        (lambda: ndd.coord_flip(np.ones((2, 4), np.float32)), "4 coordinates, of which only 3"),
        (lambda: ndd.coord_flip(POINTS[0], layout="x"), "2 coordinates, of which only 1"),
        (lambda: ndd.coord_flip(POINTS[0], layout="xx"), "at most once"),
    ],
)
def test_what_does_not_fit_is_refused(call, text):
    with pytest.raises(RuntimeError, match=text):
        call().evaluate()


def test_nan_and_batch_sizes():
    with pytest.raises(ValueError, match="NaN"):
        ndd.coord_transform(POINTS[0], M=float("nan"))
    with pytest.raises(ValueError, match="Inconsistent batch size"):
        ndd.coord_flip(ndd.batch(POINTS), flip_x=ndd.batch([1, 0, 1]))


@settings(max_examples=40, deadline=None)
@given(
    points=st.integers(0, 600),
    dims=st.integers(1, 5),
    out=st.integers(1, 5),
    dtype=st.sampled_from([np.uint8, np.int16, np.int32, np.float32]),
    moves=st.booleans(),
)
def test_any_number_of_points_and_coordinates(points, dims, out, dtype, moves):
    random = np.random.default_rng(0)
    samples = [random.integers(0, 100, (n, dims)).astype(dtype) for n in (points, 3)]
    matrix = random.integers(-4, 5, (out, dims + moves)).astype(np.float32)
    check_operator("coord_transform", samples, layout=None, **{"MT" if moves else "M": matrix}, rtol=1e-6)
