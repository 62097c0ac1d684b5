"""Sources of a pipeline that are code of the program's own: when, where and with what they are called."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from penstock import Pipeline, fn, ops, pipeline_def
from penstock.pipeline import experimental
from penstock.pipeline.sources.batch_from_arrays import DeclaredInput
from penstock.pipeline.sources.feed_source import FeedSource
from penstock.pipeline.values.tensors import TensorListCPU

SETTINGS: dict[str, Any] = {"batch_size": 2, "num_threads": 1, "device_id": None}


def pipeline(define: Callable[[], Any], **options: Any) -> Any:
    return pipeline_def(**{**SETTINGS, **options})(define)()


def of(source: Any, options: dict[str, Any] | None = None, **arguments: Any) -> Any:
    return pipeline(lambda: fn.external_source(source, **arguments), **(options or {}))


def numbers(runs: Any, count: int) -> list[Any]:
    """The first element of each batch; "end" for an epoch's end, behind which the next begins."""
    seen: list[Any] = []
    for _ in range(count):
        try:
            seen.append([output.as_array()[0].tolist() for output in runs.run()])
        except StopIteration:
            seen.append("end")
            runs.reset()
    return [each[0] if len(each) == 1 else each for each in seen]


def batches(count: int) -> list[list[Any]]:
    return [[np.array([k])] * 2 for k in range(count)]


def told(end: int) -> Callable[[Any], Any]:
    def source(info: Any) -> Any:
        if info.iteration >= end:
            raise StopIteration
        return [np.array([info.epoch_idx, info.iteration])] * 2

    return source


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_source_is_called_in_the_thread_that_calls_run_as_far_ahead_as_the_pipeline_is_deep(depth):
    events: list[Any] = []

    def source(i: int) -> Any:
        events.append((i, threading.get_ident()))
        return [np.array([i])] * 2

    runs = of(source, {"prefetch_queue_depth": depth})
    runs.build()
    for k in range(3):
        runs.run()
        events.append(f"ran {k}")
    here = threading.get_ident()
    first = [(i, here) for i in range(depth)]
    assert events == [*first, "ran 0", (depth, here), "ran 1", (depth + 1, here), "ran 2"]


def test_a_source_in_the_background_is_called_in_another_thread():
    threads = set()
    runs = of(lambda: (threads.add(threading.get_ident()), [np.zeros(1)])[1], {"batch_size": 1}, background=True)
    for _ in range(3):
        runs.run()
    assert threading.get_ident() not in threads


def test_sources_that_share_a_generator_with_the_program_draw_what_they_would_without_a_pipeline():
    def drawn(prefetch: int) -> list[int]:
        random = np.random.default_rng(3)
        runs = of(lambda: [random.integers(100, size=1)] * 2, {"prefetch_queue_depth": prefetch})
        seen = []
        for _ in range(4):
            seen += [int(runs.run()[0].as_array()[0, 0]), int(random.integers(100))]
        return seen

    assert drawn(1) == np.random.default_rng(3).integers(100, size=8).tolist()
    assert drawn(3) == drawn(3)


def test_functions_of_the_users_own_are_all_called_in_one_thread():
    threads = set()

    def function(x: Any) -> Any:
        threads.add(threading.get_ident())
        return x

    def define() -> Any:
        return fn.python_function(fn.external_source(lambda i: [np.array([i])] * 2), function=function)

    assert numbers(pipeline(define), 8) == [[i] for i in range(8)]
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_without_exec_async_functions_run_in_the_thread_that_calls_run():
    threads = []

    def function(x: Any) -> Any:
        threads.append(threading.get_ident())
        return x

    def define() -> Any:
        return fn.python_function(fn.external_source(lambda i: [np.array([i])] * 2), function=function)

    runs = pipeline(define, exec_async=False, exec_pipelined=False)
    assert numbers(runs, 3) == [[0], [1], [2]]
    assert {*threads} == {threading.get_ident()}


