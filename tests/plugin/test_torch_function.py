"""plugin.pytorch: functions of torch tensors as operators, and outputs copied into tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from penstock import fn, pipeline_def
from penstock.plugin.pytorch import TorchPythonFunction, feed_ndarray, to_torch_type
from penstock.plugin.pytorch.fn import torch_python_function


def numbers() -> Any:
    return fn.external_source(lambda: [np.float32([k, k + 1, k + 2]) for k in range(2)], layout="H")


def outputs(define: Any) -> Any:
    return pipeline_def(define, batch_size=2, num_threads=2, device_id=None)().run()


def run(define: Any) -> Any:
    return [output.as_array().tolist() for output in outputs(define)]


@pytest.mark.parametrize(
    "make", [torch_python_function, lambda *inputs, **keywords: TorchPythonFunction(**keywords)(*inputs)]
)
def test_a_function_takes_and_returns_tensors(make: Any) -> None:
    seen = []

    def function(sample: Any) -> Any:
        seen.append(type(sample))
        return sample * 2

    assert run(lambda: make(numbers(), function=function)) == [[[0, 2, 4], [2, 4, 6]]]
    assert {*seen} == {torch.Tensor}


def test_a_whole_batch_at_once_is_a_list() -> None:
    def function(batch: Any) -> Any:
        return batch, [sample.sum() for sample in batch]

    def define() -> Any:
        return tuple(torch_python_function(numbers(), function=function, num_outputs=2, batch_processing=True))

    assert run(define) == [[[0, 1, 2], [1, 2, 3]], [3, 6]]


def test_arguments_of_the_class_by_position() -> None:
    operator = TorchPythonFunction(lambda batch: [sample + 1 for sample in batch], 1, "cpu", True)
    assert run(lambda: operator(numbers())) == [[[1, 2, 3], [2, 3, 4]]]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda sample: torch.arange(6).reshape(2, 3).T, [[0, 3], [1, 4], [2, 5]]),
        (lambda sample: torch.nn.Parameter(sample), [0, 1, 2]),
        (lambda sample: sample.numpy(), [0, 1, 2]),
        (lambda sample: sample[0], 0),
    ],
)
def test_strides_and_gradients_are_left_behind(function: Any, expected: Any) -> None:
    assert run(lambda: torch_python_function(numbers(), function=function))[0][0] == expected


def test_a_function_without_results_is_called() -> None:
    seen: list[float] = []

    def define() -> Any:
        given = numbers()
        torch_python_function(given, function=lambda sample: seen.append(float(sample[0])), num_outputs=0)
        return given

    run(define)
    assert seen[:2] == [0, 1]


def test_its_input_is_its_own_and_layouts_are_told() -> None:
    def define() -> Any:
        given = numbers()
        return given, torch_python_function(given, function=lambda sample: sample.add_(100), output_layouts="W")

    before, after = outputs(define)
    assert before.as_array().tolist() == [[0, 1, 2], [1, 2, 3]]
    assert after.as_array().tolist() == [[100, 101, 102], [101, 102, 103]]
    assert (before.layout(), after.layout()) == ("H", "W")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda sample: 1 / 0, "ZeroDivisionError: division by zero .*test_torch_function.py"),
        (lambda sample: sample.to(torch.bfloat16), "bfloat16"),
        (lambda sample: [sample], "arrays, got a list"),
    ],
)
def test_a_failing_function_is_an_error_of_the_pipeline(function: Any, message: str) -> None:
    with pytest.raises(RuntimeError, match=f"(?s)nvidia.dali.plugin.pytorch.fn.torch_python_function.*{message}"):
        run(lambda: torch_python_function(numbers(), function=function))


def test_unknown_and_missing_arguments() -> None:
    with pytest.raises(KeyError, match='Argument "foo" is not defined'):
        torch_python_function(function=abs, foo=1)
    with pytest.raises(TypeError, match="function"):
        torch_python_function()


def pictures() -> Any:
    return outputs(lambda: fn.external_source(lambda: np.arange(12, dtype=np.float32).reshape(2, 2, 3)))[0]


@pytest.mark.parametrize(
    ("given", "shape"), [(lambda made: made[1], (2, 3)), (lambda made: made, (2, 2, 3)), (lambda made: made[0], (2, 3))]
)
def test_an_output_is_fed_into_a_tensor(given: Any, shape: Any) -> None:
    source, target = given(pictures()), torch.zeros(shape)
    assert feed_ndarray(source, target, cuda_stream=None) is target
    assert target.flatten().tolist() == np.array(source).ravel().tolist()


def test_a_strided_target_is_filled() -> None:
    target = torch.zeros(3, 2).T
    feed_ndarray(pictures()[0], target)
    assert target.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_targets_of_another_kind_are_refused() -> None:
    with pytest.raises(AssertionError, match=r"^Shapes do not match: DALI tensor has size"):
        feed_ndarray(pictures()[0], torch.zeros(3, 2))
    with pytest.raises(AssertionError, match=r"^The element type of DALI Tensor/TensorList doesn't match"):
        feed_ndarray(pictures()[0], torch.zeros(2, 3, dtype=torch.int32))
    assert to_torch_type[pictures().dtype] is torch.float32
