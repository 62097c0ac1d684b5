"""compile=True: the results of the loop as it is written, made ahead of it."""

from __future__ import annotations

import itertools
import os
import warnings
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from capture.loops import Pictures, arrays, check_compiled, epochs, running_loops
from messages import told
from penstock.capture.steps_ahead import StepsAhead
from penstock.capture.values import CapturedBatch, CapturedTensor
from penstock.engine import events
from penstock.pipeline.values.tensors import TensorCPU, TensorListCPU


@ndd.operator
def halved(picture: Any) -> Any:
    return picture // 2


def pipeline(pictures: Any, numbers: Any, step: int) -> list[Any]:
    small = ndd.resize(pictures, size=[3, 3])
    flipped = ndd.flip(small, horizontal=ndd.random.coin_flip(batch_size=3))
    return [flipped, numbers + 1]


def every_kind(pictures: Any, numbers: Any, step: int) -> list[Any]:
    part = pictures.slice[1:4, 0:2]
    scaled = part * ndd.random.uniform(batch_size=3, range=[0.5, 1.5]) - 1
    mean = ndd.math.sqrt(ndd.reductions.mean(ndd.math.abs(scaled), axes=[0, 1]))
    shape = ndd.full(2.5, shape=[2], batch_size=3)
    return [scaled, mean, halved(pictures), shape, ndd.stack(numbers, numbers), ndd.random.normal(shape=[2])]


@pytest.mark.parametrize("body", [pipeline, every_kind])
@pytest.mark.parametrize("options", [{}, {"random_shuffle": True, "seed": 4}, {"pad_last_batch": True, "size": 10}])
def test_results_are_those_of_the_loop_as_it_is_written(body, options):
    check_compiled(body, **options)


def test_tensors_of_a_pipeline_are_compared_by_value():
    ragged = TensorListCPU([TensorCPU(np.full((2, size), 3, np.uint8)) for size in (1, 2, 3)])
    sizes = TensorListCPU(np.float32([[2, 3]] * 3))
    check_compiled(lambda pictures, numbers, step: [ndd.pad(ragged), ndd.resize(pictures, size=sizes)])
    assert {entry.operator for entry in ndd.capture.report().captured} == {"pad", "resize"}


def test_what_a_step_gives_is_known_to_be_captured():
    for pictures, numbers in Pictures().next_epoch(batch_size=3, compile=True):
        for value in (pictures, numbers, ndd.flip(pictures), pictures + 1):
            assert isinstance(value, CapturedBatch)
        assert isinstance(ndd.random.uniform(range=[0, 1]), CapturedTensor)


def test_calls_are_made_ahead_in_one_stage():
    heard: list[tuple[str, ...]] = []
    reader = Pictures(size=30)
    with events.listening(lambda event: heard.append(event.operators)):
        for step, (pictures, _) in enumerate(reader.next_epoch(batch_size=3, compile=True)):
            if step == 5:
                heard.clear()
            ndd.crop_mirror_normalize(ndd.flip(pictures), mean=[1.0]).evaluate()
    assert set(heard) == {("flip", "crop_mirror_normalize")}


def test_a_changed_argument_gives_what_it_should():
    sizes = [3, 3, 4, 4, 4, 2, 3, 3]
    check_compiled(lambda pictures, numbers, step: [ndd.resize(pictures, size=[sizes[step], 3])])


def test_an_argument_that_is_changed_in_place_is_seen():
    size = [3, 3]

    def body(pictures: Any, numbers: Any, step: int) -> list[Any]:
        size[0] = 3 + step % 2
        return [ndd.resize(pictures, size=size)]

    check_compiled(body)
    table = np.arange(256, dtype=np.float32)

    def by_table(pictures: Any, numbers: Any, step: int) -> list[Any]:
        table[1] = step
        return [
            ndd.lookup_table(pictures, keys=[*range(256)], values=table.tolist()),
            numbers + table[:3].astype(int)[0],
        ]

    check_compiled(by_table)


@pytest.mark.parametrize("change", [1.0, True, np.int32(1), np.float64(1)])
def test_equal_numbers_of_other_types_are_other_arguments(change):
    check_compiled(lambda pictures, numbers, step: [numbers + (1 if step < 3 else change)])


