"""What the engine tells its listeners."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import penstock
import penstock.dynamic as ndd
from penstock import fn, pipeline_def
from penstock.engine import events

PICTURES = sorted(str(file) for file in (Path(penstock.__file__).parent / "cli/assets").glob("*/*.jpg"))[:6]


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
    assert events.stage_listeners == []


def pictures() -> ndd.readers.File:
    """A reader of JPEGs in batches of 3."""
    return ndd.readers.File(files=PICTURES)


def augmented(jpegs: ndd.Batch) -> ndd.Batch:
    images = ndd.resize(ndd.decoders.image(jpegs), size=[48, 64])
    return ndd.flip(images)


@pytest.mark.parametrize("compiled", [False, True])
def test_steps_inside_of_a_native_pass_are_timed_each_for_itself(compiled):
    heard: list[events.StageRun] = []
    with ndd.EvalMode.deferred, events.listening(heard.append):
        for jpegs, _ in pictures().next_epoch(batch_size=3, compile=compiled):
            augmented(jpegs).evaluate()
    fused = [stage for stage in heard if len(stage.operators) == 3]
    assert fused
    for stage in fused:
        assert [(call.first, call.last) for call in stage.calls] == [(0, 0), (1, 1), (2, 2)]
        assert all(call.seconds > 0 and call.cpu >= 0 for call in stage.calls)
        assert [site.line for site in stage.sites] == sorted(site.line for site in stage.sites)
        assert all(slow.source.endswith(".jpg") and slow.seconds > 0 for slow in stage.slowest)


def test_steps_that_cannot_be_told_apart_are_timed_together():
    heard: list[events.StageRun] = []
    sound = ndd.batch([np.linspace(-1, 1, 4000, dtype=np.float32)] * 2)
    with ndd.EvalMode.deferred, events.listening(heard.append):
        ndd.mel_filter_bank(ndd.spectrogram(sound), nfilter=20, sample_rate=8000).evaluate()
    mine = [stage for stage in heard if "spectrogram" in stage.operators]  # a loop that is gone may end its last step
    assert [(call.first, call.last) for call in mine[0].calls] == [(0, 1)]


def test_the_key_of_a_batch_leads_from_its_read_to_what_the_program_gets():
    heard: list[events.Event] = []
    with events.listening(heard.append, *events.KINDS):
        for jpegs, _ in pictures().next_epoch(batch_size=3):
            augmented(jpegs).evaluate()
    by_kind = {kind: [each for each in heard if type(each) is kind] for kind in events.KINDS}
    got, *_ = by_kind[events.BatchHandedOut]
    assert (got.source, got.samples) == ("File", 3)
    read = next(each for each in by_kind[events.BatchRead] if each.batch == got.batch)  # not always the first that ends
    assert (read.reader, read.samples, read.bytes > 1000, read.seconds > 0) == ("File", 3, True, True)
    assert read.site.code.co_filename == __file__
    assert any(wait.what == "flip" and wait.batch == read.batch for wait in by_kind[events.ProgramWait])
    assert any(stage.batch == read.batch for stage in by_kind[events.StageRun])
    assert all(take.ready <= take.depth for take in by_kind[events.QueueTake])


def test_a_pipeline_tells_of_its_iterations():
    @pipeline_def(batch_size=3, num_threads=2, device_id=None)
    def pipe():
        jpegs, _ = fn.readers.file(files=PICTURES)
        return fn.flip(fn.decoders.image(jpegs))

    heard: list[events.Event] = []
    with events.listening(heard.append, events.BatchHandedOut, events.ProgramWait):
        running = pipe()
        running.run()
    assert [type(each).__name__ for each in heard] == ["ProgramWait", "BatchHandedOut"]
    assert heard[1].samples == 3
    assert heard[0].batch == heard[1].batch != 0


def test_a_subscription_is_to_kinds_of_events_and_ends():
    heard: list[events.Event] = []
    stop = events.subscribe(heard.append, events.ProgramWait)
    with ndd.EvalMode.deferred:  # an eager call may be done before it is asked for
        ndd.flip(photos()).evaluate()
        stop()
        stop()
        ndd.flip(photos()).evaluate()
    assert [wait.what for wait in heard] == ["flip"]
    with pytest.raises(TypeError, match="no kind of event; there are StageRun"):
        events.subscribe(heard.append, int)
