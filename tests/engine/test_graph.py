"""Graphs: calls without their data, which are run again and again on what is given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock._native import Samples
from penstock.engine.context import EvalContext
from penstock.engine.events import inspecting
from penstock.engine.graph.graph import Graph
from penstock.engine.graph.node import Feed, Node, NodePort, Port
from penstock.values.samples import from_array

GIVEN: NodePort = Port(None, 0)


def images(first: int = 0, count: int = 2) -> Samples:
    samples = from_array(np.arange(first, first + count * 6, dtype=np.uint8).reshape(count, 2, 3, 1))
    samples.layout = "HWC"
    return samples


def node(call: Any, *feeds: Feed) -> Node:
    """A node that does what `call` does with a batch of two images."""
    with ndd.EvalMode.deferred:
        value = call(ndd.batch(np.zeros((2, 2, 3, 1), np.uint8), layout="HWC"))
    return Node(value._call, feeds, {})


def flipped(feed: Feed) -> Node:
    return node(ndd.flip, feed)


def run(graph: Graph, given: Samples) -> dict[Node, np.ndarray[Any, Any]]:
    made = graph.run([given], {}, EvalContext.current().pool)
    return {each: np.stack([call.result(0).sample(k) for k in range(2)]) for each, call in made.items()}


def test_a_graph_runs_on_what_it_is_given_each_time():
    one = flipped(GIVEN)
    graph = Graph([one], [one], EvalContext.current())
    for first in (0, 100):
        given = images(first)
        expected = np.stack([given.sample(k) for k in range(2)])[:, :, ::-1]
        assert np.array_equal(run(graph, given)[one], expected)


def test_what_is_fused_and_what_is_kept_shows_in_the_stages():
    first = flipped(GIVEN)
    second = flipped(first.ports[0])
    fused = Graph([first, second], [second], EvalContext.current())
    kept = Graph([first, second], [first, second], EvalContext.current())
    assert fused.stages == []
    assert np.array_equal(run(fused, images())[second], run(kept, images())[second])
    assert fused.stages == [[first, second]]
    assert kept.stages == [[first], [second]]


def test_equal_nodes_are_run_once_and_dead_ones_not_at_all():
    first, equal, dead = flipped(GIVEN), flipped(GIVEN), flipped(GIVEN)
    one, other = node(ndd.brightness, first.ports[0]), node(ndd.contrast, equal.ports[0])
    graph = Graph([first, equal, dead, one, other], [one, other], EvalContext.current())
    run(graph, images())
    assert graph.made_by(equal) is first
    assert graph.dropped == [(equal, first), (dead, first)]
    assert [len(stage) for stage in graph.stages] == [1, 1, 1]


def test_what_was_run_holds_nothing_that_it_was_made_from():
    first = flipped(GIVEN)
    ends = [node(ndd.brightness, first.ports[0]), node(ndd.contrast, first.ports[0])]
    graph = Graph([first, *ends], ends, EvalContext.current())
    made = graph.run([images()], {}, EvalContext.current().pool)
    assert {*made} == {*ends}
    assert [call.inputs for call in made.values()] == [[], []]


def test_a_failure_belongs_to_those_that_need_the_result():
    @ndd.operator
    def refuse(image: Any) -> Any:
        raise ValueError("not this one")

    fine, failing = flipped(GIVEN), node(refuse, GIVEN)
    after = flipped(failing.ports[0])
    graph = Graph([fine, failing, after], [fine, after], EvalContext.current())
    made = graph.run([images()], {}, EvalContext.current().pool)
    assert made[fine].result(0).sample(0).shape == (2, 3, 1)
    with pytest.raises(ValueError, match="not this one"):
        made[after].result(0)


def test_calls_that_are_not_run_can_be_finished_later():
    one = flipped(GIVEN)
    graph = Graph([one], [], EvalContext.current())
    assert run(graph, images()) == {}
    call = graph.calls([images()], {})[one]
    assert not call.done
    assert call.result(0).sample(0).shape == (2, 3, 1)


def test_seconds_and_samples_of_every_stage_are_counted():
    one = flipped(GIVEN)
    graph = Graph([one], [one], EvalContext.current())
    assert graph.runs == []
    run(graph, images())
    ((passes, samples, seconds),) = graph.runs
    assert (passes[0].way, passes[0].calls, samples) == ("native", 1, 2)
    run(graph, images())
    assert graph.runs[0][2] > seconds > 0


def test_stages_that_feed_one_another_run_again_as_at_first():
    first = flipped(GIVEN)
    ends = [node(ndd.brightness, first.ports[0]), node(ndd.contrast, first.ports[0]), flipped(GIVEN)]
    graph = Graph([first, *ends], ends, EvalContext.current())
    runs = [run(graph, images(start)) for start in (0, 50, 0)]
    assert graph.replay is not None
    for each in ends:
        assert np.array_equal(runs[0][each], runs[2][each])
        assert not np.array_equal(runs[0][each], runs[1][each])


def test_calls_of_runs_share_nothing_that_may_change():
    one = flipped(GIVEN)
    graph = Graph([one], [one], EvalContext.current())
    pool = EvalContext.current().pool
    calls = [graph.run([images()], {}, pool)[one] for _ in range(3)]
    for name in ("inputs", "tensors", "handles", "outputs"):
        assert len({id(getattr(call, name)) for call in calls}) == 3
    for name in ("op", "batch_size", "site", "specs", "memo", "error", "device", "context"):
        assert getattr(calls[2], name) is getattr(calls[0], name)


def test_batches_that_the_stages_do_not_serve_are_run_anew():
    one = flipped(GIVEN)
    graph = Graph([one], [one], EvalContext.current())
    before = run(graph, images())[one]
    floats = from_array(np.zeros((2, 2, 3, 1), np.float32))
    floats.layout = "HWC"
    assert run(graph, floats)[one].dtype == np.float32
    for _ in range(2):
        seconds = graph.runs[0][2]
        assert np.array_equal(run(graph, images())[one], before)
        assert graph.runs[0][2] > seconds


def test_inspectors_see_calls_that_would_run_again():
    one = flipped(GIVEN)
    graph = Graph([one], [one], EvalContext.current())
    seen: list[Any] = []
    for _ in range(2):
        run(graph, images())
    with inspecting(seen.append):
        run(graph, images())
    assert [call.op.path for call in seen] == ["flip"]
