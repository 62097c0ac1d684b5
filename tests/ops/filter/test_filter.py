"""filter: weights of the user's own, borders, anchors and modes."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import photos
from penstock.dynamic.calls.functions import declaration

BORDERS = {
    "reflect_101": cv2.BORDER_REFLECT_101,
    "reflect_1001": cv2.BORDER_REFLECT,
    "clamp": cv2.BORDER_REPLICATE,
    "constant": cv2.BORDER_CONSTANT,
}


def filtered(data, weights, *fill, layout="HW", **arguments):
    return np.asarray(ndd.filter(ndd.tensor(data, layout=layout), ndd.tensor(weights), *fill, **arguments))


def plainly(data, weights, fill=None, **arguments):
    """The operator's meaning, its plain function."""
    given = {"anchor": [-1], "border": "reflect_101", "mode": "same", "dtype": None, "layout": "HWC"} | arguments
    given["border"] = declaration("filter").params["border"].convert(given["border"])
    return declaration("filter").function(data, weights, fill, **given)


def weights_of(shape, seed=0):
    weights = np.random.default_rng(seed).random(shape).astype(np.float32) - 0.3
    return weights / np.abs(weights).sum()


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (2, 5), (7, 4), (1, 9), (11, 1), (15, 13)])
@pytest.mark.parametrize("border", BORDERS)
def test_bytes_are_filtered_as_opencv_does(shape, border):
    image, weights = photos([(40, 37)])[0], weights_of(shape)
    anchor = (shape[1] // 2, shape[0] // 2)
    expected = cv2.filter2D(image, -1, weights, anchor=anchor, borderType=BORDERS[border]).astype(int)
    got = filtered(image, weights, layout="HWC", border=border)
    assert np.abs(got - expected).max() <= 1
    assert (got == expected).mean() > 0.999


@pytest.mark.parametrize("border", [*BORDERS, "wrap"])
@pytest.mark.parametrize(("size", "shape"), [((150, 211), (25, 30)), ((90, 87), (41, 50)), ((5, 3), (61, 60))])
@pytest.mark.parametrize("mode", [{}, {"anchor": [3, 20]}, {"mode": "valid"}])
def test_large_filters_of_bytes_mean_what_the_plain_function_says(border, size, shape, mode):
    if "mode" in mode and shape > size:
        return
    image, weights = photos([size])[0], weights_of(shape) * 3
    expected = plainly(image, weights, np.uint8(200), border=border, **mode).astype(int)
    fill = [ndd.tensor(np.uint8(200))] if border == "constant" else []
    got = filtered(image, weights, *fill, layout="HWC", border=border, **mode)
    assert np.abs(got - expected).max() <= 1
    assert (got == expected).mean() > 0.999


def test_large_filters_of_clips_and_grey_images():
    clip, weights = np.stack(photos([(100, 140)] * 3)), weights_of((28, 35))
    got = filtered(clip, weights, layout="FHWC")
    for frame, image in zip(got, clip, strict=True):
        assert frame.tolist() == filtered(image, weights, layout="HWC").tolist()
        grey = filtered(np.ascontiguousarray(image[..., 0]), weights)
        assert np.abs(grey - frame[..., 0].astype(int)).max() <= 1


def test_large_weights_do_not_blur_what_the_others_make():
    image, weights = np.zeros((150, 160), np.uint8), weights_of((31, 29))
    image[40:60, 40:60] = 200
    without = np.pad(weights[1:], ((1, 0), (0, 0)))
    weights[0] = 1e3
    expected = filtered(image, without, border="constant")
    assert np.abs(filtered(image, weights, border="constant")[:40] - expected[:40].astype(int)).max() <= 1


@pytest.mark.parametrize("border", [*BORDERS, "wrap"])
@pytest.mark.parametrize("shape", [(3, 3), (4, 9), (9, 2)])
@pytest.mark.parametrize("size", [(12, 17), (1, 1), (2, 3)])
def test_every_border_means_what_the_plain_function_says(border, shape, size):
    image, weights = photos([size], dtype=np.float32)[0], weights_of(shape)
    expected = plainly(image, weights, border=border)
    np.testing.assert_allclose(filtered(image, weights, layout="HWC", border=border), expected, atol=1e-3)


@pytest.mark.parametrize(
    "weights", [np.outer([1, 2, 1], [-1, 0, 1]), np.full((5, 5), 0.04), np.eye(3), np.zeros((3, 3))]
)
def test_products_of_rows_and_columns_are_filtered_like_others(weights):
    image, weights = photos([(20, 23)], dtype=np.float32)[0], weights.astype(np.float32)
    np.testing.assert_allclose(filtered(image, weights, layout="HWC"), plainly(image, weights), rtol=1e-5, atol=1e-2)


def test_an_impulse_shows_the_filter_turned_around_its_anchor():
    impulse = np.zeros((3, 4), np.uint8)
    impulse[1, 1] = 1
    weights = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
    expected = [[6, 5, 4, 0], [3, 2, 1, 0], [0, 0, 0, 0]]
    assert filtered(impulse, weights, anchor=[1, 2], border="constant").tolist()[1] == [0, 6, 5, 4]
    assert filtered(impulse, weights, anchor=[1, 1], border="constant").tolist()[1:] == [[6, 5, 4, 0], [3, 2, 1, 0]]
    assert filtered(impulse, weights, anchor=[0, 1], border="constant").tolist() == expected


def test_borders_on_a_row_of_three():
    row, ones = np.array([[1, 2, 3]], np.uint8), np.ones((1, 3), np.float32)
    sums = {"constant": [3, 6, 5], "clamp": [4, 6, 8], "wrap": [6, 6, 6], "reflect_1001": [4, 6, 8]}
    for border, expected in {**sums, "reflect_101": [5, 6, 7]}.items():
        assert filtered(row, ones, border=border).tolist() == [expected]
    others = {
        "101": "reflect_101",
        "1001": "reflect_1001",
        "reflect": "reflect_1001",
        "edge": "clamp",
        "pad": "constant",
    }
    for border, same in {**others, "REFLECT101": "reflect_101", "Const": "constant", "fill": "constant"}.items():
        assert filtered(row, ones, border=border).tolist() == filtered(row, ones, border=same).tolist()
    assert filtered(row, ones, ndd.tensor(np.uint8(100)), border="constant").tolist() == [[103, 6, 105]]
    assert filtered(row, ones, mode="valid").tolist() == [[6]]


@pytest.mark.parametrize("layout", ["HW", "HWC", "CHW", "FHWC", "FCHW", "DHW", "DHWC", "CDHW", "FDHWC"])
@pytest.mark.parametrize("mode", ["same", "valid"])
def test_every_layout_means_what_the_plain_function_says(layout, mode):
    extents = {"F": 2, "D": 4, "C": 3, "H": 5, "W": 6}
    data = np.random.default_rng(1).random([extents[name] for name in layout]).astype(np.float32)
    weights = weights_of((2, 3, 3) if "D" in layout else (3, 2))
    frames = data if layout[0] == "F" else data[None]
    expected = [plainly(frame, weights, layout=layout.removeprefix("F"), mode=mode) for frame in frames]
    got = filtered(data, weights, layout=layout, mode=mode)
    np.testing.assert_allclose(got if layout[0] == "F" else got[None], expected, atol=1e-5)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16, np.float32])
