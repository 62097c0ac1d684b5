"""What the engine tells its listeners."""

from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.engine import events


def photos() -> ndd.Batch:
    return ndd.batch(np.arange(2 * 4 * 3, dtype=np.uint8).reshape(2, 4, 3, 1), layout="HWC")


def test_each_call_is_a_stage_when_run_at_once():
    heard: list[events.StageRun] = []
    images = photos()
    with events.listening(heard.append), ndd.EvalMode.sync_cpu:
        ndd.flip(ndd.flip(images), vertical=1)
    assert [(event.operators, event.samples) for event in heard] == [(("flip",), 2), (("flip",), 2)]
    assert all(event.seconds > 0 for event in heard)


def test_a_chain_nobody_looks_into_is_one_stage():
    heard: list[events.StageRun] = []
    images = photos()
    with events.listening(heard.append), ndd.EvalMode.deferred:
        ndd.flip(ndd.flip(images), vertical=1).evaluate()
    assert [event.operators for event in heard] == [("flip", "flip")]


def test_nothing_is_heard_outside_the_block():
    heard: list[events.StageRun] = []
    with pytest.raises(KeyError), events.listening(heard.append):
        raise KeyError
    ndd.flip(photos()).evaluate()
    assert heard == []
    assert events.listeners == []
