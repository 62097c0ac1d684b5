"""Steps that are like the one before: made natively, to the same as any other."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

import penstock.dynamic as ndd
from engine.test_graph import GIVEN, flipped, images
from engine.test_program import Batch, Numbers, Sum
from penstock._native import Samples, StepMaker
from penstock.engine.context import EvalContext
from penstock.engine.events import inspecting
from penstock.engine.graph.graph import Graph
from penstock.engine.graph.node import Node
from penstock.engine.invocation import Invocation
from penstock.engine.program.plan import Plan, Plans
from penstock.engine.program.program import Numbering, Program
from penstock.engine.program.run_ahead import RunAhead
from penstock.engine.program.step import Kind


class Noting(Program[int, Any]):
    """A program that notes which steps Python code makes."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.anew: list[int] = []

    def make(self, number: int, position: int) -> Any:
        self.anew.append(number)
        return super().make(number, position)


def noting(*sources: Any, plans: Any = Sum, **named: Any) -> Noting:
    return Noting(sources, Plans(plans), lambda step: step.position + 10, StopIteration, **named)


def steps_of(program: Noting, count: int) -> list[Any]:
    run = RunAhead(program, "penstock-test", 0, 0, background=False)
    return [run.look(number) for number in range(count)]


def test_steps_of_the_same_kind_are_made_as_the_first_was():
    program = noting(Numbers([2]), Numbers([3]))
    steps = steps_of(program, 4)
    assert program.anew == [0]
    assert [step.results for step in steps] == [[0, 0], [2, 10], [4, 20], [6, 30]]
    assert [(step.position, step.behind) for step in steps] == [(0, 10), (10, 20), (20, 30), (30, 40)]
    assert all(step.kind == steps[0].kind and step.plan is steps[0].plan for step in steps)
    assert [step.given[1].sample(0).item() for step in steps] == [0, 1, 2, 3]
    assert len({id(step.fetched) for step in steps}) == 4


def test_steps_without_sources_or_plans_are_made_too():
    assert [step.results for step in steps_of(noting(), 3)] == [[0, 0], [0, 10], [0, 20]]
    unplanned = noting(Numbers([1]), plans=lambda kind: None)
    assert [(step.results, len(step.given)) for step in steps_of(unplanned, 3)] == [(None, 1)] * 3
    assert unplanned.anew == [0]


@pytest.mark.parametrize("sizes", [[1, 1, 2, 2, 1], [1, 1, 3, 1, 1]])
def test_another_kind_of_batch_has_its_own_plan(sizes):
    program = noting(Numbers(sizes))
    steps = steps_of(program, 5)
    assert [step.plan.kind[0][1] for step in steps] == sizes
    assert program.anew == [0, *(k for k in range(1, 5) if sizes[k] != sizes[k - 1])]


class Varied:
    """A source whose batches differ otherwise than in size."""

    background = True

    def __init__(self, *batches: Batch) -> None:
        self._batches = batches

    def fetch(self, number: int) -> Batch:
        return self._batches[number]


def test_kinds_differ_in_element_type_rank_layout_and_number_of_outputs():
    bytes_, floats = np.zeros((2, 3, 4), np.uint8), np.zeros((2, 3, 4), np.float32)
    labelled = Samples.wrap(bytes_)
    labelled.layout = "HW"
    given = [Samples.wrap(bytes_), Samples.wrap(floats), Samples.wrap(bytes_[0]), labelled]
    batches = [Batch((each,)) for each in given]
    batches += [Batch((labelled, labelled)), Batch((labelled, labelled), single=True), Batch((labelled,))]
    program = noting(Varied(*batches), plans=lambda kind: None)
    steps = steps_of(program, len(batches))
    assert program.anew == [*range(len(batches))]
    assert len({step.kind for step in steps}) == len(batches) - 1


def test_after_an_error_of_a_source_the_steps_go_on():
    program = noting(Numbers([1, 1, error := ValueError(), 1, 1]))
    steps = steps_of(program, 5)
    assert [step.error for step in steps] == [None, None, error, None, None]
    assert [step.results for step in steps] == [[0, 0], [1, 10], None, [3, 30], [4, 40]]
    assert program.anew == [0, 2, 3]