@pytest.mark.parametrize("wanted", [None, ndd.float32])
def test_types_are_kept_or_become_float32(dtype, wanted):
    image, weights = (photos([(9, 8)])[0] * np.float32(100)).astype(dtype), weights_of((3, 3))
    got = filtered(image, weights, layout="HWC", dtype=wanted)
    assert got.dtype == (dtype if wanted is None else np.float32)
    exact = plainly(image, weights, dtype=ndd.float32)
    expected = exact if got.dtype == np.float32 else np.clip(exact, np.iinfo(dtype).min, np.iinfo(dtype).max)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=0.01 if got.dtype == np.float32 else 0.51)


def test_every_sample_may_have_its_own_filter_anchor_and_fill():
    images = photos([(9, 8), (5, 12), (4, 4)])
    filters = [weights_of((3, 3)), weights_of((1, 5)), weights_of((4, 2))]
    anchors, fills = [[0, 0], [0, 4], [-1, 1]], [np.uint8(0), np.uint8(200), np.uint8(7)]
    batch = [ndd.batch(images, layout="HWC"), ndd.batch(filters), ndd.batch(fills)]
    got = ndd.filter(*batch, anchor=ndd.batch(anchors), border="constant")
    for i, result in enumerate(got):
        fill, anchor = ndd.tensor(fills[i]), anchors[i]
        alone = filtered(images[i], filters[i], fill, layout="HWC", border="constant", anchor=anchor)
        np.testing.assert_array_equal(np.asarray(result), alone)
        expected = plainly(images[i], filters[i], fills[i], border="constant", anchor=anchor)
        np.testing.assert_allclose(alone, expected, atol=1)


