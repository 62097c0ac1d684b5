"""Functions of the program's own on data of a GPU, in pipelines."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from messages import told
from penstock import fn, pipeline_def
from penstock.pipeline.functions import gpu_function
from penstock.pipeline.values.tensors import TensorListGPU
from penstock.plugin.pytorch.fn import torch_python_function

pytestmark = pytest.mark.usefixtures("any_gpu")


def numbers(ragged: bool = True) -> Any:
    return fn.external_source(lambda: [np.float32([[1] * (2 + ragged * k)]) for k in range(2)], layout="HW").gpu()


def run(define: Any, **options: Any) -> Any:
    outputs = pipeline_def(define, **{"batch_size": 2, "num_threads": 1, "device_id": 1, **options})().run()
    for output in outputs:
        assert (type(output), output.device_id()) == (TensorListGPU, 1)
    return [[each.tolist() for each in map(np.asarray, output.as_cpu())] for output in outputs]


def test_a_function_of_tensors() -> None:
    seen: list[Any] = []

    def doubled(sample: Any) -> Any:
        seen.append(type(sample))
        sample *= 2  # which is its own
        return sample

    def define() -> Any:
        given = numbers()
        return torch_python_function(given, function=doubled, device="gpu"), given

    assert run(define) == [[[[2, 2]], [[2, 2, 2]]], [[[1, 1]], [[1, 1, 1]]]]
    assert {*seen} == {torch.Tensor}


def test_a_function_of_arrays_with_several_results() -> None:
    def parts(sample: Any) -> Any:
        return sample + 1, sample.sum()

    def define() -> Any:
        return tuple(fn.python_function(numbers(), function=parts, num_outputs=2, output_layouts=["HW", ""]))

    assert run(define) == [[[[2, 2]], [[2, 2, 2]]], [2, 3]]


def test_a_function_of_whole_batches_of_capsules() -> None:
    def tripled(batch: Any) -> Any:
        return [torch.from_dlpack(each) * 3 for each in batch]

    assert run(lambda: fn.dl_tensor_python_function(numbers(), function=tripled)) == [[[[3, 3]], [[3, 3, 3]]]]


def test_a_function_of_arrays_of_jax() -> None:
    jax = pytest.importorskip("jax")
    from penstock.plugin.jax.fn import jax_function

    @jax_function
    @jax.jit
    def raised(images: Any) -> Any:
        return images + 4

    assert run(lambda: raised(numbers(ragged=False))) == [[[[5, 5]], [[5, 5]]]]
    with pytest.raises(RuntimeError, match="takes samples of one shape, those of input 0 differ"):
        run(lambda: raised(numbers()))


def test_a_function_without_inputs_makes_data_of_the_gpu() -> None:
    assert run(lambda: fn.python_function(function=lambda: np.float32([7]), device="gpu")) == [[[7], [7]]]


def test_a_function_for_what_it_does() -> None:
    seen: list[float] = []

    def define() -> Any:
        given = numbers()
        fn.python_function(given, function=lambda sample: seen.append(float(sample.sum())), num_outputs=0)
        return given

    run(define, prefetch_queue_depth=1)
    assert seen[:2] == [2, 3]


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda sample: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda sample: "text", "the function returns arrays, got a str"),
    ],
)
def test_what_goes_wrong_is_told_with_the_sample(returned: Any, message: str) -> None:
    with pytest.raises(RuntimeError, match=message) as raised:
        run(lambda: fn.python_function(numbers(), function=returned))
    assert "sample 0" in told(raised.value)


def test_results_stay_on_the_device() -> None:
    """As on a card: torch's meta device is another one than that of the CPU."""
    with pytest.raises(TypeError, match=r"was given data on cpu and returned some on meta; move it back"):
        gpu_function._tensor_of(torch.empty(2, device="meta"), torch.device("cpu"))


def test_arrays_of_a_card_are_those_of_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    """CuPy makes no array without a driver, so it is stood in for."""
    there: Any = SimpleNamespace(device=torch.device("cuda", 0))
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(from_dlpack=lambda tensor: ("array over", tensor)))
    assert gpu_function._array_over(there) == ("array over", there)
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(RuntimeError, match=r"arrays of CuPy, which is not installed; .*torch_python_function"):
        gpu_function._array_over(there)