def test_a_branch_may_be_taken_or_not():
    def body(pictures: Any, numbers: Any, step: int) -> list[Any]:
        if step % 3 == 1:
            pictures = ndd.flip(pictures)
        return [pictures if step % 2 else ndd.flip(pictures, vertical=1)]

    check_compiled(body, count=3)


def test_intermediates_are_there_for_whoever_asks_late():
    def body(pictures: Any, numbers: Any, step: int) -> list[Any]:
        first = ndd.flip(pictures)
        second = ndd.brightness(first, brightness=0.5)
        return [ndd.flip(second), *([first] if step == 4 else []), *([second] if step > 5 else [])]

    check_compiled(body)


def test_equal_calls_are_made_once():
    heard: list[tuple[str, ...]] = []
    with events.listening(lambda event: heard.append(event.operators)):
        for step, (pictures, _) in enumerate(Pictures(size=60).next_epoch(batch_size=3, compile=True)):
            (ndd.flip(pictures) + ndd.flip(pictures)).evaluate()
            if step == 9:
                heard.clear()
    assert heard.count(("flip",)) == heard.count(("_arithmetic.add",)) > 0


def test_results_of_equal_calls_are_not_shared():
    for pictures, _ in Pictures(size=30).next_epoch(batch_size=3, compile=True):
        one, other = ndd.flip(pictures), ndd.flip(pictures)
        np.asarray(one.tensors[0])[:] = 0
        assert np.asarray(other.tensors[0]).any()


def test_batches_of_earlier_steps_keep_their_values():
    kept: list[Any] = []

    def body(pictures: Any, numbers: Any, step: int) -> list[Any]:
        kept.append(ndd.flip(pictures))
        return [kept[max(0, step - 2)], kept[max(0, step - 1)] + pictures]

    written = epochs(body)
    kept.clear()
    compiled = epochs(body, compile=True)
    for one, other in zip(written, compiled, strict=True):
        np.testing.assert_array_equal(one, other)


def test_draws_may_differ_from_step_to_step():
    def body(pictures: Any, numbers: Any, step: int) -> list[Any]:
        extra = [ndd.random.uniform(batch_size=3, range=[0, 1]) for _ in range(step % 3)]
        ndd.random.get_default_rng()() if step == 5 else None
        return [ndd.random.uniform(batch_size=3, range=[0, 1]), *extra]

    check_compiled(body, count=3)


def test_a_smaller_last_batch_has_a_plan_of_its_own():
    plans: list[Any] = []

    def run(**options: Any) -> list[Any]:
        ndd.random.set_seed(7)
        reader, made = Pictures(size=10), []
        for _ in range(4):
            for pictures, _ in reader.next_epoch(batch_size=4, last_batch="partial", **options):
                small = ndd.resize(pictures, size=[3, 3])
                count = pictures.batch_size
                made.append(arrays([ndd.flip(small, horizontal=ndd.random.coin_flip(batch_size=count))]))
        return made

    events.watchers.append(lambda owner, plan: plans.append(plan))
    try:
        compiled = run(compile=True)
    finally:
        events.watchers.pop()
    eager = run()
    assert [len(step[0]) for step in compiled] == [4, 4, 2] * 4
    for one, other in zip(compiled, eager, strict=True):
        assert np.array_equal(one[0], other[0])
    assert len(plans) == 2


def test_draws_that_cannot_be_foreseen_are_not_made_ahead_any_more(monkeypatch):
    runs, start = itertools.count(), StepsAhead.start
    monkeypatch.setattr(StepsAhead, "start", lambda *arguments: (next(runs), start(*arguments))[1])

    def body(pictures: Any, numbers: Any, step: int) -> list[Any]:
        drawn = ndd.random.uniform(batch_size=3, range=[0, 1])
        ndd.random.get_default_rng().advance(step % 3)
        return [ndd.resize(pictures, size=[3, 3]), drawn]

    check_compiled(body, count=6)  # 24 steps
    assert next(runs) < 8
    report = ndd.capture.report()
    assert [entry.operator for entry in report.captured] == ["resize"]
    assert [entry.operator for entry in report.not_captured] == ["random.uniform"]


def test_a_generator_may_be_seeded_in_every_step():
    def body(pictures: Any, numbers: Any, step: int) -> list[Any]:
        ndd.random.set_seed(step)
        return [ndd.flip(pictures, horizontal=ndd.random.coin_flip(batch_size=3))]

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*no operators were captured")
        check_compiled(body, count=3)


