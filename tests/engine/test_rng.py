"""Generators: sequences, states, and what operators take from them."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.dynamic.random import RNG, get_default_rng, set_seed
from penstock.engine.rng import WORDS_PER_CALL

FIRST_WORDS_OF_1234 = [546353992, 3665621163, 1140953199, 3419031310, 2666454581, 482218876, 4196888723]


def words(rng: RNG, n: int) -> list[int]:
    return [rng() for _ in range(n)]


def draw(rng: RNG, **arguments: object) -> np.ndarray:
    return np.asarray(ndd.random.uniform(shape=[5], rng=rng, **arguments))


def test_a_seed_gives_its_known_words():
    assert words(RNG(1234), 7) == FIRST_WORDS_OF_1234
    assert RNG(seed=1234).take_words() == tuple(FIRST_WORDS_OF_1234)


def test_words_can_be_taken_one_by_one_or_at_once():
    one_by_one, at_once = RNG(5), RNG(5)
    for _ in range(5):
        assert tuple(words(one_by_one, WORDS_PER_CALL)) == at_once.take_words()


def test_seeds_count_modulo_2_to_the_64():
    assert RNG(-1).state == RNG(2**64 - 1).state == RNG(2**65 - 1).state
    assert RNG(np.int64(7)).state == RNG(np.uint64(7)).state == RNG(7).state


def test_generators_without_a_seed_differ():
    assert RNG().state != RNG().state


@pytest.mark.parametrize("seed", [1.5, "7", [1]])
def test_a_seed_is_an_integer(seed):
    with pytest.raises(TypeError, match="seed is an int"):
        RNG(seed)
    with pytest.raises(TypeError, match="seed is an int"):
        set_seed(seed)


def test_a_seed_and_a_state_cannot_both_be_given():
    with pytest.raises(ValueError, match="not both"):
        RNG(1, state=RNG(2).get_state())


def test_the_seed_can_be_assigned_but_not_read():
    rng = RNG(1)
    rng()
    rng.seed = 1234
    assert words(rng, 2) == FIRST_WORDS_OF_1234[:2]
    with pytest.raises(AttributeError):
        _ = rng.seed


def test_a_state_has_a_text_that_restores_it():
    rng = RNG(1234)
    assert str(rng.get_state()) == "Philox_00000000000004D2_0000000000000000:0000000000000000_0"
    words(rng, 6)
    assert str(rng.state) == "Philox_00000000000004D2_0000000000000000:0000000000000001_2"
    assert repr(rng) == f"RNG(state='{rng.state}')"
    continued, restored = RNG(state=str(rng.state)), RNG(7)
    restored.set_state(rng.get_state(cuda_stream=None))
    assert words(continued, 9) == words(restored, 9) == words(rng, 9)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Philox",
        "Philox_4D2_0:0_0",
        "Philox_00000000000004D2_0000000000000000:0000000000000000_4",
        "Philox_00000000000004D2_0000000000000000:0000000000000000_0\n",
    ],
)
def test_other_text_is_no_state(text):
    with pytest.raises(ValueError, match="not the state of a generator"):
        RNG(state=text)


def test_a_state_is_a_state_or_a_text():
    with pytest.raises(TypeError):
        RNG(1).set_state(5)


def test_the_counter_goes_round():
    rng = RNG(state="Philox_00000000000004D2_FFFFFFFFFFFFFFFF:FFFFFFFFFFFFFFFF_3")
    rng()
    assert rng.state == RNG(1234).state
    assert words(rng, 3) == FIRST_WORDS_OF_1234[:3]


def test_the_low_half_of_the_counter_carries_into_the_high_half():
    rng = RNG(state="Philox_00000000000004D2_0000000000000004:FFFFFFFFFFFFFFFF_2")
    ahead = RNG(state="Philox_00000000000004D2_0000000000000005:0000000000000000_0")
    assert rng.take_words()[2:] == ahead.take_words()[:5]


@pytest.mark.parametrize("n", [0, 1, 3, 4, 7, 1000, np.int32(5)])
def test_advance_equals_that_many_words(n):
    skipped, drawn = RNG(3), RNG(3)
    skipped.advance(n)
    words(drawn, int(n))
    assert skipped.state == drawn.state


def test_advance_takes_a_number_of_words():
    with pytest.raises(ValueError, match="cannot go back"):
        RNG(1).advance(-1)
    with pytest.raises(TypeError):
        RNG(1).advance(1.5)


@pytest.mark.parametrize("duplicate", [RNG.clone, copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))])
def test_a_copy_continues_on_its_own(duplicate):
    rng = RNG(8)
    words(rng, 3)
    other = duplicate(rng)
    expected = words(rng.clone(), 6)
    assert words(other, 6) == expected
    assert words(rng, 6) == expected


def test_an_operator_call_takes_seven_words_whatever_it_makes():
    for arguments in ({}, {"shape": [100]}, {"batch_size": 9}, {"dtype": ndd.float64, "shape": [3]}):
        rng = RNG(2)
        ndd.random.uniform(rng=rng, **arguments)
        expected = RNG(2)
        expected.advance(7)
        assert rng.state == expected.state


def test_words_are_taken_when_the_operator_is_called():
    rng = RNG(11)
    eager = [draw(rng), draw(rng)]
    rng.seed = 11
    with ndd.EvalMode.deferred:
        first = ndd.random.uniform(shape=[5], rng=rng)
        second = ndd.random.uniform(shape=[5], rng=rng)
    assert np.asarray(second).tolist() == eager[1].tolist()
    assert np.asarray(first).tolist() == eager[0].tolist()


@pytest.mark.parametrize("mode", list(ndd.EvalMode))
@pytest.mark.parametrize("num_threads", [1, 3])
def test_draws_do_not_depend_on_modes_and_threads(mode, num_threads):
    def batch() -> np.ndarray:
        return np.asarray(ndd.as_tensor(ndd.random.normal(shape=[300, 100], batch_size=5, rng=RNG(4))))

    with ndd.EvalContext(num_threads=num_threads), mode:
        other = batch()
    np.testing.assert_array_equal(other, batch())


def test_the_default_generator_is_the_threads_own():
    def in_another_thread() -> None:
        set_seed(1)
        found.append(get_default_rng())

    found: list[RNG] = []
    set_seed(1234)
    thread = threading.Thread(target=in_another_thread)
    thread.start()
    thread.join()
    assert found[0] is not get_default_rng()
    assert get_default_rng() is get_default_rng()
    assert words(get_default_rng(), 7) == FIRST_WORDS_OF_1234


def test_operators_use_the_default_generator_unless_told_otherwise():
    set_seed(21)
    from_default = draw(None)
    explicit = RNG(21)
    before = str(get_default_rng().state)
    assert draw(explicit).tolist() == from_default.tolist()
    assert str(get_default_rng().state) == before


def test_set_seed_reseeds_in_place():
    rng = get_default_rng()
    set_seed(3)
    assert get_default_rng() is rng
    assert rng.state == RNG(3).state


def test_a_generator_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="rng must be an instance of"):
        ndd.random.uniform(rng=np.random.default_rng(1))


def drawn_in_forks(seed: int | None) -> list[str]:
    script = f"""
        import os, penstock.dynamic as ndd
        if {seed} is not None:
            ndd.random.set_seed({seed})
        for _ in range(2):
            child = os.fork()
            if not child:
                print([ndd.random.get_default_rng()() for _ in range(3)], flush=True)
                os._exit(0)
            os.waitpid(child, 0)
        print([ndd.random.get_default_rng()() for _ in range(3)])
    """
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout.splitlines()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("seed", [None, 5])
def test_forked_children_and_their_parent_draw_different_numbers(seed):
    assert len(set(drawn_in_forks(seed))) == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_seed_fixes_what_forked_children_draw_and_forks_change_nothing_for_their_parent():
    first = drawn_in_forks(5)
    assert first == drawn_in_forks(5)
    parent = ndd.random.RNG(5)
    assert first[-1] == str([parent() for _ in range(3)])
