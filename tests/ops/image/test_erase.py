"""erase: regions overwritten with a constant."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos
from penstock.values.dtypes import NUMERIC

SIZES = [(4, 6), (1, 5), (30, 11)]
TYPES = [dtype for dtype in NUMERIC if dtype not in (ndd.float64, ndd.bool)]


def erased(extents, layout="HW", **arguments):
    return np.asarray(ndd.erase(ndd.tensor(np.zeros(extents, np.uint8), layout=layout), fill_value=9, **arguments))


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"anchor": [1, 2], "shape": [2, 3]},
        {"anchor": [1, 2, 0, 0], "shape": [2, 3, 1, 9], "fill_value": [1, 2, 3]},
        {"shape": [2, 3, 1, 9]},
        {"anchor": [2, 1], "shape": [3, 2], "axes": [1, 0], "fill_value": -2.7},
        {"anchor": [1], "shape": [1], "axis_names": "C", "fill_value": [300, 20.5, 30]},
        {"anchor": [0.3, 0.5], "shape": [0.4, 0.7], "normalized": True, "centered_anchor": True},
        {"anchor": [0.3, 0.5], "shape": [2, 3], "normalized_anchor": True},
        {"anchor": [1, 2], "shape": [0.4, 0.7], "normalized_shape": True, "fill_value": []},
        {"anchor": [-1e30, 0], "shape": [1e38, float("inf")]},
    ],
)
def test_erase_keeps_the_promises(arguments):
    check_operator("erase", photos(SIZES), **arguments)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_every_type_is_erased(dtype):
    check_operator(
        "erase", photos(SIZES, dtype=dtype.storage), anchor=[0, 1], shape=[2, 2], fill_value=[-3.5, 9.9, 70000]
    )


@pytest.mark.parametrize(
    ("layout", "shape"), [("CHW", (3, 5, 6)), ("FHWC", (2, 5, 6, 3)), ("CDHW", (3, 4, 5, 6)), ("FCHW", (2, 3, 5, 6))]
)
def test_every_layout_is_erased(layout, shape):
    samples = [np.arange(np.prod(shape)).reshape(shape).astype(np.int16)]
    fill = [1, 2, 3]
    got = check_operator("erase", samples, layout=layout, anchor=[1, 2], shape=[2, 3], axis_names="HW", fill_value=fill)
    order = [layout.index("C"), layout.index("H"), layout.index("W")]
    front = np.moveaxis(got[0], order, [-3, -2, -1])
    assert (front[..., 1:3, 2:5] == np.reshape(fill, (3, 1, 1))).all()


def test_every_sample_may_have_regions_of_its_own():
    each = {
        "anchor": [[1.0, 1.0], [], [3.0, 4.0, 5.0, 6.0]],
        "shape": [[1.0, 2.0], [], [1.0, 1.0, 2.0, 2.0]],
    }
    each = {name: [np.array(row, np.float32) for row in rows] for name, rows in each.items()}
    got = check_operator("erase", photos(SIZES), per_sample=each | {"fill_value": [1.0, 2.0, 3.0]})
    assert (got[0][1, 1:3] == 1).all()
    assert (got[2][5:7, 6:8] == 3).all()


def test_regions_without_an_anchor_are_at_the_origin():
    assert erased((2, 3), shape=[1, 2]).tolist() == [[9, 9, 0], [0, 0, 0]]
    assert erased((2, 3), shape=[1, 2], anchor=None).tolist() == [[9, 9, 0], [0, 0, 0]]
    rows = [np.float32(row) for row in ([1, 2], [], [2, 1, 1, 3])]
    got = check_operator("erase", photos(SIZES), per_sample={"shape": rows}, fill_value=7)
    assert (got[0][:1, :2] == 7).all()
    assert (got[2][:1, :3] == 7).all()


def test_regions_are_cut_off_at_the_edges():
    assert erased((2, 3), anchor=[1, 2], shape=[5, 5]).tolist() == [[0, 0, 0], [0, 0, 9]]
    assert erased((2, 3), anchor=[-1, -1], shape=[2, 2]).tolist() == [[9, 0, 0], [0, 0, 0]]
    assert not erased((2, 3), anchor=[1, 1], shape=[-1, 2]).any()
    assert not erased((2, 3), anchor=[5, 5], shape=[2, 2]).any()


def test_bounds_are_cut_off_to_whole_pixels():
    assert erased((4, 5), anchor=[0.5, 1.5], shape=[1.5, 2.4]).nonzero()[0].max() == 1
    assert erased((1, 10), anchor=[0, 0.7], shape=[1, 0.2], normalized=True).nonzero()[1].tolist() == [7, 8]


def test_all_axes_but_the_channels_are_meant_unless_told_otherwise():
    got = erased((2, 3, 4), layout="FHW", anchor=[1, 0, 2], shape=[1, 2, 1])
    assert np.argwhere(got).tolist() == [[1, 0, 2], [1, 1, 2]]
    assert erased((3, 2, 2), layout="CHW", anchor=[0, 1], shape=[1, 1]).sum() == 27
    assert erased((3,), layout=None, axes=[-1], anchor=[1], shape=[1]).tolist() == [0, 9, 0]


def test_names_count_before_numbers():
    got = erased((2, 3), axis_names="WH", axes=[0, 1], anchor=[2, 0], shape=[1, 1])
    assert np.argwhere(got).tolist() == [[0, 2]]


def test_frames_may_have_regions_of_their_own():
    video = ndd.tensor(np.zeros((3, 1, 4, 1), np.uint8), layout="FHWC")
    starts = ndd.per_frame(ndd.tensor(np.array([[0, 0], [0, 1], [0, 3]], np.float32)))
    got = ndd.erase(video, anchor=starts, shape=[1, 1], fill_value=1)
    assert np.asarray(got)[:, 0, :, 0].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]


@pytest.mark.parametrize("shape", [(0, 3, 3), (3, 0, 3), (3, 3, 0)])
def test_empty_images_stay_empty(shape):
    assert ndd.erase(ndd.tensor(np.zeros(shape, np.uint8), layout="HWC"), anchor=[0, 0], shape=[2, 2]).shape == shape


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"anchor": [1, 2], "shape": [1]}, "got 2 and 1 for 2 axes"),
        ({"anchor": [1, 2]}, "got 2 and 0 for 2 axes"),
        ({"anchor": [1, 2, 3], "shape": [1, 2, 3]}, "got 3 and 3 for 2 axes"),
        ({"anchor": [1, 2], "shape": [1, 2], "axis_names": "HD"}, "Axis 'D' is not present"),
        ({"anchor": [1], "shape": [1], "axes": [3]}, "Axis 3 out of range"),
        ({"anchor": [1, 1], "shape": [1, 1], "axes": [0, 0]}, "occurs more than once"),
        ({"anchor": [1, 2], "shape": [1, 2], "fill_value": [1, 2]}, "2 values for 3 channels"),
        ({"normalized": True, "normalized_anchor": False}, "`normalized` argument is incompatible"),
    ],
)
def test_bad_arguments_are_told(arguments, text):
    with pytest.raises(RuntimeError, match=text):
        ndd.erase(ndd.tensor(np.zeros((4, 4, 3), np.uint8), layout="HWC"), **arguments).evaluate()


def test_bad_inputs_are_told_at_the_call():
    for dtype in (np.float64, np.bool_):
        with pytest.raises(RuntimeError, match="Unsupported data type"):
            ndd.erase(np.zeros(3, dtype), anchor=[0], shape=[1], axes=[0])
    with pytest.raises(RuntimeError, match="Unsupported number of dimensions 0"):
        ndd.erase(np.uint8(3))
    with pytest.raises(RuntimeError, match="axes of an input without a layout have no names"):
        ndd.erase(np.zeros((3, 3), np.uint8), anchor=[0, 0], shape=[1, 1])
    with pytest.raises(RuntimeError, match="must have a 'C' dimension"):
        ndd.erase(np.zeros((3, 3), np.uint8), anchor=[0], shape=[1], axes=[0], fill_value=[1, 2, 3])
    with pytest.raises(ValueError, match="anchor must be a number, got NaN"):
        ndd.erase(np.zeros((3, 3), np.uint8), anchor=[float("nan")], shape=[1], axes=[0])


@given(data=st.data(), shape=st.lists(st.integers(0, 6), min_size=1, max_size=4), dtype=st.sampled_from(TYPES))
@settings(max_examples=40, deadline=None)
def test_any_regions_of_any_array(data, shape, dtype):
    count = data.draw(st.integers(1, len(shape)))
    axes = data.draw(st.permutations(range(len(shape))))[:count]
    numbers = st.lists(st.floats(-8, 8, width=32), min_size=2 * count, max_size=2 * count)
    check_operator(
        "erase",
        [np.arange(np.prod(shape)).reshape(shape).astype(dtype.storage)],
        layout=None,
        anchor=data.draw(numbers),
        shape=data.draw(numbers),
        axes=list(axes),
        fill_value=data.draw(st.floats(-300, 300, width=32)),
        centered_anchor=data.draw(st.booleans()),
        normalized=data.draw(st.booleans()),
    )
