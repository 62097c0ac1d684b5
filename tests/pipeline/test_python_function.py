"""fn.python_function and fn.dl_tensor_python_function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from messages import told
from penstock import fn, pipeline_def


def numbers() -> Any:
    return fn.external_source(lambda i: [np.array([k, i], np.int32) for k in range(3)])


def pipeline(function: Any) -> Any:
    return pipeline_def(batch_size=3, num_threads=2, device_id=None, prefetch_queue_depth=1)(function)()


def run(function: Any) -> Any:
    return [np.asarray(output.as_array()).tolist() for output in pipeline(function).run()]


def outputs(made: Any) -> Any:
    return tuple(made) if isinstance(made, list) else made


def test_it_is_called_with_every_sample_in_order():
    seen: list[int] = []

    def double(sample: Any) -> Any:
        seen.append(int(sample[0]))
        return sample * 2

    assert run(lambda: fn.python_function(numbers(), function=double)) == [[[0, 0], [2, 0], [4, 0]]]
    assert seen == [0, 1, 2]


def test_several_inputs_and_outputs():
    def both(x: Any, y: Any) -> Any:
        return x + y, (x - y).astype(np.float64)[:1]

    def graph() -> Any:
        return tuple(fn.python_function(numbers(), 5, function=both, num_outputs=2))

    assert run(graph) == [[[5, 5], [6, 5], [7, 5]], [[-5.0], [-4.0], [-3.0]]]


def test_a_whole_batch_at_once():
    def turned(batch: list[Any]) -> Any:
        assert isinstance(batch, list)
        return batch[::-1]

    assert run(lambda: fn.python_function(numbers(), function=turned, batch_processing=True)) == [
        [[2, 0], [1, 0], [0, 0]]
    ]


def test_what_it_writes_to_is_its_own():
    def spoil(sample: Any) -> Any:
        sample += 1
        return sample

    def graph() -> Any:
        x = numbers()
        return fn.python_function(x, function=spoil), x

    assert run(graph) == [[[1, 1], [2, 1], [3, 1]], [[0, 0], [1, 0], [2, 0]]]


def test_it_is_called_though_nobody_wants_its_results():
    seen: list[str] = []

    def graph() -> Any:
        x = numbers()
        assert fn.python_function(x, function=lambda sample: seen.append("acts"), num_outputs=0) == []
        fn.python_function(x, function=lambda sample: seen.append("makes") or sample)
        return x

    run(graph)
    assert sorted(seen) == ["acts"] * 3 + ["makes"] * 3


def test_layouts():
    made = pipeline(lambda: fn.python_function(numbers(), function=lambda x: x[None], output_layouts="HW"))
    assert made.run()[0].layout() == "HW"
    pair = {"function": lambda x: (x[None], x[None]), "num_outputs": 2}
    for layouts, expected in (("HW", ["HW", "HW"]), (["HW"], ["HW", ""]), (["HW", "AB"], ["HW", "AB"])):
        several = pipeline(lambda given=layouts: tuple(fn.python_function(numbers(), **pair, output_layouts=given)))
        assert [each.layout() for each in several.run()] == expected
    with pytest.raises(RuntimeError, match="Unsupported argument type with name output_layouts"):
        run(lambda: fn.python_function(numbers(), **pair, output_layouts=["HW", None]))
    with pytest.raises(ValueError, match="'HWC' is not valid for 1-dimensional"):
        run(lambda: fn.python_function(numbers(), function=lambda x: x, output_layouts=["HWC"]))
    with pytest.raises(RuntimeError, match="greater than the number of outputs"):
        run(lambda: fn.python_function(numbers(), function=lambda x: x, output_layouts=["W", "W"]))


def test_an_error_names_the_node_the_line_and_the_sample():
    def graph() -> Any:
        return fn.python_function(numbers(), function=lambda sample: 1 // (1 - int(sample[0])) * sample, name="mine")

    made = pipeline(graph)
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"ZeroDivisionError: .*test_python_function") as caught:
            made.run()
        assert isinstance(caught.value.__cause__, ZeroDivisionError)
        notes = told(caught.value)
        assert "in python_function, sample 1, called at" in notes
        assert 'name="mine"' in notes


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (lambda x: None, {}, "returns arrays, got a NoneType"),
        (lambda x: [1, 2], {}, "returns arrays, got a list"),
        (lambda x: "text", {}, "returns arrays, got a str"),
        (lambda x: np.array(["text"]), {}, "no batches of <U4"),
        (lambda x: x if x[0] else x.astype(float), {}, "one type and number of axes"),
        (lambda x: x if x[0] else x[None], {}, "one type and number of axes"),
        (lambda x: x, {"num_outputs": 2}, "returns a tuple, got a ndarray"),
        (lambda x: (x,), {"num_outputs": 2}, "has 2 outputs, it returned 1"),
        (lambda x: x[:2], {"batch_processing": True}, "returned 2 samples and should return 3"),
        (lambda x: 1 // 0, {"batch_processing": True}, "ZeroDivisionError"),
        (5, {}, "'int' object is not callable"),
    ],
)  # fmt: skip
def test_functions_that_return_what_they_should_not(function, options, message):
    with pytest.raises(RuntimeError, match=message):
        run(lambda: outputs(fn.python_function(numbers(), function=function, **options)))


def test_bad_arguments_are_refused_where_they_are_given():
    with pytest.raises(TypeError, match="function"):
        run(lambda: fn.python_function(numbers()))
    with pytest.raises(KeyError, match="colour"):
        run(lambda: fn.python_function(numbers(), function=lambda x: x, colour=1))


def test_capsules():
    class Held:
        def __init__(self, capsule: Any) -> None:
            self.capsule = capsule

        def __dlpack__(self, **options: Any) -> Any:
            return self.capsule

        def __dlpack_device__(self) -> Any:
            return 1, 0

    def double(batch: Any) -> Any:
        return [np.from_dlpack(Held(capsule)) * 2 for capsule in batch]

    def same(capsule: Any) -> Any:
        assert type(capsule).__name__ == "PyCapsule"
        return capsule

    def graph() -> Any:
        x = numbers()
        one_by_one = fn.dl_tensor_python_function(x, function=same, batch_processing=False)
        return fn.dl_tensor_python_function(x, function=double), one_by_one

    assert run(graph) == [[[0, 0], [2, 0], [4, 0]], [[0, 0], [1, 0], [2, 0]]]
