"""noise.salt_and_pepper: pixels replaced with the brightest or the darkest value."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.noise.noisy import TYPES, check_independence, check_noise, noisy
from ops.promises import photos

PATH = "noise.salt_and_pepper"


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("per_channel", [False, True])
def test_salt_and_pepper_keeps_the_promises(dtype, per_channel):
    check_noise(PATH, photos([(24, 36), (1, 5), (3, 1)], dtype=dtype), prob=0.4, per_channel=per_channel)


@pytest.mark.parametrize(
    "arguments", [{}, {"prob": 1.0, "salt_vs_pepper": 0.2}, {"salt_val": 300.6, "pepper_val": -2.5}]
)
@pytest.mark.parametrize(("layout", "shape"), [("CHW", (3, 9, 8)), ("FHWC", (2, 9, 8, 3)), (None, (9, 8, 3))])
def test_every_layout_has_pixels(layout, shape, arguments):
    got = check_noise(PATH, [np.full(shape, 100, np.uint8)], layout=layout, **arguments)[0]
    channels = got if layout == "CHW" else np.moveaxis(got, -1, 0)
    assert (channels == channels[0]).all()


def test_a_seed_hits_known_pixels():
    image = np.full((8, 3), 9, np.uint8)
    got = noisy(PATH, ndd.tensor(image, layout="HC"), prob=0.5)[:, 0].tolist()
    assert set(got) <= {0, 9, 255}
    assert got == noisy(PATH, ndd.tensor(image[:, :1].copy(), layout="HC"), prob=0.5)[:, 0].tolist()


def test_shares_are_those_asked_for():
    image = np.full((400, 400, 1), 100, np.uint8)
    got = noisy(PATH, image, prob=0.3, salt_vs_pepper=0.25)
    assert abs((got != 100).mean() - 0.3) < 0.005
    assert abs((got == 255).sum() / (got != 100).sum() - 0.25) < 0.01
    check_independence(PATH, np.full((300, 300, 1), 100, np.uint8), prob=0.3)


@pytest.mark.parametrize(
    ("dtype", "salt", "pepper"),
    [(np.uint8, 255, 0), (np.int16, 32767, -32768), (np.int64, 2**63 - 1, -(2**63)), (np.float32, 1, -1)],
)
def test_salt_and_pepper_are_the_ends_of_the_range(dtype, salt, pepper):
    array = np.zeros((4, 1), dtype)
    assert noisy(PATH, array, prob=1, salt_vs_pepper=1)[0, 0] == salt
    assert noisy(PATH, array, prob=1, salt_vs_pepper=0)[0, 0] == pepper


def test_every_sample_may_have_noise_of_its_own():
    images = ndd.batch([np.full((20, 20, 1), 9, np.uint8)] * 3)
    clean, salt, pepper = noisy(
        PATH, images, prob=ndd.batch([0.0, 1.0, 1.0]), salt_vs_pepper=ndd.batch([0.5, 1.0, 0.0]),
        salt_val=ndd.batch([1.0, 2.0, 3.0]), pepper_val=ndd.batch([4.0, 5.0, 6.0]),
    )  # fmt: skip
    assert (clean == 9).all()
    assert (salt == 2).all()
    assert (pepper == 6).all()


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (), (5,)])
def test_arrays_of_every_shape(shape):
    assert (noisy(PATH, np.full(shape, 9, np.uint8), prob=1, salt_vs_pepper=1) == 255).all()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"prob": 1.5}, r"prob should be a value within \[0.0, 1.0\]. Got: 1.5"),
        ({"salt_vs_pepper": -0.5}, "salt_vs_pepper should be a value within"),
        ({"prob": ndd.tensor(2.0)}, "prob should be a value within"),
    ],
)
def test_bad_arguments_are_told(arguments, text):
    with pytest.raises(RuntimeError, match=text):
        ndd.noise.salt_and_pepper(np.zeros((3, 3, 1), np.uint8), **arguments).evaluate()


def test_bad_inputs_are_told_at_the_call():
    with pytest.raises(RuntimeError, match="Data type double is currently not supported"):
        ndd.noise.salt_and_pepper(np.zeros(3))
    for layout in ("HW", "FCHW"):
        image = ndd.tensor(np.zeros((2,) * len(layout), np.uint8), layout=layout)
        with pytest.raises(RuntimeError, match="'C' should be the first or the last dimension"):
            ndd.noise.salt_and_pepper(image)
        ndd.noise.salt_and_pepper(image, per_channel=True).evaluate()


@given(
    shape=st.lists(st.integers(0, 20), max_size=3),
    dtype=st.sampled_from(TYPES),
    shares=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    per_channel=st.booleans(),
)
@settings(max_examples=30, deadline=None)
def test_any_noise_on_any_array(shape, dtype, shares, per_channel):
    prob, salt = shares
    check_noise(PATH, [np.ones(shape, dtype)], layout=None, prob=prob, salt_vs_pepper=salt, per_channel=per_channel)