def test_what_an_operator_draws_that_is_run_ahead_moves_no_draws_of_the_loop():
    pictures_seen = itertools.count()

    @ndd.operator
    def drawing(picture: Any) -> Any:
        if next(pictures_seen) >= 3:  # not in the first step, which is not made ahead
            ndd.random.uniform()
        return picture

    ndd.random.set_seed(5)
    drawn = []
    for pictures, _ in Pictures(size=60).next_epoch(batch_size=3, compile=True):
        drawing(pictures).evaluate()
        drawn.append(float(np.asarray(ndd.random.uniform())))
    ndd.random.set_seed(5)
    assert drawn == [float(np.asarray(ndd.random.uniform())) for _ in drawn]
    assert next(pictures_seen) >= 60


def test_own_generators_go_on_as_they_would():
    def run(**options: Any) -> list[str]:
        rng = ndd.random.RNG(seed=3)
        for _ in Pictures().next_epoch(batch_size=3, **options):
            ndd.random.uniform(batch_size=3, range=[0, 1], rng=rng)
        return [str(rng.get_state())]

    assert run(compile=True) == run()


@pytest.mark.parametrize("stop_after", [1, 2, 3])
def test_break_loses_nothing(stop_after):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_compiled(pipeline, count=4, stop_after=stop_after)


def test_a_reader_may_go_on_without_being_compiled():
    reader = Pictures(size=30)
    seen = []
    for step, (_, numbers) in enumerate(reader.next_epoch(batch_size=3, compile=True)):
        seen.append(np.asarray(ndd.as_tensor(numbers + 0)).tolist())
        if step == 3:
            break
    with pytest.warns(UserWarning, match="continues where it stands"):
        seen += [np.asarray(ndd.as_tensor(numbers)).tolist() for _, numbers in reader.next_epoch(batch_size=3)]
    assert seen[:10] == [[k, k + 1, k + 2] for k in range(0, 30, 3)]


def test_a_state_taken_in_a_compiled_loop_is_that_of_the_loop_as_written():
    def states(**options: Any) -> list[str]:
        reader = Pictures(enable_checkpointing=True, random_shuffle=True, seed=1)
        found = []
        for pictures, _ in reader.next_epoch(batch_size=3, **options):
            ndd.flip(pictures).evaluate()
            found.append(str(reader.get_state()))
        return found

    assert states(compile=True) == states()


def test_samples_that_cannot_be_read_are_left_out():
    for bad in ({4}, {10, 11}, {0, 5, 11}):
        check_compiled(pipeline, bad=frozenset(bad), on_error="skip", count=3)


def test_a_sample_that_cannot_be_read_ends_the_epoch_and_the_next_goes_on():
    reader = Pictures(bad=frozenset({7}))
    seen = []

    def run(most: int) -> None:
        for step, (_, numbers) in enumerate(reader.next_epoch(batch_size=3, compile=True), 1):
            seen.append(np.asarray(ndd.as_tensor(numbers + 0)).tolist())
            if step == most:
                break

    with pytest.raises(RuntimeError, match="hole"):
        run(most=4)
    run(most=1)
    assert seen == [[0, 1, 2], [3, 4, 5], [9, 10, 11]]
    assert running_loops() == []


def test_an_error_in_a_step_made_ahead_names_call_and_sample():
    @ndd.operator
    def picky(picture: Any) -> Any:
        if picture[0, 0, 0] == 7:
            raise ValueError("not this one")
        return picture

    made = []
    for pictures, _ in Pictures().next_epoch(batch_size=3, compile=True):
        result = ndd.flip(picky(pictures))
        try:
            made.append(result.evaluate())
        except ValueError as error:
            notes = told(error)
            assert "in picky, sample 1" in notes
            assert f"{os.path.basename(__file__)}:" in notes
            assert "result = ndd.flip(picky(pictures))" in notes
    assert len(made) == 3


