"""transforms.*: matrices of affine transforms, one by one, in batches and for every frame."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator

X = ndd.transforms
MATRICES = [np.float32([[1, 2, 3], [4, 5, 6]]), np.float32([[0, -1, 2], [1, 0, -3]])]
CALLS = [
    ("translation", {}, {"offset": [[1.0, 2.0], [3.0, 4.0]]}),
    ("translation", {"offset": [5.0, -1.0], "reverse_order": True}, {}),
    ("scale", {"scale": [2.0, 3.0]}, {"center": [[1.0, 2.0], [3.0, 4.0]]}),
    ("scale", {"scale": 2.0}, {}),
    ("rotation", {"center": [1.0, 2.0]}, {"angle": [30.0, -45.0]}),
    ("rotation", {"angle": 90.0, "reverse_order": True}, {}),
    ("shear", {"center": 1.0}, {"shear": [[0.5, 0.0], [0.0, 2.0]]}),
    ("shear", {"angles": [30.0, 10.0]}, {}),
    ("crop", {"from_end": [2.0, 4.0]}, {"to_start": [[1.0, 2.0], [0.0, 0.5]]}),
    ("crop", {"from_start": [3.0, 4.0], "absolute": True}, {}),
]


def shown(result):
    return np.asarray(result).tolist()


def applied(matrix, point):
    matrix = np.asarray(matrix, np.float64)
    return (matrix[:, :-1] @ point + matrix[:, -1]).tolist()


@pytest.mark.parametrize(("name", "arguments", "per_sample"), CALLS)
def test_transforms_keep_the_promises(name, arguments, per_sample):
    check_operator(f"transforms.{name}", MATRICES, layout=None, per_sample=per_sample, **arguments)


@pytest.mark.parametrize(("name", "arguments", "per_sample"), CALLS)
def test_an_input_goes_first_unless_reversed(name, arguments, per_sample):
    each = {key: ndd.batch(values) for key, values in per_sample.items()}
    last = bool(arguments.get("reverse_order"))
    own = {"ndim": 2} if name == "scale" else {}
    alone = getattr(X, name)(**arguments, **each, **own, batch_size=None if each else 2)
    chained = getattr(X, name)(ndd.batch(MATRICES), **arguments, **each)
    for one, both, before in zip(alone, chained, MATRICES, strict=True):
        first, second = (one, before) if last else (before, one)
        point = applied(second, applied(first, [0.5, 2]))
        np.testing.assert_allclose(applied(both, [0.5, 2]), point, rtol=1e-5, atol=1e-5)


def test_matrices_by_eye():
    assert shown(X.translation(offset=[1, 2])) == [[1, 0, 1], [0, 1, 2]]
    assert shown(X.translation(offset=5)) == [[1, 5]]
    assert shown(X.scale(scale=[2, 3])) == [[2, 0, 0], [0, 3, 0]]
    assert shown(X.scale(scale=2, ndim=2)) == [[2, 0, 0], [0, 2, 0]]
    assert shown(X.scale(scale=2)) == [[2, 0]]
    assert shown(X.shear(shear=[1, 2])) == [[1, 1, 0], [2, 1, 0]]
    assert shown(X.shear(shear=[1, 2, 3, 4, 5, 6])) == [[1, 1, 2, 0], [3, 1, 4, 0], [5, 6, 1, 0]]
    assert shown(X.shear(shear=ndd.tensor([[0.5], [0.0]]))) == [[1, 0.5, 0], [0, 1, 0]]
    assert shown(X.crop(from_end=[2, 4], to_start=[1, 1], to_end=[5, 5])) == [[2, 0, 1], [0, 1, 1]]
    assert shown(X.crop()) == [[1, 0]]
    np.testing.assert_allclose(shown(X.rotation(angle=90)), [[0, -1, 0], [1, 0, 0]], atol=1e-7)


@pytest.mark.parametrize("made", [
    lambda: X.rotation(angle=33, center=[3, 4]),
    lambda: X.rotation(angle=33, axis=[1, -2, 3], center=[3, 4, 5]),
    lambda: X.scale(scale=[2, 3], center=[3, 4]),
    lambda: X.shear(shear=[2, 3], center=[3, 4]),
])  # fmt: skip
def test_the_center_stays(made):
    matrix = np.asarray(made())
    center = [3, 4, 5][: len(matrix)]
    np.testing.assert_allclose(applied(matrix, center), center, rtol=1e-5)


def test_rotation_about_an_axis_leaves_it_alone():
    matrix = np.asarray(X.rotation(angle=77, axis=[1, 2, 3]))
    np.testing.assert_allclose(matrix[:, :3] @ [1, 2, 3], [1, 2, 3], rtol=1e-5)
    np.testing.assert_allclose(matrix[:, :3] @ matrix[:, :3].T, np.eye(3), atol=1e-6)


def test_combine_goes_from_first_to_last():
    move, grow = X.translation(offset=[1, 2]), X.scale(scale=[2, 2])
    assert shown(X.combine(move, grow)) == [[2, 0, 2], [0, 2, 4]]
    assert shown(X.combine(move, grow, reverse_order=True)) == [[2, 0, 1], [0, 2, 2]]
    assert shown(X.combine(move, move, move)) == [[1, 0, 3], [0, 1, 6]]
    several = X.combine(ndd.batch(MATRICES), move)
    assert several.layout == "**"
    assert [shown(each) for each in several] == [shown(X.combine(matrix, move)) for matrix in MATRICES]


def test_every_frame_has_a_transform():
    angles = ndd.per_frame(ndd.batch([[10.0, 20.0], [30.0]]))
    moved = X.rotation(angle=angles, center=ndd.batch([[1.0, 2.0], [3.0, 4.0]]))
    assert (moved.layout, moved.shape) == ("F**", [(2, 2, 3), (1, 2, 3)])
    first, second = moved
    assert shown(first)[1] == shown(X.rotation(angle=20, center=[1, 2]))
    assert shown(second)[0] == shown(X.rotation(angle=30, center=[3, 4]))
    one = X.translation(MATRICES[0], offset=ndd.per_frame(ndd.tensor([[1.0, 2.0], [3.0, 4.0]])))
    assert shown(one)[1] == shown(X.translation(MATRICES[0], offset=[3, 4]))
    frames = ndd.tensor(np.stack(MATRICES), layout="F**")
    assert shown(X.combine(MATRICES[0], frames))[1] == shown(X.combine(MATRICES[0], MATRICES[1]))
    assert shown(X.scale(frames, scale=2))[0] == shown(X.scale(MATRICES[0], scale=2))


def test_samples_may_have_different_numbers_of_axes():
    made = X.translation(offset=ndd.batch([[1.0, 2.0], [3.0, 4.0, 5.0]]))
    assert made.shape == [(2, 3), (3, 4)]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: X.translation(), TypeError, "offset"),
        (lambda: X.translation(offset=[]), RuntimeError, "number of dimensions 0"),
        (lambda: X.translation(offset=[1] * 7), RuntimeError, "number of dimensions 7"),
        (lambda: X.translation(offset=[np.nan, 1]), ValueError, "NaN"),
        (lambda: X.translation(offset=ndd.tensor([[1.0, 2.0]])), RuntimeError, "2 dimensions"),
        (lambda: X.translation(MATRICES[0], offset=[1, 2, 3]), RuntimeError, "2D transform .* 3D"),
        (lambda: X.translation(MATRICES[0][:, :2].copy(), offset=[1, 2]), RuntimeError, "2 rows and 2 columns"),
        (lambda: X.translation(np.float64(MATRICES[0]), offset=[1, 2]), RuntimeError, "got: double"),
        (lambda: X.translation(np.zeros(6, np.float32), offset=[1, 2]), RuntimeError, "1 dimensions"),
        (lambda: X.scale(scale=[2, 3], center=[1, 2, 3]), RuntimeError, 'Expected 2 values for argument "center"'),
        (lambda: X.scale(scale=2, ndim=9), RuntimeError, "number of dimensions 9"),
        (lambda: X.rotation(angle=1, axis=[1, 2]), RuntimeError, 'Expected 3 values for argument "axis"'),
        (lambda: X.shear(), RuntimeError, "One and only one"),
        (lambda: X.shear(shear=[1, 2], angles=[1, 2]), RuntimeError, "One and only one"),
        (lambda: X.shear(shear=[1, 2, 3]), RuntimeError, "2 or 6 numbers"),
        (lambda: X.shear(angles=[100, 0]), RuntimeError, r"range \[-90, 90\]. Got: 100"),
        (lambda: X.crop(from_start=[0, 0, 0], to_end=[1, 2]), RuntimeError, "same number of dimensions"),
        (lambda: X.combine(MATRICES[0]), TypeError, "input_1"),
        (lambda: X.combine(MATRICES[0], np.zeros((3, 4), np.float32)), RuntimeError, "the same shape"),
        (lambda: X.combine(ndd.batch(MATRICES), ndd.batch(MATRICES * 2)), ValueError, "Inconsistent batch size"),
    ],
)
def test_what_cannot_be_a_transform_is_refused(call, error, text):
    with pytest.raises(error, match=text):
        call().evaluate()


@settings(max_examples=40, deadline=None)
@given(
    data=st.data(),
    n=st.integers(1, 5),
    dims=st.integers(1, 6),
    name=st.sampled_from(["translation", "scale", "crop"]),
    reverse_order=st.booleans(),
)
def test_any_number_of_axes(data, n, dims, name, reverse_order):
    numbers = st.floats(-100, 100, width=32)
    rows = data.draw(st.lists(st.lists(numbers, min_size=dims, max_size=dims), min_size=n, max_size=n))
    argument = {"translation": "offset", "scale": "scale", "crop": "to_end"}[name]
    matrices = [np.eye(dims, dims + 1, dtype=np.float32) * (i + 1) for i in range(n)]
    check_operator(
        f"transforms.{name}", matrices, layout=None, per_sample={argument: rows}, reverse_order=reverse_order
    )
