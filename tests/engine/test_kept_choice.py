"""Stages like earlier ones are run in the way that was chosen for those."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told
from penstock._native import NumberSource, Pool
from penstock.engine import context, events, executor
from penstock.ops.declaration import declaration
from penstock.schema import Draw
from penstock.values.dtypes import DType

PIXELS = np.random.default_rng(0).integers(0, 256, (4, 8, 9, 3), np.uint8)


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The operators that a backend was chosen for since."""
    asked: list[str] = []
    choose = executor.choose
    monkeypatch.setattr(executor, "choose", lambda task: asked.append(task.call.op.path) or choose(task))
    return asked


def turned(places: list[float], flags: list[int]) -> Any:
    batch = ndd.batch(PIXELS, layout="HWC")
    cropped = ndd.crop(batch, crop=[5, 6], crop_pos_x=ndd.batch(places), crop_pos_y=ndd.batch(places))
    return ndd.flip(cropped, horizontal=ndd.batch(flags)).numpy()


def test_steps_with_values_for_every_sample_are_built_anew_without_a_choice(chosen: list[str]) -> None:
    turned([0.0] * 4, [1] * 4)
    chosen.clear()
    made = turned([0.0, 1.0, 0.0, 1.0], [0, 0, 1, 1])
    assert chosen == []
    top, bottom = PIXELS[:, :5, :6], PIXELS[:, 3:, 3:]
    assert np.array_equal(made, [top[0], bottom[1], top[2][:, ::-1], bottom[3][:, ::-1]])


def encoded(kind: str) -> list[Any]:
    pictures = np.random.default_rng(1).integers(0, 256, (4, 40, 50, 3), np.uint8)
    return [cv2.imencode(kind, picture)[1] for picture in pictures]


def cut_out(files: list[Any], mirror: list[int]) -> Any:
    ndd.random.set_seed(3)
    with ndd.EvalMode.deferred:  # an eager call may have begun before the next one is made, as a chain of its own
        images = ndd.resize(ndd.decoders.image_random_crop(ndd.batch(files)), size=[8, 9])
        return ndd.crop_mirror_normalize(images, mirror=ndd.batch(mirror), dtype=ndd.float32).numpy()


def test_decoders_that_draw_are_built_anew_without_a_choice(chosen: list[str]) -> None:
    first = cut_out(encoded(".jpg"), [0, 1, 0, 1])
    chosen.clear()
    assert np.array_equal(cut_out(encoded(".jpg"), [0, 1, 0, 1]), first)
    mirrored = cut_out(encoded(".jpg"), [1, 1, 0, 0])
    assert chosen == []
    assert np.array_equal(mirrored, np.stack([first[0][..., ::-1], first[1], first[2], first[3][..., ::-1]]))


def test_what_decoders_make_of_their_data_is_made_anew() -> None:
    """A step that has the pixels of one batch in it must not serve the next one."""
    lossless = encoded(".png")
    first = cut_out(lossless, [0, 1, 0, 1])
    cut_out([cv2.imencode(".png", np.zeros((40, 50, 3), np.uint8))[1]] * 4, [0, 1, 0, 1])
    cut_out(encoded(".jpg"), [0, 1, 0, 1])
    assert np.array_equal(cut_out(lossless, [0, 1, 0, 1]), first)


def test_functions_of_one_number_are_made_without_a_choice_unless_they_stack(chosen: list[str]) -> None:
    def roots(count: int, length: int) -> Any:
        batch = ndd.batch([np.full(length, k * k, np.float32) for k in range(count)])
        return [np.asarray(each).tolist() for each in ndd.math.sqrt(batch)]

    roots(4, 50)
    chosen.clear()
    assert roots(5, 7) == [[float(k)] * 7 for k in range(5)]
    assert chosen == []
    assert roots(1100, 33)[9] == [9.0] * 33
    assert chosen == ["math.sqrt"]
    assert roots(5, 7)[4] == [4.0] * 7
    assert chosen == ["math.sqrt"]


def test_numbers_are_drawn_without_a_choice(chosen: list[str]) -> None:
    ndd.random.uniform(range=[3.0, 4.0], batch_size=5).evaluate()
    chosen.clear()
    drawn = [ndd.random.uniform(range=[3.0, 4.0], batch_size=5).numpy() for _ in range(2)]
    assert chosen == []
    assert not np.array_equal(*drawn)


def test_drawn_numbers_are_the_same_in_every_mode() -> None:
    made = {}
    for mode in (ndd.EvalMode.eager, ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu):
        ndd.random.set_seed(5)
        with mode:
            made[mode] = [ndd.random.coin_flip(batch_size=9).numpy().tolist() for _ in range(3)]
    assert len({str(each) for each in made.values()}) == 1


def test_an_eager_call_that_draws_a_few_numbers_has_run_when_it_returns() -> None:
    ndd.random.uniform(batch_size=3).evaluate()
    drawn = ndd.random.uniform(batch_size=3)
    assert drawn._call is not None
    assert drawn._call.done


