"""ndd.profile: figures, text, page and trace of loops in every mode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

import penstock.dynamic as ndd
from ended_workers import ending_lookaheads
from penstock import _native
from penstock.engine import events
from penstock.profiling.advice import advice, verdict
from penstock.profiling.collector import Collector
from penstock.profiling.totals import QueueTotal, StepTotal, Totals, WaitTotal
from penstock.profiling.trace import write_trace
from profiling.loops import EPOCHS, LOOPS, PICTURES
from profiling.trace_format import read

STEPS = {"decoders.image", "resize", "crop_mirror_normalize"}
every_mode = pytest.mark.parametrize("mode", LOOPS)


@pytest.fixture(autouse=True)
def nothing_goes_on() -> Iterator[None]:
    """A profile sees all threads: those of a test have ended before the next one begins."""
    with ending_lookaheads():
        yield


@every_mode
def test_every_mode_tells_of_samples_steps_readers_and_waits(mode):
    with ndd.profile() as p:
        got = LOOPS[mode]()
    totals = p.totals
    assert totals.samples == got == EPOCHS * len(PICTURES)
    assert {step.operator for step in totals.steps} >= STEPS
    assert all(step.samples and step.seconds > 0 and step.place.rpartition(":")[2].isdigit() for step in totals.steps)
    assert all("loops.py" in step.place for step in totals.steps if step.operator in STEPS)
    [reader] = totals.readers
    assert (reader.name, reader.samples >= got, reader.bytes > 10_000) == ("File", True, True)
    assert 0 < totals.wait_share <= 1
    assert 0 <= totals.idle_share <= 1
    assert totals.arena_peak > 0
    assert totals.queues
    assert {slow.source.rpartition(".")[2] for slow in totals.slowest} == {"jpg"}


@every_mode
def test_the_trace_of_every_mode_is_one_that_importers_accept(mode, tmp_path):
    with ndd.profile() as p:
        LOOPS[mode]()
    p.trace(tmp_path / "trace.json")
    trace = read(tmp_path / "trace.json")
    kinds = {each.kind for each in trace.slices}
    assert kinds >= {"read", "wait", "program", "stage", "sample", "step"}
    named = {each.name for each in trace.slices if each.kind == "step"}
    assert any(re.fullmatch(r"decoders\.image  .*loops\.py:\d+", name) for name in named), named
    assert trace.flows
    for flow in trace.flows:
        assert flow[0].kind == "read"
        assert any(each.kind in ("sample", "step") for each in flow)
    ends = {flow[-1].kind for flow in trace.flows}
    assert ends & {"program", "wait"}
    assert trace.counters.keys() >= {"arena", "ready in reader"}
    assert all(each.end >= each.start for each in trace.slices)


def test_workers_have_a_lane_each(tmp_path):
    pictures = ndd.readers.File(files=PICTURES * 8)
    with ndd.EvalContext(num_threads=3), ndd.profile() as p:
        for jpegs, _ in pictures.next_epoch(batch_size=48):
            ndd.resize(ndd.decoders.image(jpegs), size=[224, 224]).evaluate()
    p.trace(tmp_path / "trace.json")
    lanes = {each.lane for each in read(tmp_path / "trace.json").slices if each.kind == "sample"}
    assert len(lanes) > 1
    assert any(lane.startswith("worker") for lane in lanes)
    assert p.totals.pool_threads == 3


class Page(HTMLParser):
    """Fails on tags that are not closed, and collects what the page refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert not {name for name, _ in attributes} & {"src", "href", "onclick"}
        assert tag != "script"
        if tag not in ("meta", "br", "wbr"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("meta", "br", "path"):
            assert self._open.pop() == tag

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag == "path"

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_report_is_one_page_that_fetches_nothing_and_shows_the_slowest_files(tmp_path):
    with ndd.profile("train.py") as p:
        LOOPS["compiled"]()
    text = p.html(tmp_path / "profile.html")
    assert (tmp_path / "profile.html").read_text() == text
    said = " ".join(Page(text).words)
    assert "train.py" in said
    assert p.verdict in said
    assert "Slowest samples" in said
    assert p.totals.slowest[0].source in said
    assert "url(" not in text


def test_the_summary_says_in_its_first_line_whether_the_input_is_the_bottleneck():
    with ndd.profile() as p:
        LOOPS["sync"]()
    first, *rest = str(p).splitlines()
    assert first == p.verdict
    assert first.startswith("input-bound: the program waited for data ")
    assert rest[0].startswith("  → ")
    assert p.input_bound


def test_nothing_is_measured_behind_the_block():
    with ndd.profile() as p:
        pass
    LOOPS["eager"]()
    assert p.totals.steps == []
    assert p.verdict == "nothing was loaded while this profile was on"
    assert all(listeners == [] for listeners in events.KINDS.values())
    assert events.ranges == []
    with pytest.raises(RuntimeError, match="a profile is of one block"), p:
        pass


def test_profiles_may_be_nested_and_each_sees_its_own_time():
    with ndd.profile() as outer:
        LOOPS["sync"]()
        with ndd.profile() as inner:
            LOOPS["sync"]()
    assert (inner.totals.samples, outer.totals.samples) == (24, 48)


def test_results_are_the_same_with_a_profile():
    reader = ndd.readers.File(files=PICTURES)
    [(jpegs, _)] = reader.next_epoch(batch_size=len(PICTURES))
    plain = ndd.as_tensor(ndd.resize(ndd.decoders.image(jpegs), size=[64, 64])).numpy()
    with ndd.profile():
        profiled = ndd.as_tensor(ndd.resize(ndd.decoders.image(jpegs), size=[64, 64])).numpy()
    assert (plain == profiled).all()


def test_what_is_remembered_for_the_trace_is_bounded(monkeypatch):
    monkeypatch.setattr("penstock.profiling.collector._MOST_KEPT", 50)
    with ndd.profile() as p:
        LOOPS["eager"]()
        LOOPS["eager"]()
    assert p.totals.samples == 48
    assert 0 < len(p._collector.kept) <= 50


def totals(**found: object) -> Totals:
    nothing = {
        "seconds": 10.0, "cpu": 5.0, "cores": 8, "samples": 100, "batches": 10, "waited": 0.0, "waits": [], "steps": [],
        "stages": [], "readers": [], "queues": [], "slowest": [], "threads": [], "pool_threads": 8, "memory": [],
        "peak_bytes": 0, "rates": [],
    }  # fmt: skip
    return Totals(**(nothing | found))


def test_a_program_that_hardly_waits_is_sent_to_its_model():
    found = totals(waited=0.2, queues=[QueueTotal("compiled", 3, 10, 0, 30, 0.0, 1.2, True)])
    assert verdict(found) == (
        "not input-bound: the program waited for data 2% of the time, batches were ready 120 ms before it came"
    )
    assert advice(found) == ["a faster input would make the program at most 2% faster: look at the model first"]


def test_advice_names_the_step_that_takes_the_time():
    slow = StepTotal("mine", "train.py:3", "mine(x)", "plain", 100, 8.0, 8.0)
    found = totals(waited=6.0, steps=[slow], waits=[WaitTotal("next batch", "train.py:1", 10, 6.0)])
    assert verdict(found) == "input-bound: the program waited for data 60% of the time"
    assert advice(found)[0].startswith("mine at train.py:3 runs in ")
    decoding = StepTotal("decoders.image", "train.py:2", "", "native", 100, 8.0, 7.0)
    waits = [WaitTotal("resize", "train.py:4", 10, 6.0)]
    first, second, *_ = advice(totals(waited=6.0, steps=[decoding], waits=waits))
    assert first.startswith("100% of the threads' time is decoders.image at train.py:2: store smaller images")
    assert "compile=True" in second


def test_waits_inside_of_a_wait_are_counted_once():
    collector = Collector()
    site = events.here()
    for started, seconds in ((1.0, 1.0), (3.0, 1.0), (0.5, 4.0), (6.0, 1.0)):
        collector.take(events.ProgramWait("next batch", seconds, site, started, 1, 0))
    collector.thread = 1
    assert collector.totals().waited == pytest.approx(5.0)


def test_a_batch_that_the_program_reads_itself_counts_for_the_same_reader(tmp_path):
    collector, site = Collector(), events.here()
    collector.thread = 1
    for thread in (1, 2):
        collector.take(events.BatchRead("File", 4, 100, 0.1, 0.1, 0.0, 0, 0, site, float(thread), thread, thread))
    [reader] = collector.totals().readers
    assert (reader.batches, reader.samples, reader.bytes) == (2, 8, 200)
    write_trace(tmp_path / "trace.json", collector, "two threads")
    reads = [each.lane for each in read(tmp_path / "trace.json").slices if each.kind == "read"]
    assert "reads ahead: File" in reads
    assert len({*reads}) == 2


def test_what_began_before_the_block_is_shown_from_its_start_on(tmp_path):
    collector, site = Collector(), events.here()
    collector.started = 10.0
    collector.take(events.BatchRead("File", 4, 100, 3.0, 0.1, 0.0, 0, 0, site, 9.0, 1, 1))
    collector.take(events.QueueTake("penstock-reader", 1, 2, 0.0, 0.0, 9.5, 1, 2))
    write_trace(tmp_path / "trace.json", collector, "late")
    trace = read(tmp_path / "trace.json")
    assert [(each.start, each.end) for each in trace.slices if each.kind == "read"] == [(0.0, 2e6)]
    assert trace.counters["ready in reader"] == [(0.0, {"ready": 1})]


def test_cheap_samples_are_timed_only_now_and_then():
    ramp = ndd.batch([[1.0, 2.0, 3.0, 4.0]] * 4096, dtype=ndd.float32)
    heard: list[events.StageRun] = []
    with ndd.EvalMode.deferred, events.listening(heard.append):
        ((ramp + 1.0) * 2.0 - 3.0).evaluate()
    timed = [times for stage in heard for _, times in stage.times]
    assert all(len(times.laps()) < 3 * 4096 / 10 for times in timed)


def test_the_log_of_workers_is_off_when_nobody_listens():
    _, before = _native.worker_spans(0)
    LOOPS["eager"]()
    assert _native.worker_spans(0)[1] == before
