"""multi_paste: images made of regions of others."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos

LEFT = np.array([[1, 2, 3], [4, 5, 6]], np.uint8)[..., None]
PAIR = ndd.batch([LEFT, LEFT + 10])


def rows(result):
    return [np.asarray(tensor)[..., 0].tolist() for tensor in result]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"output_size": [9, 11]},
        {"output_size": [9, 11], "dtype": ndd.float32},
        {"output_size": [9, 11], "out_anchors": [[2, 3]], "in_anchors": [[1, 2]], "shapes": [[2, 1]]},
        {"output_size": [9, 11], "out_anchors_rel": [[0.5, 0.3]], "in_anchors_rel": [[0.4, 0.3]]},
        {"output_size": [4, 6], "shapes_rel": [[0.3, 0.9]]},
    ],
)
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32, np.float32])
def test_multi_paste_keeps_the_promises(arguments, dtype):
    check_operator("multi_paste", photos([(4, 6), (4, 6)], dtype=dtype), **arguments)


@pytest.mark.parametrize("layout", ["HWC", "FHWC"])
def test_every_sample_may_have_arguments_of_its_own(layout):
    samples = photos([(4, 6), (4, 6), (2, 2)])
    if layout == "FHWC":
        samples = [np.stack([sample, 255 - sample]) for sample in samples]
    each = {
        "output_size": [[9, 9], [7, 6], [4, 30]],
        "out_anchors": [[[0, 1]], [[3, 0]], [[0, 20]]],
        "shapes": [[[4, 4]], [[1, 6]], [[2, 0]]],
    }
    each = {name: [np.array(value, np.int32) for value in values] for name, values in each.items()}
    check_operator("multi_paste", samples, layout=layout, per_sample=each)


def test_later_regions_cover_earlier_ones():
    got = ndd.multi_paste(PAIR, in_ids=[0, 1], out_anchors=[[0, 0], [1, 1]], output_size=[3, 4])
    assert rows(got) == [[[1, 2, 3, 0], [4, 11, 12, 13], [0, 14, 15, 16]]] * 2


def test_every_sample_may_be_made_of_others():
    ids = ndd.batch([np.array([1]), np.array([], np.int64)])
    assert rows(ndd.multi_paste(PAIR, in_ids=ids)) == [rows(PAIR)[1], [[0, 0, 0], [0, 0, 0]]]
    ragged = ndd.batch([np.array([0, 1]), np.array([1])])
    places = ndd.batch([np.array([[0, 0], [2, 0]]), np.array([[1, 0]])])
    got = rows(ndd.multi_paste(PAIR, in_ids=ragged, out_anchors=places, output_size=[4, 3]))
    assert got[0] == rows(PAIR)[0] + rows(PAIR)[1]
    assert got[1] == [[0, 0, 0], *rows(PAIR)[1], [0, 0, 0]]


def test_several_inputs_give_a_region_each():
    dot = ndd.tensor(np.full((1, 1, 1), 99, np.uint8), layout="HWC")
    got = ndd.multi_paste(PAIR, dot, out_anchors=[[0, 0], [1, 2]], output_size=[2, 3])
    assert rows(got) == [[[1, 2, 3], [4, 5, 99]], [[11, 12, 13], [14, 15, 99]]]


def test_fractions_are_rounded_down_for_places_and_up_for_sizes():
    line = ndd.tensor(np.arange(10, dtype=np.uint8).reshape(1, 10, 1))
    got = ndd.multi_paste(
        line, in_anchors_rel=[[0, 0.19]], shapes_rel=[[1, 0.31]], out_anchors_rel=[[0, 0.59]], output_size=[1, 10]
    )
    assert rows([got]) == [[[0, 0, 0, 0, 0, 1, 2, 3, 4, 0]]]
    tenth = ndd.multi_paste(line + ndd.cast(1, dtype=ndd.uint8), shapes_rel=[[1, 0.1]], output_size=[1, 3])
    assert rows([tenth]) == [[[1, 0, 0]]]


def test_one_image_serves_a_batch_of_arguments():
    got = ndd.multi_paste(ndd.tensor(LEFT), in_ids=ndd.batch([[1], [0]]), output_size=[2, 4])
    assert rows(got) == [[[1, 2, 3, 0], [4, 5, 6, 0]]] * 2


def test_one_image_serves_a_batch_of_the_size_asked_for():
    got = ndd.multi_paste(ndd.tensor(LEFT), in_ids=[2], batch_size=3)
    assert rows(got) == [[[1, 2, 3], [4, 5, 6]]] * 3
    with pytest.raises(RuntimeError, match=r"Got in_idx: 3\. Input batch size is: 3"):
        ndd.multi_paste(ndd.tensor(LEFT), in_ids=[3], batch_size=3).evaluate()
    video = ndd.tensor(np.stack([LEFT, LEFT + 50]), layout="FHWC")
    places = ndd.per_frame(ndd.tensor(np.zeros((2, 1, 2), np.int32)))
    moved = ndd.multi_paste(video, in_ids=[2], out_anchors=places, batch_size=3)
    assert [np.asarray(each).tolist() for each in moved] == [np.asarray(video).tolist()] * 3


def test_sequences_are_pasted_frame_by_frame():
    video = np.stack([LEFT, LEFT + 50])
    still = ndd.tensor(np.full((1, 3, 1), 7, np.uint8), layout="HWC")
    got = ndd.multi_paste(ndd.tensor(video, layout="FHWC"), still)
    assert np.asarray(ndd.multi_paste(ndd.tensor(video, layout="FHWC"), still, output_size=[2, 3]))[
        ..., 0
    ].tolist() == [
        [[7, 7, 7], [4, 5, 6]],
        [[7, 7, 7], [54, 55, 56]],
    ]
    with pytest.raises(RuntimeError, match="must have the same shape: height and width differ"):
        got.evaluate()


def test_regions_may_move_from_frame_to_frame():
    video = ndd.tensor(np.stack([LEFT, LEFT + 50]), layout="FHWC")
    places = ndd.per_frame(ndd.tensor(np.array([[[0, 0]], [[1, 2]]], np.int32)))
    got = np.asarray(ndd.multi_paste(video, out_anchors=places, shapes=[[1, 1]], output_size=[2, 3]))[..., 0]
    assert got.tolist() == [[[1, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 51]]]


def test_types_are_rounded_and_saturate():
    image = np.array([[[1.5], [2.4], [300], [-3]]], np.float32)
    assert rows([ndd.multi_paste(image, dtype=ndd.uint8)]) == [[[2, 2, 255, 0]]]


def test_empty_images_leave_the_canvas_black():
    got = ndd.multi_paste(np.ones((0, 3, 2), np.uint8), output_size=[2, 4])
    assert got.shape == (2, 4, 2)
    assert not np.asarray(got).any()
    assert ndd.multi_paste(ndd.tensor(LEFT), in_ids=[], output_size=[0, 4]).shape == (0, 4, 1)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"in_ids": [2]}, "Got in_idx: 2. Input batch size is: 2"),
        ({"in_ids": [-1]}, "`in_idx` must be in range .* Got in_idx: -1"),
        (
            {"output_size": [2, 2]},
            "within output bounds. Got output anchor: 0 x 0, pasted region shape: 2 x 3, output shape: 2 x 2",
        ),
        ({"out_anchors": [[-1, 0]]}, "within output bounds"),
        (
            {"shapes": [[3, 1]]},
            "within input sample. Got input anchor: 0 x 0, pasted region shape: 3 x 1, input shape: 2 x 3",
        ),
        ({"in_anchors": [[3, 1]]}, "within input sample"),
        ({"shapes": [[-1, 1]]}, "within input sample"),
        ({"shapes": [[1, 1], [1, 1]]}, "`number of pasted regions` x 2, i.e. 1 x 2"),
        ({"shapes": [1, 1]}, "takes a row of two values for each region, got 1 dimensions"),
        ({"shapes": [[1e20, 1]]}, "must be below 2\\^31"),
        ({"shapes_rel": [[1.5, 1]]}, "must be in range \\[0, 1\\], got 1.5"),
        ({"shapes": [[1, 1]], "shapes_rel": [[1, 1]]}, "cannot be specified together"),
        ({"output_size": [3]}, "should be a tuple \\(H, W\\), got 1 elements"),
        ({"output_size": [-1, 4]}, "must be non-negative, got a shape with negative extent: -1 x 4"),
        ({"output_size": [2**31 - 1, 2**31 - 1]}, "is too large"),
        ({"dtype": ndd.int8}, "Unsupported output type: int8"),
    ],
)
def test_bad_arguments_are_told(arguments, text):
    with pytest.raises(RuntimeError, match=text):
        ndd.multi_paste(PAIR, **arguments).evaluate()


def test_bad_inputs_are_told():
    with pytest.raises(RuntimeError, match="exactly one positional input"):
        ndd.multi_paste(PAIR, PAIR, in_ids=[0])
    with pytest.raises(RuntimeError, match=r"same data type. Got uint8 and int16"):
        ndd.multi_paste(PAIR, ndd.batch([LEFT.astype(np.int16)] * 2))
    with pytest.raises(RuntimeError, match="same number of channels, got 1 and 3"):
        ndd.multi_paste(PAIR, ndd.batch(photos([(2, 3)] * 2))).evaluate()
    with pytest.raises(RuntimeError, match="Unsupported input type: int8"):
        ndd.multi_paste(np.zeros((2, 2, 1), np.int8))
    with pytest.raises(ValueError, match='The layout "CHW" does not match any of the allowed layouts for input 1'):
        ndd.multi_paste(PAIR, ndd.tensor(LEFT, layout="CHW"))
    with pytest.raises(TypeError, match="up to 64 inputs but 65 were given"):
        ndd.multi_paste(*[LEFT] * 65)
    with pytest.raises(RuntimeError, match="same number of frames, got 1 and 2"):
        ndd.multi_paste(*(ndd.tensor(np.zeros((n, 2, 2, 1), np.uint8), layout="FHWC") for n in (1, 2))).evaluate()


@given(data=st.data(), size=st.tuples(st.integers(0, 6), st.integers(0, 6)), count=st.integers(0, 4))
@settings(max_examples=30, deadline=None)
def test_any_regions_that_fit(data, size, count):
    def within(limit):
        return data.draw(st.integers(0, limit))

    canvas = [data.draw(st.integers(0, 9)) for _ in size]
    shapes = [[within(min(pair)) for pair in zip(size, canvas, strict=True)] for _ in range(count)]
    starts = [[within(limit - side) for limit, side in zip(size, shape, strict=True)] for shape in shapes]
    places = [[within(limit - side) for limit, side in zip(canvas, shape, strict=True)] for shape in shapes]
    images = photos([size, size])
    ids = [within(1) for _ in range(count)]
    expected = np.zeros((*canvas, 3), np.uint8)
    for index, (height, width), (top, left), (y, x) in zip(ids, shapes, starts, places, strict=True):
        expected[y : y + height, x : x + width] = images[index][top : top + height, left : left + width]
    regions = {"shapes": shapes, "in_anchors": starts, "out_anchors": places}
    arrays = {name: ndd.tensor(np.array(value, np.int32).reshape(count, 2)) for name, value in regions.items()}
    for got in ndd.multi_paste(ndd.batch(images), in_ids=ids, output_size=canvas, **arrays):
        np.testing.assert_array_equal(np.asarray(got), expected)