def test_an_error_names_the_call_and_the_sample_as_the_first_time_did() -> None:
    def cropped(places: list[float]) -> Any:
        batch = ndd.batch(PIXELS, layout="HWC")
        return ndd.crop(batch, crop=[5, 6], crop_pos_x=ndd.batch(places)).evaluate()

    cropped([0.0, 0.5, 0.5, 1.0])
    cropped([0.0, 0.5, 0.5, 1.0])
    with pytest.raises(RuntimeError) as caught:
        cropped([0.0, 0.5, 1.5, 1.0])
    assert "Anchor" in told(caught.value)
    assert "in crop, sample 2, called at" in told(caught.value)


def test_stages_that_are_run_again_are_told_to_listeners() -> None:
    turned([0.0] * 4, [1] * 4)
    runs: list[events.StageRun] = []
    with events.listening(runs.append, events.StageRun):
        turned([0.0] * 4, [1] * 4)
    found = {run.operators: run for run in runs}
    assert {("crop",), ("flip",)} <= {*found}
    assert found["crop",].passes == (("native", 1),)
    assert found["crop",].samples == 4


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The operators of calls that were planned into stages since."""
    found: list[list[str]] = []
    plan = context.plan
    monkeypatch.setattr(context, "plan", lambda calls: found.append([call.op.path for call in calls]) or plan(calls))
    return found


@pytest.mark.parametrize("mode", [ndd.EvalMode.eager, ndd.EvalMode.deferred])
def test_a_chain_like_one_before_is_not_planned_again(mode: ndd.EvalMode, planned: list[list[str]]) -> None:
    def made(seed: int) -> Any:
        batch = ndd.batch(np.random.default_rng(seed).integers(0, 256, (2, 5, 6, 3), np.uint8), layout="HWC")
        return ndd.cast(ndd.flip(batch, vertical=1), dtype=ndd.float64).numpy(), batch.numpy()

    with ndd.EvalContext(), mode:  # whose background thread has nothing else to run
        made(0)
        before = len(planned)
        result, given = made(1)
    assert np.array_equal(result, given[:, ::-1, ::-1].astype(np.float64))
    if mode is ndd.EvalMode.deferred:  # in eager mode the background thread may have been the first
        assert len(planned) == before


def test_what_is_held_or_read_twice_is_no_part_of_a_chain() -> None:
    with ndd.EvalMode.deferred:
        for _ in range(2):
            assert ndd.cast(ndd.flip(ndd.batch(PIXELS, layout="HWC")), dtype=ndd.int16).numpy().shape == PIXELS.shape
        flipped = ndd.flip(ndd.batch(PIXELS, layout="HWC"))
        ndd.cast(flipped, dtype=ndd.int16).evaluate()
        assert flipped._call is not None
        assert flipped._call.outputs is not None
        inner = ndd.flip(ndd.batch(PIXELS, layout="HWC"))
        one, other = ndd.cast(inner, dtype=ndd.int16), ndd.cast(inner, dtype=ndd.int32)
        del inner
        assert np.array_equal(one.numpy(), other.numpy())


def test_a_chain_whose_arguments_wait_for_other_calls_runs_them_first() -> None:
    with ndd.EvalMode.deferred:
        for flags in ([0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 0, 1]):
            horizontal = ndd.cast(ndd.batch([*map(float, flags)]), dtype=ndd.int32)
            made = ndd.cast(ndd.flip(ndd.batch(PIXELS, layout="HWC"), horizontal=horizontal), dtype=ndd.int32)
            wanted = [image[:, ::-1] if flag else image for image, flag in zip(PIXELS, flags, strict=True)]
            assert np.array_equal(made.numpy(), wanted)


WORDS = (1, 2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize("n", [0, 1, 7, 5000])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_source_of_evenly_distributed_numbers_draws_those_of_the_operator(n: int, dtype: Any) -> None:
    kind = DType.by_numpy[np.dtype(dtype)]
    draw = declaration("random.uniform").on_storage
    assert draw is not None
    bounds = np.array([[-2.5, 3.25]], np.float32)
    whole: Any = draw(Pool(1), n, range=bounds, values=None, shape=None, dtype=kind, draw=Draw(WORDS))
    made = NumberSource.uniform(kind.code, -2.5, 3.25).draw(WORDS, n)
    assert len(made) == n
    assert made.spec == whole.spec
    assert np.array_equal(made.array(), whole.array())


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.bool_])
def test_a_source_of_coin_flips_draws_those_of_the_operator(dtype: Any) -> None:
    kind = DType.by_numpy[np.dtype(dtype)]
    draw = declaration("random.coin_flip").on_storage
    assert draw is not None
    chance = np.array([0.3], np.float32)
    whole: Any = draw(Pool(1), 500, probability=chance, shape=None, dtype=kind, draw=Draw(WORDS))
    made = NumberSource.coin_flip(kind.code, float(chance[0])).draw(WORDS, 500)
    assert made.spec == whole.spec
    assert np.array_equal(made.array(), whole.array())
