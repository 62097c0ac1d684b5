"""Programs: sources, plans by kind of batch, and steps that are made ahead."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

from penstock._native import Samples
from penstock.engine.context import EvalContext
from penstock.engine.graph.graph import Graph
from penstock.engine.program.plan import Plan, Plans
from penstock.engine.program.program import Program
from penstock.engine.program.run_ahead import RunAhead
from penstock.engine.program.step import Kind, Step
from penstock.engine.rng import RNG, get_default_rng


class Batch(NamedTuple):
    outputs: tuple[Samples, ...] = ()
    error: BaseException | None = None
    single: bool = False


class Numbers:
    """Batches of as many samples as `sizes` says, each its own number; an exception stands for itself."""

    def __init__(self, sizes: Sequence[int | BaseException], background: bool = True) -> None:
        self.sizes = sizes
        self.background = background
        self.asked: list[int] = []
        self.threads: set[int] = set()

    def fetch(self, number: int) -> Batch:
        if number not in self.asked:
            self.asked.append(number)
            self.threads.add(threading.get_ident())
        size = self.sizes[number % len(self.sizes)]
        if isinstance(size, BaseException):
            return Batch(error=size)
        return Batch((Samples.wrap(np.full((size, 1), number, np.int32)),))


class Sum(Plan[int, list[int]]):
    """Adds up what sources give, and the position."""

    def __init__(self, kind: Kind) -> None:
        context = EvalContext.current()
        super().__init__(kind, Graph([], [], context), [], context)

    def run(self, given: Sequence[Samples], position: int) -> list[int]:
        return [int(np.sum([samples.sample(0) for samples in given])), position]

    def explain(self) -> Any:
        raise NotImplementedError


def program(*sources: Numbers, ended_by: type[BaseException] = StopIteration, rng: RNG | None = None) -> Any:
    return Program(sources, Plans(Sum), lambda step: step.position + 10, ended_by, rng)


def results(run: RunAhead[int, list[int]], count: int) -> list[Any]:
    """What the next steps have made, or their errors."""
    steps = [run.take(1) for _ in range(count)]
    return [step.results if step.error is None else step.error for step in steps]


def test_a_step_is_made_of_what_every_source_gives():
    step = program(Numbers([2]), Numbers([2])).make(3, 7)
    assert step.results == [6, 7]
    assert (step.position, step.behind) == (7, 17)
    assert [size for _, size in step.kind] == [2, 2]


def test_a_plan_is_made_once_for_each_kind():
    made: list[Kind] = []

    def make(kind: Kind) -> Sum:
        made.append(kind)
        return Sum(kind)

    one = Program([Numbers([1, 2, 1, 1, 2])], Plans(make), lambda step: 0, StopIteration)
    steps = [one.make(number, 0) for number in range(5)]
    assert len(made) == 2
    assert steps[0].plan is steps[3].plan is not steps[1].plan
    assert one.plans.latest is steps[4].plan


def test_kinds_without_a_plan_are_fetched_and_not_run():
    step: Step[int, list[int]] = Program([Numbers([2])], Plans(lambda kind: None), lambda step: 0, Exception).make(0, 0)
    assert step.results is None
    assert step.error is None
    assert len(step.given) == 1


def test_sources_stay_in_step_when_one_fails_and_the_first_error_is_told():
    failing, other = Numbers([1, ValueError("first"), 1]), Numbers([1, ValueError("second"), 1])
    made = [program(failing, other).make(number, 0) for number in range(3)]
    assert [str(step.error) for step in made] == ["None", "first", "None"]
    assert failing.asked == other.asked == [0, 1, 2]


def test_nobody_is_asked_after_a_source_that_has_ended():
    after = Numbers([1])
    step = program(Numbers([1]), Numbers([StopIteration()]), after).make(0, 0)
    assert isinstance(step.error, StopIteration)
    assert after.asked == []


def test_what_a_plan_raises_is_the_error_of_its_step():
    def refuse(kind: Kind) -> Sum:
        raise TypeError("no plan for this")

    step: Step[int, list[int]] = Program([Numbers([1])], Plans(refuse), lambda step: 0, Exception).make(0, 0)
    assert str(step.error) == "no plan for this"


def test_operators_of_the_users_own_draw_from_the_generator_of_the_program():
    rng, used = RNG(seed=5), list[Any]()

    class Drawing(Sum):
        def run(self, given: Sequence[Samples], position: int) -> list[int]:
            used.append(get_default_rng())
            return []

    before = get_default_rng()
    Program([Numbers([1])], Plans(Drawing), lambda step: 0, Exception, rng).make(0, 0)
    assert used == [rng]
    assert get_default_rng() is before


def test_steps_come_in_order_each_from_where_the_one_before_ended():
    run = RunAhead(program(Numbers([1])), "penstock-test", 4, 100)
    assert results(run, 3) == [[4, 100], [5, 110], [6, 120]]
    run.stop()


def test_a_program_goes_on_behind_an_error_and_not_behind_its_end():
    run = RunAhead(program(Numbers([1, error := ValueError(), 1, end := StopIteration(), 1])), "penstock-test", 0, 0)
    assert results(run, 6) == [[0, 0], error, [2, 20], end, end, end]
    run.stop()


@pytest.mark.parametrize("background", [True, False])
def test_steps_stay_until_they_are_dropped(background):
    run = RunAhead(program(Numbers([1])), "penstock-test", 0, 0, background)
    first = run.look(0)
    assert run.look(0) is first
    run.drop(1)
    assert run.look(0) is None
    assert run.look(1).results == [1, 10]
    run.stop()


def test_code_of_the_programs_own_is_called_in_its_own_thread():
    own, other = Numbers([1], background=False), Numbers([1])
    run = RunAhead(program(other, own), "penstock-test", 0, 0)
    run.ask_for(3)
    assert own.asked == [0, 1, 2]
    assert run.look(2).results == [4, 20]
    assert own.threads == {threading.get_ident()}
    assert threading.get_ident() not in other.threads
    run.stop()


def test_own_sources_are_not_called_behind_their_end():
    own = Numbers([1, StopIteration(), 1], background=False)
    run = RunAhead(program(own), "penstock-test", 0, 0)
    run.ask_for(4)
    assert own.asked == [0, 1]
    run.stop()


def test_without_a_thread_steps_are_made_by_the_one_who_asks():
    source = Numbers([1])
    run = RunAhead(program(source), "penstock-test", 0, 0, background=False)
    run.ask_for(2)
    assert source.threads == {threading.get_ident()}
    assert not run.is_making
    run.stop()


def test_a_step_that_nobody_has_begun_is_made_by_the_one_who_waits():
    source = Numbers([1])
    run = RunAhead(program(source), "penstock-test", 0, 0)
    assert [run.look(number).results for number in range(3)] == [[0, 0], [1, 10], [2, 20]]
    assert source.threads == {threading.get_ident()}
    run.stop()


def test_the_thread_goes_on_while_the_consumer_is_busy():
    class Seen(Numbers):
        third = threading.Event()

        def fetch(self, number: int) -> Batch:
            if number == 2:
                self.third.set()
            return super().fetch(number)

    source = Seen([1])
    run = RunAhead(program(source), "penstock-test", 0, 0)
    run.ask_for(3)
    run.look(0)
    assert source.third.wait(60)
    run.stop()


def test_all_steps_of_a_thread_bound_program_are_made_by_one_thread():
    source = Numbers([1])
    run = RunAhead(program(source), "penstock-test", 0, 0, thread_bound=True)
    assert [run.look(number).results for number in range(3)] == [[0, 0], [1, 10], [2, 20]]
    assert len(source.threads) == 1
    assert threading.get_ident() not in source.threads
    run.stop()


class Exits(Sum):
    """Leaves the first step."""

    def run(self, given: Sequence[Samples], position: int) -> list[int]:
        if given[0].sample(0) == 0:
            raise SystemExit("left")
        return [1]


def test_what_is_raised_in_the_background_is_told_once():
    one = Program([Numbers([1])], Plans(Exits), lambda step: step.position, StopIteration)
    run = RunAhead(one, "penstock-test", 0, 0, thread_bound=True)
    assert isinstance(run.look(0).error, SystemExit)
    assert run.look(1).results == [1]
    run.stop()


def test_what_may_be_an_interrupt_of_the_consumer_loses_no_step():
    one = Program([Numbers([1])], Plans(Exits), lambda step: step.position, StopIteration)
    run = RunAhead(one, "penstock-test", 0, 0)
    with pytest.raises(SystemExit):
        run.look(0)
    assert isinstance(run.look(0).error, SystemExit)  # as the thread has it
    assert run.look(1).results == [1]
    run.stop()
