"""Pipelines: defined once, run ahead of the program."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import numpy as np
import pytest

import penstock.types as types
from ended_workers import collect_until_ended
from messages import told
from penstock import Pipeline, fn, pipeline_def
from penstock.engine import events
from penstock.pipeline.definition.seeds import seed_sequence

ONE_THREAD = {"num_threads": 1, "device_id": None}


def batch(k: int, size: int = 3) -> list[Any]:
    return [np.array([10 * k + i], np.int32) for i in range(size)]


def listed(outputs: Any) -> list[Any]:
    return [[np.asarray(sample).tolist() for sample in output] for output in outputs]


def iterations(pipeline: Pipeline, count: int) -> list[Any]:
    made = []
    for _ in range(count):
        try:
            made.append(listed(pipeline.run()))
        except StopIteration:
            made.append("over")
    return made


@pipeline_def(batch_size=3, **ONE_THREAD)
def of_source(*arguments: Any, options: Any = None) -> Any:
    made = fn.external_source(*arguments, **(options or {}))
    return tuple(made) if isinstance(made, list) else made


def test_a_pipeline_hands_out_what_its_function_returns():
    @pipeline_def(batch_size=2, **ONE_THREAD)
    def numbers(start: int, *, factor: int = 1) -> Any:
        data = fn.external_source(lambda i: np.arange(start + i, start + i + 2, dtype=np.int32))
        return data * factor + 1, -data, 7, np.array([1.5])

    pipeline = numbers(4, factor=10)
    assert listed(pipeline.run()) == [[41, 51], [-4, -5], [7, 7], [[1.5], [1.5]]]
    assert listed(pipeline.run()) == [[51, 61], [-5, -6], [7, 7], [[1.5], [1.5]]]
    assert numbers(0, batch_size=5).max_batch_size == 5


def test_seeds_are_those_of_the_real_library():
    assert seed_sequence([42], 1024)[:3] == [1153314634, 1765093571, 4209470911]

    @pipeline_def(batch_size=4, seed=42, **ONE_THREAD)
    def draws() -> Any:
        last = fn.random.uniform(range=[0.0, 1.0], name="defined first, asked for last")
        return fn.random.uniform(range=[0.0, 1.0]), fn.random.uniform(range=[0.0, 1.0], seed=42), last

    pipeline = draws()
    first = [np.asarray(output.as_tensor()) for output in pipeline.run()]
    np.testing.assert_allclose(first[0], [0.34495875, 0.94999158, 0.06392206, 0.9924385], atol=1e-7)
    np.testing.assert_allclose(first[1], [0.6129598, 0.95506912, 0.31911784, 0.26312378], atol=1e-7)
    np.testing.assert_allclose(first[2], [0.37068418, 0.95455563, 0.66876215, 0.33799595], atol=1e-7)
    second = np.asarray(pipeline.run()[0].as_tensor())
    np.testing.assert_allclose(second, [0.63700664, 0.60864431, 0.395886, 0.2716513], atol=1e-7)


def test_chains_run_as_one_stage_ahead_of_the_program():
    heard: list[tuple[str, ...]] = []

    @pipeline_def(batch_size=2, **ONE_THREAD)
    def chain() -> Any:
        image = fn.external_source(lambda i: np.full((2, 4, 4, 3), i, np.uint8), layout="HWC")
        unused = fn.gaussian_blur(image, window_size=3)
        del unused
        return fn.crop_mirror_normalize(fn.flip(image), mean=[1.0])

    pipeline = chain(prefetch_queue_depth=3)
    with events.listening(lambda event: heard.append(event.operators)):
        for _ in range(3):
            pipeline.run()
    own = [stage for stage in heard if {"flip", "crop_mirror_normalize", "gaussian_blur"}.intersection(stage)]
    assert set(own) == {("flip", "crop_mirror_normalize")}
    assert len(own) >= 3


@pytest.mark.parametrize(
    ("source", "options", "expected"),
    [
        ([batch(0), batch(1)], {}, [batch(0), batch(1), None, None]),
        ([batch(0), batch(1)], {"cycle": "quiet"}, [batch(0), batch(1), batch(0), batch(1)]),
        ([batch(0)], {"cycle": True}, [batch(0)] * 4),
        (lambda: batch(5), {}, [batch(5)] * 4),
        (lambda i: batch(i), {}, [batch(0), batch(1), batch(2), batch(3)]),
        ((batch(i) for i in range(2)), {}, [batch(0), batch(1), None, None]),
        ([np.array([i], np.int32) for i in range(7)], {"batch": False}, [[0, 1, 2], [3, 4, 5], None, None]),
        ([batch(0, 2)], {}, [batch(0, 2), None, None, None]),
    ],
)  # fmt: skip
def test_sources_of_every_kind(source, options, expected):
    made = iterations(of_source(source, options=options), 4)
    wanted = ["over" if each is None else [[np.atleast_1d(sample).tolist() for sample in each]] for each in expected]
    assert made == wanted


def test_a_source_starts_over_after_reset():
    def generate() -> Any:
        yield from (batch(0), batch(1))

    pipeline = of_source(generate, options={"cycle": "raise"})
    once = [[[[0], [1], [2]]], [[[10], [11], [12]]], "over"]
    assert iterations(pipeline, 3) == once
    pipeline.reset()
    assert iterations(pipeline, 3) == once
    ended = of_source([batch(0)])
    assert iterations(ended, 2)[1] == "over"
    ended.reset()
    assert iterations(ended, 1) == ["over"]


def test_callbacks_are_told_what_is_asked_of_them():
    def sample(info: Any) -> Any:
        if info.iteration == 1:
            raise StopIteration
        return np.array([info.idx_in_epoch, info.idx_in_batch, info.iteration, info.epoch_idx])

    pipeline = of_source(sample, options={"batch": False})
    assert iterations(pipeline, 2) == [[[[0, 0, 0, 0], [1, 1, 0, 0], [2, 2, 0, 0]]], "over"]
    pipeline.reset()
    assert iterations(pipeline, 1) == [[[[0, 0, 0, 1], [1, 1, 0, 1], [2, 2, 0, 1]]]]
    by_batch = of_source(lambda info: [np.array([info.iteration, info.epoch_idx])], options={"batch_info": True})
    assert iterations(by_batch, 2) == [[[[0, 0]]], [[[1, 0]]]]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_data_is_fed(depth):
    pipeline = of_source(options={"name": "x"}, prefetch_queue_depth=depth)
    made = []
    for k in range(4):
        data = np.array([[k], [k + 1]], np.int32)
        pipeline.feed_input("x", data)
        data[:] = -1
        made += iterations(pipeline, 1)
    assert made == [[[[k], [k + 1]]] for k in range(4)]
    with pytest.raises(IndexError, match="Attempted to peek the data batch that doesn't exist"):
        pipeline.run()
    with pytest.raises(KeyError, match='Could not find an input operator with name "y"'):
        pipeline.feed_input("y", batch(0))
    if depth == 1:
        assert listed(pipeline.run(x=batch(7))) == [[[70], [71], [72]]]


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((lambda: 1 // 0,), {}, ZeroDivisionError, "division"),
        ((lambda: [1, 2, 3],), {}, RuntimeError, "Don't know how to extract the shape"),
        ((lambda: None,), {}, RuntimeError, "a batch is a list of arrays"),
        ((lambda: np.zeros((4, 1)),), {}, RuntimeError, "Expected batch_size <= 3, actual: 4"),
        ((lambda: batch(0),), {"dtype": types.FLOAT}, RuntimeError, "declared to give f32, it gave i32"),
        ((lambda: batch(0),), {"ndim": 3}, RuntimeError, "declared to give 3 axes, it gave 1"),
        ((lambda: batch(0),), {"layout": "HWC"}, RuntimeError, "The layout 'HWC' cannot describe 1-dimensional data"),
        ((lambda: [np.zeros(1), np.zeros((1, 1))],), {}, RuntimeError, "one type and number of axes"),
    ],
)  # fmt: skip
def test_a_source_that_fails_names_where_it_was_defined(arguments, options, error, message):
    pipeline = of_source(*arguments, options=options)
    with pytest.raises(error, match=message) as caught:
        pipeline.run()
    notes = told(caught.value)
    assert "external_source" in notes
    assert "made = fn.external_source(*arguments, **(options or {}))" in notes


def test_an_operator_that_fails_names_itself_its_line_and_the_sample_and_the_next_iteration_goes_on():
    @pipeline_def(batch_size=2, **ONE_THREAD)
    def crops() -> Any:
        image = fn.external_source(lambda i: [np.zeros((4, 4 if i == 1 else 9, 1), np.uint8)] * 2, layout="HWC")
        return fn.crop(image, crop=[2, 6])

    pipeline = crops()
    assert len(pipeline.run()[0]) == 2
    with pytest.raises(RuntimeError, match="Critical error in pipeline") as caught:
        pipeline.run()
    assert "Error in CPU operator `nvidia.dali.fn.crop`" in str(caught.value)
    notes = told(caught.value)
    assert "in crop, sample 0, called at" in notes
    assert "return fn.crop(image, crop=[2, 6])" in notes
    assert len(pipeline.run()[0]) == 2


def test_schedule_and_run_are_not_mixed():
    pipeline = of_source(lambda i: batch(i))
    pipeline.schedule_run()
    pipeline.schedule_run()
    assert not pipeline.empty()
    assert [listed(pipeline.share_outputs()), listed(pipeline.outputs())] == [[[[0], [1], [2]]], [[[10], [11], [12]]]]
    pipeline.release_outputs()
    assert pipeline.empty()
    with pytest.raises(StopIteration):
        pipeline.share_outputs()
    with pytest.raises(RuntimeError, match="Mixing pipeline API type"):
        pipeline.run()
    pipeline.enable_api_check(False)
    assert listed(pipeline.run()) == [[[20], [21], [22]]]


def _ends(i: int) -> Any:
    if i:
        raise StopIteration
    return batch(i)


@pytest.mark.parametrize("source", [lambda i: batch(i), _ends, lambda i: batch(1 // (1 - i))])
def test_no_thread_is_left_behind(source):
    before = {*threading.enumerate()}
    pipeline = of_source(source)
    pipeline.run()
    started = [thread for thread in threading.enumerate() if thread not in before]
    assert "penstock-pipeline" in [thread.name for thread in started]
    with contextlib.suppress(StopIteration, ZeroDivisionError):
        pipeline.run()
    del pipeline
    collect_until_ended(started)  # an exception and the frames it passed refer to each other


def test_what_a_function_may_not_return():
    def returning(value: Any) -> Pipeline:
        return pipeline_def(lambda: value())(batch_size=1, **ONE_THREAD)

    with pytest.raises(TypeError, match="contains a nested `DataNode`"):
        returning(lambda: [fn.random.uniform()])
    with pytest.raises(TypeError, match="Illegal output type"):
        returning(lambda: {"a": 1})
    without_outputs = returning(lambda: None)
    with pytest.raises(NotImplementedError):
        without_outputs.build()
    with_keywords = pipeline_def(lambda **more: 1)  # modules with such functions can be imported
    with pytest.raises(TypeError, match=r"Using variadic keyword argument `\*\*more`"):
        with_keywords(batch_size=1, **ONE_THREAD)


def test_what_a_definition_may_not_say():
    node = fn.random.uniform()
    for call, error, message in [
        (lambda: fn.cast(node, dtype=types.FLOAT, foo=1), KeyError, 'Argument "foo" is not defined for operator'),
        (lambda: fn.cast(node), RuntimeError, "Not all required arguments were specified"),
        (lambda: fn.resize(node, mode=node), TypeError, "takes a constant"),
        (lambda: fn.resize(node, device="tpu"), ValueError, 'Unsupported device type: "tpu"'),
        (lambda: bool(node), TypeError, '^"DataNode" was used in conditional context'),
        (lambda: iter(node), TypeError, "not iterable"),
        (lambda: fn.rezise, AttributeError, "did you mean fn.resize"),
        (lambda: node[...], NotImplementedError, "Ellipsis"),
    ]:
        with pytest.raises(error, match=message):
            call()


def test_names_are_unique_and_outputs_as_declared():
    @pipeline_def(batch_size=1, **ONE_THREAD)
    def twice() -> Any:
        return fn.random.uniform(name="a"), fn.random.uniform(name="a")

    with pytest.raises(RuntimeError, match="non-unique names"):
        twice().build()
    with pytest.raises(RuntimeError, match="Data type in the output_idx=0 does not match"):
        of_source(lambda: batch(0), output_dtype=types.FLOAT).run()
    with pytest.raises(RuntimeError, match="Lengths of provided output descriptions"):
        of_source(lambda: batch(0), output_ndim=[1, 2]).build()
    with pytest.raises(ValueError, match="The batch size must be set"):
        of_source(lambda: batch(0), batch_size=None).run()


def test_readers_follow_each_other_without_end(tmp_path):
    for k in range(7):
        (tmp_path / f"{k}.jpg").write_bytes(bytes([k]))

    def reading(**options: Any) -> Pipeline:
        keywords = {name: options.pop(name) for name in ("checkpoint",) if name in options}

        def define() -> Any:
            data, _ = fn.readers.file(files=[str(tmp_path / f"{k}.jpg") for k in range(7)], name="files", **options)
            return data, fn.random.uniform(range=[0.0, 1.0])

        return pipeline_def(define)(batch_size=2, seed=3, enable_checkpointing=True, **ONE_THREAD, **keywords)

    assert [made[0] for made in iterations(reading(), 5)] == [
        [[0], [1]], [[2], [3]], [[4], [5]], [[6], [0]], [[1], [2]],
    ]  # fmt: skip
    assert iterations(reading(pad_last_batch=True), 4)[3][0] == [[6], [6]]
    assert reading().epoch_size("files") == 7
    assert reading().reader_meta("files")["number_of_shards"] == 1
    with pytest.raises(RuntimeError, match="Operator nobody not found"):
        reading().epoch_size("nobody")
    whole = iterations(reading(random_shuffle=True), 9)
    stopped = reading(random_shuffle=True)
    iterations(stopped, 4)
    assert iterations(reading(random_shuffle=True, checkpoint=stopped.checkpoint()), 5) == whole[4:]
    with pytest.raises(RuntimeError, match="not the checkpoint of a pipeline"):
        reading(checkpoint=b"{}").build()
    with pytest.raises(TypeError, match="checkpoint is the bytes"):
        reading(checkpoint=3).build()


def test_equal_calls_are_made_once():
    heard: list[tuple[str, ...]] = []

    @pipeline_def(batch_size=2, **ONE_THREAD)
    def twice() -> Any:
        image = fn.external_source(lambda i: np.full((2, 4, 4, 3), i, np.uint8), layout="HWC")
        edges = [fn.laplacian(image) for _ in range(4)]
        return edges[0] + edges[1], edges[2], edges[3]

    with events.listening(lambda event: heard.append(event.operators)):
        outputs = twice(prefetch_queue_depth=1).run()
    assert heard.count(("laplacian",)) == 3  # one for the sum, and two that the program may write to
    np.asarray(outputs[1][0])[:] = 9
    assert not np.asarray(outputs[2][0]).any()


def test_constants_are_nodes_and_operands():
    @pipeline_def(batch_size=2, **ONE_THREAD)
    def constants() -> Any:
        data = fn.external_source(lambda: np.array([[1], [2]], np.uint8))
        row = types.Constant([1, 2], dtype=types.UINT8, layout="C")
        return data + types.Constant(1).uint8(), row + 1, row, data * types.Constant([1.5, 2.5]), types.Constant(3)

    outputs = constants().run()
    assert [output.dtype for output in outputs] == [types.UINT8, types.INT32, types.UINT8, types.FLOAT, types.INT32]
    assert listed(outputs) == [[[2], [3]], [[2, 3]] * 2, [[1, 2]] * 2, [[1.5, 2.5], [3.0, 5.0]], [3, 3]]
    assert outputs[2].layout() == "C"
    np.asarray(outputs[2].as_array())[:] = 0
    assert listed(constants().run())[2] == [[1, 2]] * 2


def test_seeds_do_not_depend_on_the_order_of_arguments() -> None:
    def define(names: list[str]) -> Any:
        pixel = fn.constant(fdata=[10.0, 20.0, 30.0], shape=[1, 1, 3], layout="HWC")
        drawn = {name: fn.random.uniform(range=(0.5, 2.0)) for name in names}
        return fn.hsv(pixel, dtype=types.FLOAT, **drawn)

    for names in (["hue", "saturation", "value"], ["value", "saturation", "hue"]):
        pipeline = pipeline_def(define, batch_size=1, num_threads=1, device_id=None, seed=3)(names)
        made = pipeline.run()[0].as_array().ravel()
        np.testing.assert_allclose(made, [2.139, 10.864, 20.317], atol=1e-3)  # as DALI's
