"""Stages like earlier ones are run in the way that was chosen for those."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told
from penstock.engine import events, executor

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