def test_every_frame_may_have_its_own_filter():
    video = np.stack(photos([(6, 7)] * 2))
    filters = np.stack([weights_of((3, 3)), weights_of((3, 3), 1)])
    got = np.asarray(ndd.filter(ndd.tensor(video, layout="FHWC"), ndd.per_frame(ndd.tensor(filters))))
    for frame, image, weights in zip(got, video, filters, strict=True):
        np.testing.assert_array_equal(frame, filtered(image, weights, layout="HWC"))


def test_all_modes_and_chains_agree():
    images, weights = ndd.batch(photos([(9, 8), (5, 12)]), layout="HWC"), ndd.tensor(weights_of((3, 3)))
    expected = [np.asarray(result) for result in ndd.filter(images, weights)]
    for mode in ndd.EvalMode:
        with mode:
            chained = ndd.copy(ndd.filter(ndd.copy(images), weights))
            for got, wanted in zip(chained, expected, strict=True):
                np.testing.assert_array_equal(np.asarray(got), wanted)


@pytest.mark.parametrize("shape", [(0, 4, 3), (4, 0, 3), (4, 4, 0)])
def test_nothing_stays_nothing(shape):
    assert filtered(np.zeros(shape, np.uint8), weights_of((3, 3)), layout="HWC").shape == shape
    with pytest.raises(RuntimeError, match="bigger than the sample"):
        filtered(np.zeros((0, 4), np.uint8), weights_of((3, 3)), mode="valid")


@pytest.mark.parametrize(
    ("weights", "arguments", "message"),
    [
        (np.ones((3, 3)), {}, "Unsupported filter type: double"),
        (np.ones((3, 3), np.int32), {}, "Unsupported filter type: int32"),
        (np.ones(3, np.float32), {}, "2 spatial dimensions but the filter is 1 dimensional"),
        (np.ones((3, 3), np.float32), {"anchor": [0, 3]}, "Got anchor 3 for axis 1 with a filter of shape 3 x 3"),
        (np.ones((3, 3), np.float32), {"anchor": [-2, 0]}, "Anchor must lie within the filter"),
        (np.ones((3, 3), np.float32), {"anchor": [0, 1, 2]}, "expected to have 1 or 2 elements, got: 3"),
        (np.ones((9, 3), np.float32), {"mode": "valid"}, "9 x 3 is bigger than the sample of shape 4 x 4"),
        (np.ones((3, 3), np.float32), {"mode": "full"}, "mode"),
        (np.ones((3, 3), np.float32), {"border": "mirror"}, "border"),
        (np.ones((3, 3), np.float32), {"dtype": ndd.int32}, "must be same as input, FLOAT"),
        (np.ones((0, 3), np.float32), {}, "is empty"),
    ],
)
def test_what_makes_no_sense_is_refused(weights, arguments, message):
    with pytest.raises(RuntimeError, match=message):
        filtered(np.zeros((4, 4), np.uint8), weights, **arguments)


@pytest.mark.parametrize("fill", [5.0, np.int32(5), np.zeros(3, np.uint8)])
def test_the_fill_value_is_a_scalar_of_the_same_type(fill):
    with pytest.raises(RuntimeError, match="fill_value must be a scalar of the input's type uint8"):
        ndd.filter(np.zeros((4, 4), np.uint8), weights_of((3, 3)), fill)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.float64, bool])
def test_types_the_operator_does_not_have_are_refused(dtype):
    with pytest.raises(RuntimeError, match="Filter CPU does not support input type"):
        filtered(np.zeros((4, 4), dtype), weights_of((3, 3)))
    with pytest.raises(RuntimeError, match="only 2D and 3D"):
        ndd.filter(np.zeros(4, np.uint8), np.ones(3, np.float32))


def test_batches_of_different_size_are_refused():
    with pytest.raises(ValueError, match="batch size"):
        ndd.filter(ndd.batch(photos([(4, 4)] * 2), layout="HWC"), ndd.batch([weights_of((3, 3))] * 3))


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(st.integers(1, 9), st.integers(1, 80), st.integers(1, 4)),
    st.tuples(st.integers(1, 6), st.integers(1, 12)),
    st.sampled_from([*BORDERS, "wrap"]),
    st.sampled_from([np.uint8, np.int16, np.float32]),
    st.data(),
)
def test_any_image_and_filter(shape, size, border, dtype, data):
    image = np.random.default_rng(shape[1]).integers(0, 128, shape).astype(dtype)
    anchor = [data.draw(st.integers(-1, extent - 1)) for extent in size]
    got = filtered(image, weights_of(size), layout="HWC", border=border, anchor=anchor)
    expected = plainly(image, weights_of(size), border=border, anchor=anchor)
    np.testing.assert_allclose(got, expected, atol=1e-3 if dtype is np.float32 else 1)