def generator(count: int) -> Callable[[], Iterator[Any]]:
    def made() -> Iterator[Any]:
        yield from batches(count)

    return made


@pytest.mark.parametrize("source", [batches(2), generator(2)], ids=["iterable", "generator function"])
@pytest.mark.parametrize(
    ("cycle", "expected"),
    [
        ("raise", [[0], [1], "end"] * 3),
        ("quiet", [[0], [1]] * 4 + [[0]]),
        (None, [[0], [1], *["end"] * 7]),
    ],
)
def test_what_is_iterated_over_ends_as_cycle_says(source, cycle, expected):
    assert numbers(of(source, cycle=cycle), 9) == expected


def test_all_sources_that_start_over_do_so_with_the_epoch():
    def define() -> Any:
        return (
            fn.external_source(batches(3), cycle="raise"),
            fn.external_source(generator(2), cycle="raise"),
            fn.external_source(told(9), batch_info=True),
        )

    epochs = [[[[0], [0], [epoch, 0]], [[1], [1], [epoch, 1]], "end"] for epoch in range(3)]
    assert numbers(pipeline(define), 9) == [each for epoch in epochs for each in epoch]


def test_what_an_endless_source_gave_for_an_iteration_that_never_was_comes_in_the_next():
    count = iter(range(100))

    def define() -> Any:
        return fn.external_source(lambda: [np.array([next(count)])] * 2), fn.external_source(batches(2), cycle="raise")

    assert numbers(pipeline(define), 6) == [[[0], [0]], [[1], [1]], "end", [[2], [0]], [[3], [1]], "end"]


def test_reset_begins_no_epoch_before_a_source_has_ended():
    runs = of(told(3), batch_info=True)
    assert numbers(runs, 2) == [[0, 0], [0, 1]]
    runs.reset()
    assert numbers(runs, 3) == [[0, 2], "end", [1, 0]]


def test_a_source_that_has_ended_is_not_asked_again():
    asked = []

    def source(i: int) -> Any:
        asked.append(i)
        if i == 2:
            raise StopIteration
        return [np.array([i])] * 2

    runs = of(source)
    runs.run(), runs.run()
    for _ in range(3):
        with pytest.raises(StopIteration):
            runs.run()
    assert asked == [0, 1, 2]


def test_where_one_source_fails_the_others_stay_in_step():
    def failing(i: int) -> Any:
        if i == 1:
            raise ValueError("no batch 1")
        return [np.array([i])] * 2

    def define() -> Any:
        both = fn.external_source(failing), fn.external_source(lambda i: [np.array([i])] * 2, background=True)
        return (*both, fn.external_source(batches(9)))

    runs = pipeline(define)
    assert numbers(runs, 1) == [[[0]] * 3]
    with pytest.raises(ValueError, match="no batch 1"):
        runs.run()
    assert numbers(runs, 2) == [[[2]] * 3, [[3]] * 3]


def test_an_interrupt_in_a_source_loses_nothing():
    count, calls = iter(range(100)), iter(range(100))

    def interrupted(i: int) -> Any:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return [np.array([i])] * 2

    def define() -> Any:
        return fn.external_source(lambda: [np.array([next(count)])] * 2), fn.external_source(interrupted)

    runs = pipeline(define, prefetch_queue_depth=1)
    assert numbers(runs, 2) == [[[0], [0]], [[1], [1]]]
    with pytest.raises(KeyboardInterrupt):
        runs.run()
    assert numbers(runs, 2) == [[[2], [2]], [[3], [3]]]


@pytest.mark.parametrize("name", [None, "source"])
@pytest.mark.parametrize("runs_before", range(8))
def test_a_restored_pipeline_tells_its_source_where_it_is(runs_before, name):
    def made(**options: Any) -> Any:
        return of(told(2), {"enable_checkpointing": True, **options}, batch_info=True, name=name)

    runs = made()
    whole = numbers(made(), runs_before + 5)
    assert numbers(runs, runs_before) == whole[:runs_before]
    assert numbers(made(checkpoint=runs.checkpoint()), 5) == whole[runs_before:]


