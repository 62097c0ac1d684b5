"""ndd.maybe: an operator for some of the samples."""

import numpy as np
import pytest

import penstock.dynamic as ndd
from capture.loops import check_compiled
from ops.promises import photos, plain_only
from penstock.dynamic.calls.functions import declaration
from penstock.engine import events
from penstock.schema.optional import optional

IMAGES = photos([(9, 12), (7, 7), (20, 5), (3, 30), (8, 8), (1, 1)])


def batch():
    return ndd.batch(IMAGES, layout="HWC")


def arrays(made):
    return [np.asarray(sample) for sample in made]


def chosen_by(seed, p=0.5):
    return [bool(flip) for flip in ndd.random.coin_flip(probability=p, batch_size=6, rng=ndd.random.RNG(seed))]


CALLS = [
    ("flip", {}),
    ("gaussian_blur", {"sigma": 1.5}),
    ("resize", {"size": [4, 4]}),
    ("rotate", {"angle": ndd.batch([10.0, 20.0, 30.0, 40.0, 50.0, 60.0])}),
    ("noise.gaussian", {"stddev": 10.0}),
    ("experimental.median_blur", {}),
]


@pytest.mark.parametrize(("path", "arguments"), CALLS, ids=[path for path, _ in CALLS])
def test_each_sample_is_the_operators_or_the_input(path, arguments):
    call = ndd
    for name in path.split("."):
        call = getattr(call, name)
    coins = chosen_by(3)
    assert 0 < sum(coins) < 6
    rng = ndd.random.RNG(3)
    drawn = ndd.random.RNG(3)
    ndd.random.coin_flip(rng=drawn)
    own = {"rng": drawn} if declaration(path).draw else {}
    changed = arrays(call(batch(), **arguments, **own))
    wanted = [new if coin else old for coin, new, old in zip(coins, changed, IMAGES, strict=True)]
    made = ndd.maybe(call, batch(), p=0.5, rng=rng, **arguments)
    assert (made.dtype, made.layout) == (ndd.uint8, "HWC")
    for got, one in zip(arrays(made), wanted, strict=True):
        np.testing.assert_array_equal(got, one)
    with plain_only(optional(declaration(path))):
        plain = arrays(ndd.maybe(call, batch(), p=0.5, rng=ndd.random.RNG(3), **arguments))
    for coin, got, old in zip(coins, plain, IMAGES, strict=True):
        assert coin or np.array_equal(got, old)


@pytest.mark.parametrize("mode", [*ndd.EvalMode], ids=str)
def test_a_seed_decides_in_every_mode(mode):
    def drawn():
        ndd.random.set_seed(11)
        with mode:
            return arrays(ndd.maybe(ndd.flip, batch()))

    coins = chosen_by(11)
    for coin, got, old in zip(coins, drawn(), IMAGES, strict=True):
        np.testing.assert_array_equal(got, old[:, ::-1] if coin else old)


def test_0_leaves_all_alone_and_1_none():
    for got, old in zip(arrays(ndd.maybe(ndd.flip, batch(), p=0.0)), IMAGES, strict=True):
        np.testing.assert_array_equal(got, old)
    for got, old in zip(arrays(ndd.maybe(ndd.flip, batch(), p=1.0)), IMAGES, strict=True):
        np.testing.assert_array_equal(got, old[:, ::-1])


def test_coins_are_shared_where_they_are_given():
    coins = ndd.batch([1, 0, 1, 0, 0, 1])
    made = ndd.maybe(ndd.flip, ndd.maybe(ndd.flip, batch(), p=coins), p=coins, vertical=1)
    for coin, got, old in zip([1, 0, 1, 0, 0, 1], arrays(made), IMAGES, strict=True):
        np.testing.assert_array_equal(got, old[::-1] if coin else old)


def test_it_is_part_of_a_fused_chain():
    heard = []
    coins = ndd.batch([0, 1, 0, 1, 0, 1])
    with events.listening(lambda event: heard.append(event.operators)), ndd.EvalMode.deferred:
        chain = ndd.maybe(ndd.flip, ndd.maybe(ndd.rotate, ndd.flip(batch()), p=1.0 - coins, angle=90.0), p=coins)
        fused = arrays(chain)
    assert ("flip", "rotate", "flip") in heard
    turned = arrays(ndd.rotate(ndd.flip(batch()), angle=90.0))
    for coin, got, old, new in zip([0, 1] * 3, fused, IMAGES, turned, strict=True):
        np.testing.assert_array_equal(got, old if coin else new)


def test_samples_left_alone_are_not_given_to_the_operator():
    seen = []

    @ndd.operator
    def counted(image):
        seen.append(image.shape)
        return image

    ndd.maybe(counted, batch(), p=ndd.batch([0, 1, 0, 0, 0, 0])).evaluate()
    assert seen == [IMAGES[1].shape]


def test_of_a_tensor_one_coin_decides():
    image = ndd.tensor(IMAGES[0], layout="HWC")
    assert {ndd.maybe(ndd.resize, image, size=[2, 2]).shape for _ in range(50)} == {(9, 12, 3), (2, 2, 3)}


def test_compiled_loops_foresee_it():
    def body(pictures, numbers, step):
        return [ndd.maybe(ndd.flip, pictures), ndd.maybe(ndd.noise.gaussian, pictures, p=0.3, stddev=5.0)]

    check_compiled(body)
    assert {entry.operator for entry in ndd.capture.report().captured} == {"random.coin_flip", "flip", "noise.gaussian"}


def test_what_cannot_be_left_out_is_refused():
    with pytest.raises(ValueError, match=r"resize\(\) changes the type from u8 to f32"):
        ndd.maybe(ndd.resize, batch(), size=[2, 2], dtype=ndd.float32)
    with pytest.raises(ValueError, match=r"crop_mirror_normalize\(\) changes the type"):
        ndd.maybe(ndd.crop_mirror_normalize, batch())
    with pytest.raises(TypeError, match=r"permute_batch\(\) does not make one sample of one sample"):
        ndd.maybe(ndd.permute_batch, batch(), indices=[0])
    with pytest.raises(TypeError, match=r"resize\(\) does not make one sample of one sample"):
        ndd.maybe(ndd.resize, batch(), size=[2, 2], save_attrs=True)
    with pytest.raises(TypeError, match=r"maybe\(\) applies an operator such as ndd.flip, got <function"):
        ndd.maybe(lambda image: image, batch())
    with pytest.raises(TypeError, match="did you mean 'horizontal'"):
        ndd.maybe(ndd.flip, batch(), horizontl=1)
    with pytest.raises(RuntimeError, match="probability"):
        ndd.maybe(ndd.flip, batch(), p=1.5).evaluate()
