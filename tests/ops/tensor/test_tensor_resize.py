"""tensor_resize: any axes of any array resampled."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
import penstock.types as types
from ops.promises import check_operator, photos

LINE = np.array([0, 10, 20, 40, 80], np.float32)


def resized(array, **arguments):
    return np.asarray(ndd.tensor_resize(array, **arguments)).round(3).tolist()


def arrays(shapes, dtype=np.float32):
    return [(np.arange(np.prod(shape)) * 37 % 251).reshape(shape).astype(dtype) for shape in shapes]


@pytest.mark.parametrize(
    "arguments",
    [
        {"sizes": [4, 3, 5]},
        {"sizes": [7], "axes": [1]},
        {"scales": [2.5, 0.4], "axes": [-1, 0], "alignment": [0.1, 0.9]},
        {"scales": [0.7], "size_rounding": "ceil", "interp_type": types.INTERP_CUBIC},
        {"sizes": [0, 4, 0], "mode": "stretch"},
        {"sizes": [3, -4], "axes": [2, 0], "antialias": False, "dtype": ndd.float32},
        {"sizes": [3, 4], "axes": [0, 2], "roi_start": [1, 0], "roi_end": [2, 3]},
        {"sizes": [], "axes": []},
    ],
)
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint16, np.float32])
def test_tensor_resize_keeps_the_promises(arguments, dtype):
    # The native filters are sampled, which shows in curved ones.
    atol = (0.2 if "interp_type" in arguments else 1e-3) if dtype is np.float32 else 1
    check_operator("tensor_resize", arrays([(4, 6, 3), (1, 5, 2)], dtype), layout=None, atol=atol, **arguments)


@pytest.mark.parametrize("ndim", range(1, 8))
def test_every_axis_of_every_rank_can_be_resampled(ndim):
    got = check_operator("tensor_resize", arrays([(2,) * ndim]), layout=None, atol=1e-3, sizes=[3] * ndim)
    assert got[0].shape == (3,) * ndim


def test_it_does_what_resize_does():
    images = ndd.batch(photos([(40, 60), (33, 21)]), layout="HWC")
    for a, b in zip(
        ndd.tensor_resize(images, sizes=[20, 31], axis_names="HW"), ndd.resize(images, size=[20, 31]), strict=True
    ):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b), strict=True)


def test_every_sample_may_have_arguments_of_its_own():
    samples = arrays([(5,), (8,)])
    check_operator("tensor_resize", samples, layout=None, atol=1e-3, per_sample={"sizes": [[3.0], [9.5]]})
    each = {"scales": [[0.3], [1.4]], "alignment": [[0.0], [1.0]]}
    check_operator("tensor_resize", samples, layout=None, atol=1e-3, per_sample=each)
    each = {"roi_start": [[1.0], [0.0]], "roi_end": [[3.0], [7.5]], "interp_type": [1, 2]}
    check_operator("tensor_resize", samples, layout=None, atol=0.2, per_sample=each, sizes=[4])


def test_extents_are_rounded_as_told():
    assert resized(LINE, scales=[0.5]) == [2.5, 22.5, 70.0]
    assert resized(LINE, scales=[0.5], size_rounding="truncate") == [10.0, 45.0]
    assert resized(LINE, scales=[0.3], size_rounding="ceil", subpixel_scale=False) == resized(LINE, sizes=[2])
    assert len(resized(LINE, scales=[0.01], size_rounding="truncate")) == 1


def test_one_point_stays_where_it_is():
    assert resized(LINE, sizes=[2.5], alignment=0.0) == [6.25, 33.75, 75.0]
    assert resized(LINE, sizes=[2.5], alignment=1.0) == [1.25, 16.25, 57.5]


def test_scales_are_of_the_whole_whatever_the_region():
    assert len(resized(LINE, scales=[2.0], roi_start=[1], roi_end=[4])) == 10
    assert resized(LINE, sizes=[3], roi_start=[0.8], roi_end=[0.2], roi_relative=True) == [40, 20, 10]


def test_empty_arrays_stay_empty():
    assert ndd.tensor_resize(np.zeros((0, 3), np.float32), sizes=[2, 2]).shape == (0, 2)


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({}, RuntimeError, "Need one of `scales` or `sizes`, but not both"),
        ({"sizes": [3], "scales": [2]}, RuntimeError, "Need one of `scales` or `sizes`, but not both"),
        ({"sizes": [3], "axes": [2]}, IndexError, r"2 not in range \[-2,1\]"),
        ({"sizes": [3, 3], "axes": [1, -1]}, ValueError, "Duplicate axis index 1"),
        ({"sizes": [3, 3], "axes": []}, RuntimeError, '"sizes" expects either a single value or a list of 0 elements'),
        ({"sizes": [3], "axes": [0], "axis_names": "H"}, RuntimeError, "mutually exclusive"),
        ({"sizes": [3], "axis_names": "C"}, RuntimeError, "Axis 'C' is not present"),
        ({"sizes": [3, 3, 3]}, RuntimeError, "a list of 2 elements. 3 given"),
        ({"sizes": [3, 3], "alignment": [1, 2, 3]}, RuntimeError, "a list of 2 elements. 3 given"),
        ({"scales": [3, 3], "mode": "not_larger"}, RuntimeError, "incompatible with not-smaller or not-larger"),
        ({"sizes": [3, 3], "roi_start": [1, 1]}, RuntimeError, "must be specified together"),
        ({"sizes": [3, 3], "size_rounding": "floor"}, RuntimeError, "``rounding`` value floor is not supported"),
        ({"sizes": [3, 3], "dtype": ndd.int16}, RuntimeError, "must output original type or float"),
        ({"sizes": [1e9, 3]}, ValueError, "is not possible"),
        ({"sizes": [float("nan"), 3]}, ValueError, "must be a number"),
        ({"sizes": ndd.batch([[1.0, 2.0, 3.0]])}, RuntimeError, '"sizes" has 3 values for 2 axes'),
    ],
)
def test_bad_arguments_are_told(arguments, kind, text):
    with pytest.raises(kind, match=text):
        ndd.tensor_resize(ndd.tensor(np.zeros((2, 3), np.uint8), layout="HW"), **arguments).evaluate()


def test_bad_inputs_are_told_at_the_call():
    with pytest.raises(RuntimeError, match="Input must be at least 1D"):
        ndd.tensor_resize(np.float32(1), sizes=[1])
    with pytest.raises(RuntimeError, match="Unsupported type: int32"):
        ndd.tensor_resize(np.zeros(3, np.int32), sizes=[1])


@given(data=st.data(), shape=st.lists(st.integers(1, 6), min_size=1, max_size=4))
@settings(max_examples=30, deadline=None)
def test_any_axes_of_any_array(data, shape):
    count = data.draw(st.integers(1, len(shape)))
    check_operator(
        "tensor_resize",
        arrays([shape]),
        layout=None,
        atol=2e-3,
        sizes=data.draw(st.lists(st.floats(1, 12), min_size=count, max_size=count)),
        axes=data.draw(st.permutations(range(len(shape))))[:count],
        alignment=data.draw(st.floats(0, 1)),
        size_rounding=data.draw(st.sampled_from(["round", "truncate", "ceil"])),
    )