def test_a_restored_pipeline_asks_for_the_samples_that_follow():
    def source(info: Any) -> Any:
        if info.idx_in_epoch >= 6:
            raise StopIteration
        return np.array([info.epoch_idx, info.iteration, info.idx_in_epoch, info.idx_in_batch])

    def made(**options: Any) -> Any:
        return of(source, {"enable_checkpointing": True, **options}, batch=False, name="source")

    runs = made()
    assert numbers(runs, 5) == [[0, 0, 0, 0], [0, 1, 2, 0], [0, 2, 4, 0], "end", [1, 0, 0, 0]]
    assert numbers(made(checkpoint=runs.checkpoint()), 3) == [[1, 1, 2, 0], [1, 2, 4, 0], "end"]


@pytest.mark.parametrize(
    ("source", "warned"),
    [
        (lambda: [np.zeros(1)] * 2, True),
        (batches(2), True),
        (generator(2), True),
        (lambda i: [np.zeros(1)] * 2, False),
        (None, False),
    ],
)
def test_checkpoints_of_sources_that_are_not_told_their_place_are_warned_of(source, warned):
    runs = of(source, {"enable_checkpointing": True})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        runs.build()
    assert [str(each.message)[:22] for each in caught] == ["Checkpointing enabled "] * warned


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (lambda *a: 0, r"var-positional argument `\*a` which is not allowed"),
        (lambda **a: 0, r"var-keyword argument `\*\*a` which is not allowed"),
        (lambda a, b: 0, "more than one positional argument, which is not allowed: a, b"),
        (lambda a, b=1: 0, "more than one positional argument, which is not allowed: a, b"),
        (lambda *, a=1: 0, "keyword-only argument `a` which is not allowed"),
    ],
)
def test_a_source_takes_one_parameter_or_none(source, found):
    with pytest.raises(TypeError, match=f"must accept either 0 or 1 positional arguments.*Found {found}"):
        fn.external_source(source)


def test_parameters_that_are_bound_or_have_defaults_count():
    assert numbers(of(lambda i=5: [np.array([i])] * 2), 2) == [[0], [1]]
    assert numbers(of(partial(lambda a, i: [np.array([a, i])] * 2, 7)), 2) == [[7, 0], [7, 1]]


def test_outputs_that_nobody_uses_are_warned_of():
    runs = pipeline(lambda: fn.external_source(lambda: ([np.zeros(1)] * 2, [np.ones(1)] * 2), num_outputs=2)[1])
    with pytest.warns(UserWarning, match="produces 2 outputs, but the output at the index 0 is not used"):
        runs.build()


def test_the_first_axis_of_an_array_may_be_the_outputs():
    two = np.arange(12).reshape(2, 2, 3)
    assert numbers(pipeline(lambda: tuple(fn.external_source(lambda: two, num_outputs=2))), 1) == [
        [[0, 1, 2], [6, 7, 8]]
    ]
    runs = pipeline(lambda: tuple(fn.external_source(lambda i: two, num_outputs=2, batch=False)))
    assert [output.shape() for output in runs.run()] == [[(2, 3)] * 2] * 2
    with pytest.raises(ValueError, match="Expected 3 outputs from the source, got 2"):
        pipeline(lambda: tuple(fn.external_source(lambda: two, num_outputs=3))).run()


def test_layouts_come_from_what_is_declared_then_from_the_data():
    labelled = TensorListCPU(np.zeros((2, 3, 4), np.uint8), layout="XY")

    def layout(source: Any, **arguments: Any) -> str:
        return str(of(source, **arguments).run()[0].layout())

    assert layout(lambda: np.zeros((2, 3, 4)), layout="") == ""
    assert layout(lambda: labelled) == "XY"
    assert layout(lambda: [labelled[0], labelled[1]]) == "XY"
    assert layout(lambda: [labelled[0], labelled[1]], layout="AB") == "AB"
    assert layout(lambda i: labelled[i.idx_in_batch], batch=False) == "XY"
    assert labelled.layout() == "XY"


