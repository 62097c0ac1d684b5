"""Which of many short events are measured."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock._native import Sampling
from penstock.engine import events, stage_timer


@pytest.fixture
def short_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every stage counts as one of 0.1 ms, which a busy or emulated machine may take much longer for."""
    noted = SimpleNamespace(measured=lambda key, seconds: events.stage_sampling.measured(key, 1e-4))
    monkeypatch.setattr(stage_timer, "stage_sampling", noted)


def weights(sampling: Sampling, seconds: float, count: int, key: str = "flip") -> list[int]:
    """Those of so many events that last so long."""
    found = []
    for _ in range(count):
        found.append(sampling.weight(key))
        if found[-1]:
            sampling.measured(key, seconds)
    return found


def test_events_that_last_are_all_measured():
    assert weights(Sampling(), 0.02, 100) == [1] * 100


def test_each_short_event_that_is_measured_stands_for_those_left_out_before_it():
    sampling = Sampling()
    found = weights(sampling, 1e-4, 20_000)
    assert found[:8] == [1] * 8
    last = max(place for place, weight in enumerate(found) if weight)
    assert sum(found) == last + 1
    assert sum(found) + sampling.left_out("flip") == 20_000
    assert 50 < sum(map(bool, found)) < 1000


def test_short_events_do_not_keep_long_ones_of_another_key_from_being_measured():
    sampling = Sampling()
    for _ in range(50):
        weights(sampling, 1e-5, 20, "flip")
        assert weights(sampling, 0.05, 1, "resize") == [1]


def test_events_that_become_long_are_all_measured_again():
    sampling = Sampling()
    weights(sampling, 1e-4, 1000)
    assert weights(sampling, 0.1, 2000)[-100:] == [1] * 100


@pytest.mark.usefixtures("short_stages")
def test_a_listener_that_wants_all_events_gets_them_beside_a_sampled_one():
    images = ndd.batch(np.zeros((2, 4, 4, 3), np.uint8), layout="HWC")
    every: list[events.StageRun] = []
    some: list[events.StageRun] = []
    end_sampled = events.subscribe(some.append, events.StageRun, sampled=True)
    with ndd.EvalMode.sync_cpu:
        for _ in range(400):
            ndd.flip(images)
        sampled = len(some)
        with events.listening(every.append):
            for _ in range(400):
                ndd.flip(images)
    end_sampled()
    assert sampled < 400
    assert sum(stage.weight for stage in some[:sampled]) <= 400
    assert [stage.weight for stage in every] == [1] * 400
    assert len(some) == sampled + 400


@pytest.mark.usefixtures("short_stages")
def test_a_profile_counts_calls_it_did_not_measure():
    images = ndd.batch(np.zeros((2, 4, 4, 3), np.uint8), layout="HWC")
    with ndd.EvalMode.sync_cpu, ndd.profile() as p:
        for _ in range(6000):
            ndd.flip(images)
    assert sum(step.samples for step in p.totals.steps) == 12_000
    assert [stage.runs for stage in p.totals.stages] == [6000]
    assert [wait.times for wait in p.totals.waits] == [6000]
    assert sum(isinstance(event, events.StageRun) for event in p._collector.kept) < 3000