class Counted(Numbers):
    """Notes every fetch. Only the consumer's thread may call it first."""

    def __init__(self, sizes: list[Any]) -> None:
        super().__init__(sizes, background=False)
        self.fetches: list[int] = []

    def fetch(self, number: int) -> Batch:
        self.fetches.append(number)
        return super().fetch(number)


@pytest.mark.parametrize("depth", [0, 2])
def test_batches_that_were_fetched_to_prepare_a_step_are_not_fetched_again(depth):
    own, other = Counted([1]), Numbers([1])
    program = noting(own, other)
    run = RunAhead(program, "penstock-test", 0, 0)
    assert [run.take(depth).results for _ in range(4)] == [[0, 0], [2, 10], [4, 20], [6, 30]]
    run.stop()
    assert sorted(own.fetches) == sorted([*range(4 + depth), *program.anew])
    assert other.asked[:4] == [0, 1, 2, 3]


def test_a_batch_of_another_kind_is_prepared_and_fetched_again():
    own = Counted([1, 1, 2, 2])
    program = noting(own)
    assert [step.plan.kind[0][1] for step in steps_of(program, 4)] == [1, 1, 2, 2]
    assert program.anew == [0, 2]
    assert own.fetches == [0, 0, 1, 2, 2, 3]


def test_sources_are_not_asked_behind_the_end():
    source = Numbers([1, 1, end := StopIteration(), 1])
    assert [step.error for step in steps_of(noting(source), 5)] == [None, None, end, end, end]
    assert source.asked == [0, 1, 2]


class Failing(Sum):
    """Fails in the third step."""

    error = ValueError("of the plan")

    def run(self, given: Sequence[Samples], position: int) -> list[int]:
        if position == 20:
            raise self.error
        return super().run(given, position)


def test_what_a_plan_raises_is_the_error_of_that_step_alone():
    steps = steps_of(noting(Numbers([1]), plans=Failing), 5)
    assert [step.error for step in steps] == [None, None, Failing.error, None, None]
    assert [step.results for step in steps] == [[0, 0], [1, 10], None, [3, 30], [4, 40]]
    assert [step.behind for step in steps] == [10, 20, 30, 40, 50]


class Interrupted(Numbers):
    """Whoever fetches the batch number 2 is interrupted the first time."""

    interrupts: ClassVar[list[BaseException]] = [KeyboardInterrupt(), ZeroDivisionError("of a signal handler")]

    def fetch(self, number: int) -> Batch:
        if number == 2 and len(self.asked) - 2 < len(self.interrupts):
            self.asked.append(-1)
            raise self.interrupts[len(self.asked) - 3]
        return super().fetch(number)


def test_an_interrupted_step_is_made_again():
    source = Interrupted([1])
    run = RunAhead(noting(source), "penstock-test", 0, 0, background=False)
    steps = [run.look(0), run.look(1)]
    for interrupt in source.interrupts:
        with pytest.raises(type(interrupt)):
            run.look(2)
    steps += [run.look(2), run.look(3)]
    assert [step.results for step in steps] == [[0, 0], [1, 10], [2, 20], [3, 30]]


def test_other_plans_are_followed_from_the_next_step_on():
    class Other(Sum):
        """Another plan."""

    program = noting(Numbers([1]))
    run = RunAhead(program, "penstock-test", 0, 0, background=False)
    first = [run.look(number) for number in range(2)]
    program.plans = Plans(Other)
    second = [run.look(number) for number in range(2, 4)]
    assert [type(step.plan) for step in (*first, *second)] == [Sum, Sum, Other, Other]


def test_sources_have_numbers_of_their_own():
    program = noting(Numbers([1]), Numbers([1]), numbering=[Numbering(5), Numbering(100, 2)])
    assert [step.results[0] for step in steps_of(program, 3)] == [105, 108, 111]


