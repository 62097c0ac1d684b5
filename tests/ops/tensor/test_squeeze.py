"""squeeze and expand_dims: axes of extent 1, taken away and put in."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos

THIN = ndd.tensor(np.arange(4).reshape(1, 4, 1), layout="HWC")


@pytest.mark.parametrize("arguments", [{"axes": -1}, {"axes": [2]}, {"axis_names": "C"}])
def test_squeeze_keeps_the_promises(arguments):
    check_operator("squeeze", photos([(4, 6), (1, 5), (3, 1)], channels=1), **arguments)


@pytest.mark.parametrize("arguments", [{"axes": 0, "new_axis_names": "F"}, {"axes": [1, -1]}, {"axes": []}])
def test_expand_dims_keeps_the_promises(arguments):
    check_operator("expand_dims", photos([(4, 6), (1, 5), (3, 1)]), **arguments)


@pytest.mark.parametrize(
    ("arguments", "shape", "layout"),
    [
        ({"axes": 0}, (4, 1), "WC"),
        ({"axes": -1}, (1, 4), "HW"),
        ({"axes": [2, 0]}, (4,), "W"),
        ({"axis_names": "CH"}, (4,), "W"),
        ({"axis_names": ""}, (1, 4, 1), "HWC"),
        ({"axes": []}, (1, 4, 1), "HWC"),
    ],
)
def test_squeezed_by_eye(arguments, shape, layout):
    got = ndd.squeeze(THIN, **arguments)
    assert (got.shape, got.layout) == (shape, layout)


@pytest.mark.parametrize(
    ("arguments", "shape", "layout"),
    [
        ({"axes": 0}, (1, 1, 4, 1), None),
        ({"axes": 0, "new_axis_names": "F"}, (1, 1, 4, 1), "FHWC"),
        ({"axes": [4, 0], "new_axis_names": "XF"}, (1, 1, 4, 1, 1), "FHWCX"),
        ({"axes": -1, "new_axis_names": "X"}, (1, 4, 1, 1), "HWCX"),
        ({"axes": [-4, 2], "new_axis_names": "AB"}, (1, 1, 1, 4, 1), "HABWC"),
    ],
)
def test_expanded_by_eye(arguments, shape, layout):
    got = ndd.expand_dims(THIN, **arguments)
    assert (got.shape, got.layout) == (shape, layout)


def test_axes_may_differ_from_sample_to_sample():
    batch = ndd.batch([np.zeros((1, 3)), np.zeros((4, 1))])
    assert ndd.squeeze(batch, axes=ndd.batch([[0], [1]])).shape == [(3,), (4,)]
    assert ndd.squeeze(batch, axes=ndd.batch([0, -1])).shape == [(3,), (4,)]
    assert ndd.squeeze(THIN, axes=ndd.tensor([0])).layout == "WC"


def test_nothing_is_copied():
    for view in (ndd.squeeze(THIN, axes=0), ndd.expand_dims(THIN, axes=0)):
        assert np.shares_memory(np.asarray(THIN), np.asarray(view))


def test_numbers_and_empty_samples():
    assert ndd.squeeze([[5]], axes=[0, 1]).shape == ()
    assert ndd.expand_dims(5, axes=[0, 1]).shape == (1, 1)
    assert ndd.expand_dims(5, axes=0, new_axis_names="C").layout == "C"
    assert ndd.squeeze(np.zeros((0, 1)), axes=1).shape == (0,)
    assert ndd.squeeze(np.zeros((0, 0)), axes=1).shape == (0,)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ndd.squeeze(THIN), "Missing argument ``axes`` or ``axis_names``"),
        (lambda: ndd.squeeze(THIN, axes=0, axis_names="H"), "Provided both"),
        (lambda: ndd.squeeze(THIN, axes=3), "Axis 3 out of range"),
        (lambda: ndd.squeeze(THIN, axes=[0, -3]), "occurs more than once"),
        (lambda: ndd.squeeze(THIN, axis_names="X"), "'X' is not present in the input layout"),
        (lambda: ndd.squeeze(THIN, axes=1), "axis 1 has extent 4"),
        (lambda: ndd.expand_dims(THIN, axes=4), "Axis 4 out of range"),
        (lambda: ndd.expand_dims(THIN, axes=[1, 1]), "occurs more than once"),
        (lambda: ndd.expand_dims(THIN, axes=0, new_axis_names="AB"), "1 new axes but 2 names"),
        (lambda: ndd.expand_dims([1], axes=0, new_axis_names="A"), "requires an input with a proper layout"),
    ],
)
def test_bad_axes_are_refused(call, message):
    with pytest.raises(RuntimeError, match=message):
        call().evaluate()


@given(st.lists(st.integers(0, 4), min_size=1, max_size=4), st.data())
@settings(max_examples=60, deadline=None)
def test_squeezing_what_was_expanded(shape, data):
    count = data.draw(st.integers(0, 3))
    ndim = len(shape) + count
    axes = data.draw(
        st.lists(st.integers(-ndim, ndim - 1), min_size=count, max_size=count, unique_by=lambda a: a % ndim)
    )
    array = np.zeros(shape)
    expanded = ndd.expand_dims(ndd.batch([array, array]), axes=axes)
    assert expanded.shape == [np.expand_dims(array, axes).shape] * 2
    assert ndd.squeeze(expanded, axes=axes).shape == [array.shape] * 2