def test_the_users_own_exceptions_pass():
    def body(pictures: Any, numbers: Any, step: int) -> list[Any]:
        return [ndd.flip(pictures) + 1 // (2 - step)]

    with pytest.raises(ZeroDivisionError):
        epochs(body, compile=True)
    assert running_loops() == []


def test_a_compiled_loop_needs_a_batch_size():
    with pytest.raises(ValueError, match="capture=True requires a non-None batch_size"):
        Pictures().next_epoch(compile=True)
    loop = Pictures(max_batch_size=4).next_epoch(capture=True)
    assert len([ndd.flip(pictures) for pictures, _ in loop]) == 3


def test_the_batch_size_is_fixed():
    reader = Pictures()
    for pictures, _ in reader.next_epoch(batch_size=3, compile=True):
        ndd.flip(pictures)
        with pytest.raises(RuntimeError, match="Cannot change batch size to 2, the capture-mode loop uses 3"):
            ndd.random.uniform(range=[0, 1], batch_size=2)
    with pytest.raises(ValueError, match="batch_size"):
        next(reader.next_epoch(batch_size=2, compile=True))


def test_loops_may_be_nested():
    def run(**options: Any) -> list[Any]:
        made = []
        for pictures, numbers in Pictures().next_epoch(batch_size=3, **options):
            flipped = ndd.flip(pictures)
            for others, _ in Pictures(size=6).next_epoch(batch_size=3, **options):
                made += arrays([ndd.flip(others) + flipped])
            made += arrays([flipped, numbers * 2])
        return made

    for one, other in zip(run(), run(compile=True), strict=True):
        np.testing.assert_array_equal(one, other)
    assert running_loops() == []


def test_a_loop_that_an_exception_left_is_in_nobodys_way():
    left = Pictures().next_epoch(batch_size=3, compile=True)
    ndd.flip(next(left)[0])
    check_compiled(pipeline)
    left.close()
    assert running_loops() == []


def test_a_loop_with_nothing_to_make_ahead_says_so():
    with pytest.warns(UserWarning, match="no operators were captured during tracing"):
        numbers = [
            np.asarray(ndd.as_tensor(numbers)) for _, numbers in Pictures().next_epoch(batch_size=3, compile=True)
        ]
    assert np.concatenate(numbers).tolist() == [*range(12)]


def test_a_loop_whose_calls_await_a_second_step_does_not():
    other = ndd.batch(np.zeros((3, 50), np.float32))
    for _, numbers in Pictures().next_epoch(batch_size=3, compile=True):
        (numbers + other).evaluate()
    assert [entry.operator for entry in ndd.capture.report().captured] == ["_arithmetic.add"]


def test_synchronous_modes_raise_at_the_call():
    reader = Pictures()
    with ndd.EvalMode.sync_cpu:
        for pictures, _ in reader.next_epoch(batch_size=3, compile=True):
            with pytest.raises(RuntimeError, match="out of bounds"):
                ndd.crop(pictures, crop=[50, 50])


@pytest.mark.parametrize("mode", [ndd.EvalMode.sync_cpu, ndd.EvalMode.sync_full])
def test_synchronous_calls_return_with_what_was_made_ahead(mode):
    waited = []
    for pictures, _ in Pictures().next_epoch(batch_size=3, compile=True):
        first = ndd.flip(pictures)
        with mode:
            second = ndd.flip(pictures, vertical=1)
        with ndd.EvalMode.deferred:
            third = ndd.flip(pictures, horizontal=0)
        waited.append([made._samples is not None for made in (first, second, third)])
    assert waited[1:] == [[False, True, False]] * (len(waited) - 1)
    assert len(waited) > 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:os.fork")  # of JAX, where a test before this one has imported it
def test_a_forked_child_goes_on_by_itself():
    reader = Pictures(size=30)
    loop = reader.next_epoch(batch_size=3, compile=True)
    for _ in range(3):
        ndd.flip(next(loop)[0]).evaluate()
    child = os.fork()
    if not child:
        pictures, numbers = next(loop)
        fine = arrays([numbers + 0])[0].tolist() == [9, 10, 11] and ndd.flip(pictures).evaluate() is not None
        os._exit(0 if fine else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert arrays([next(loop)[1]])[0].tolist() == [9, 10, 11]


def test_new_axes_and_masks_are_foreseen():
    def body(pictures: Any, numbers: Any, step: int) -> list[Any]:
        mean = ndd.reductions.mean(pictures)
        return [pictures.slice[:, None], pictures.slice[None, 0], ndd.where(mean > 100.0, pictures, 0)]

    check_compiled(body)
    assert "where" in {entry.operator for entry in ndd.capture.report().captured}


def test_one_element_decides_in_every_step():
    def body(pictures: Any, numbers: Any, step: int) -> list[Any]:
        return [ndd.flip(pictures) if ndd.random.coin_flip() else pictures + 1]

    check_compiled(body)