class Flips(Plan[int, Any]):
    """Flips what it is given."""

    def __init__(self, kind: Kind) -> None:
        self.node = flipped(GIVEN)
        context = EvalContext.current()
        super().__init__(kind, Graph([self.node], [self.node], context), [], context)

    def explain(self) -> Any:
        raise NotImplementedError


class FlippedPixels(Flips):
    """The pixels instead of the calls."""

    def finish(self, made: dict[Node, Invocation], given: Sequence[Samples]) -> Any:
        if given[0].sample(0).ravel()[0] == 2:
            raise ValueError("two")
        return made[self.node].result(0).sample(0).ravel().tolist()


class Pictures:
    background = True

    def fetch(self, number: int) -> Batch:
        return Batch((images(number),))


def test_graphs_are_run_again():
    steps = steps_of(noting(Pictures(), plans=Flips), 4)
    (plan,) = {step.plan for step in steps}
    for number, step in enumerate(steps):
        (call,) = step.results.values()
        assert np.array_equal(call.result(0).sample(0), images(number).sample(0)[:, ::-1])
    assert len({id(step.results) for step in steps}) == 4
    assert plan.graph.replay is not None


def test_results_are_what_the_plan_makes_of_the_calls():
    steps = steps_of(noting(Pictures(), plans=FlippedPixels), 5)
    assert [step.results and step.results[0] for step in steps] == [2, 3, None, 5, 6]
    assert [str(step.error) for step in steps] == ["None", "None", "two", "None", "None"]


def test_inspectors_see_the_calls_of_every_step():
    seen: list[Any] = []
    run = RunAhead(noting(Pictures(), plans=Flips), "penstock-test", 0, 0, background=False)
    for number in range(4):
        with inspecting(seen.append):
            run.look(number)
        run.look(number)
    assert [call.op.path for call in seen] == ["flip"] * 4


def test_a_graph_that_does_not_serve_a_batch_any_more_is_run_otherwise():
    class Odd(Flips):
        """Has a graph for batches of another type than those that it gets."""

    program = noting(Pictures(), plans=Odd)
    run = RunAhead(program, "penstock-test", 0, 0, background=False)
    plan = run.look(0).plan
    floats = Samples.wrap(np.zeros((2, 2, 3, 1), np.float32))
    floats.layout = "HWC"
    plan.graph.forget_replay()
    plan.graph.run([floats], {}, EvalContext.current().pool)  # records stages that take no bytes
    for number in (1, 2):
        (call,) = run.look(number).results.values()
        assert np.array_equal(call.result(0).sample(0), images(number).sample(0)[:, ::-1])


def test_a_run_that_its_source_refers_to_is_collected():
    source = Numbers([1])
    run = RunAhead(noting(source), "penstock-test", 0, 0, background=False)
    for number in range(3):
        run.look(number)
    source.run = run  # type: ignore[attr-defined]
    gone = weakref.ref(source)
    del source, run
    gc.collect()
    assert gone() is None


def test_the_number_of_threads_may_change_between_steps():
    run = RunAhead(noting(Pictures(), plans=Flips), "penstock-test", 0, 0, background=False)
    try:
        for number, threads in enumerate([1, 3, 2]):
            ndd.set_num_threads(threads)
            assert EvalContext.default().pools == []
            run.look(number)
            assert EvalContext.default().pool.threads == threads
    finally:
        ndd.set_num_threads(None)


def test_threads_may_make_steps_at_once():
    program = noting(Numbers([1, 2, 2, 1, 1]))
    maker = StepMaker(program, program.make, lambda position, error: None, (), 0, 0)
    made: list[list[Any]] = [[] for _ in range(4)]

    def make(into: list[Any]) -> None:
        into += [maker() for _ in range(200)]

    threads = [threading.Thread(target=make, args=(into,)) for into in made]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert all(len(into) == 200 for into in made)
    for step in (step for into in made for step in into):
        number = step.fetched[0].outputs[0].sample(0).item()
        assert step.results == [number, step.position]
        assert step.plan.kind == step.kind