def fed(layout: str | None, /, **declared: Any) -> Any:
    runs = Pipeline(**{**SETTINGS, "batch_size": 1, "prefetch_queue_depth": 1})
    with runs:
        runs.set_outputs(fn.external_source(name="x", **declared))
    runs.feed_input("x", [np.zeros((2, 3))], layout=layout)
    return runs.run()[0].layout()


def test_what_is_fed_must_not_contradict_what_was_declared():
    assert [fed(layout, layout="HW") for layout in (None, "", "HW")] == ["HW"] * 3
    assert [fed(layout) for layout in (None, "", "HW")] == ["", "", "HW"]
    with pytest.raises(RuntimeError, match='Expected data with layout: "HW" and got: "WH"'):
        fed("WH", layout="HW")
    with pytest.raises(RuntimeError, match="The layout 'HWC' cannot describe 2-dimensional data"):
        fed("HWC")
    with pytest.raises(RuntimeError, match="layout does not match the ndim argument"):
        fed(None, layout="HWC", ndim=2)


def test_outputs_of_one_source_have_one_batch_size():
    runs = pipeline(lambda: tuple(fn.external_source(lambda: ([np.zeros(1)] * 2, [np.zeros(1)]), num_outputs=2)))
    with pytest.raises(RuntimeError, match="Batch size clash"):
        runs.run()


def test_every_output_of_a_source_that_is_fed_is_fed_by_its_node():
    class Fed(Pipeline):
        def define_graph(self) -> Any:
            self.a, self.b = ops.ExternalSource(num_outputs=2)()
            return self.a, self.b

        def iter_setup(self) -> None:
            self.feed_input(self.a, [np.zeros(1)])
            self.feed_input(self.b, [np.ones(1)])

    assert numbers(Fed(1, 1, None), 1) == [[[0.0], [1.0]]]


@pytest.mark.parametrize("argument", [{"prefetch_queue_depth": 2}, {"bytes_per_sample_hint": [8]}])
def test_what_concerns_workers_is_for_parallel_sources(argument):
    with pytest.raises(ValueError, match="valid only for parallel external sources"):
        fn.external_source(lambda i: 0, **argument)


def test_cycle_is_one_of_a_few_words():
    with pytest.raises(ValueError, match="Invalid value 'often' for the argument `cycle`"):
        fn.external_source(batches(1), cycle="often")


def test_epochs_begin_in_debug_mode_too():
    made = experimental.pipeline_def(lambda: fn.external_source(told(2), batch_info=True), debug=True, **SETTINGS)()
    assert numbers(made, 2) == [[0, 0], [0, 1]]
    made.reset()
    assert numbers(made, 2) == ["end", [1, 0]]


def test_pipelines_that_have_a_source_in_common_each_tell_it_their_own_place():
    shared = fn.external_source(told(3), batch_info=True)
    first, second = pipeline(lambda: shared), pipeline(lambda: shared)
    assert numbers(first, 2) == [[0, 0], [0, 1]]
    assert numbers(second, 5) == [[0, 0], [0, 1], [0, 2], "end", [1, 0]]
    assert numbers(first, 1) == [[0, 2]]


def fed_source(**options: Any) -> FeedSource:
    made = FeedSource([DeclaredInput(None, None, None)], **options)
    made.start(1, 0)
    return made


def test_what_is_repeated_is_not_waited_for_before_it_was_fetched():
    source = fed_source(repeat_last=True, blocking=True)
    source.feed([np.zeros(1)], None)

    def schedule() -> None:
        source.schedule(0)
        source.schedule(1)

    scheduling = threading.Thread(target=schedule, daemon=True)
    scheduling.start()
    scheduling.join(timeout=20)
    assert not scheduling.is_alive()
