"""Options of pipelines where the decorated function is called, and decorators that do not go together."""

from __future__ import annotations

from typing import Any

import pytest

from penstock import fn, pipeline_def
from penstock.pipeline import do_not_convert, experimental
from penstock.pipeline.debug import DebugPipeline

OPTIONS: dict[str, Any] = {"batch_size": 1, "num_threads": 1, "device_id": None}


def branching() -> Any:
    number = fn.constant(idata=4)
    if fn.constant(idata=1, shape=[]) == 1:
        number = number + 1
    return number


def test_conditionals_may_be_asked_for_at_the_call() -> None:
    assert pipeline_def(branching)(**OPTIONS, enable_conditionals=True).run()[0].as_array().tolist() == [[5]]
    with pytest.raises(TypeError, match="used in conditional context"):
        pipeline_def(branching, enable_conditionals=True)(**OPTIONS, enable_conditionals=False)


@pytest.mark.parametrize("decorate", [pipeline_def, experimental.pipeline_def])
def test_debug_mode_may_be_asked_for_at_the_call(decorate: Any) -> None:
    make = decorate(**OPTIONS)(lambda: fn.constant(idata=1))
    assert isinstance(make(debug=True), DebugPipeline)
    assert not isinstance(make(debug=False), DebugPipeline)
    assert make(debug=True).run()[0].as_array().tolist() == [[1]]


def test_debug_mode_may_be_left_at_the_call() -> None:
    make = experimental.pipeline_def(debug=True, **OPTIONS)(branching)
    assert not isinstance(make(debug=False, enable_conditionals=True), DebugPipeline)
    assert make(enable_conditionals=True).run()[0].as_array().tolist() == [[5]]


def test_parameters_of_the_function_go_first() -> None:
    @pipeline_def(**OPTIONS)
    def graph(debug: int, enable_conditionals: int = 3) -> Any:
        return fn.constant(idata=[debug, enable_conditionals])

    assert graph(debug=True).run()[0].as_array().tolist() == [[1, 3]]


@pytest.mark.parametrize(
    "decorate",
    [
        lambda: pipeline_def(do_not_convert(lambda: 42)),
        lambda: pipeline_def(enable_conditionals=True)(do_not_convert(lambda: 42)),
        lambda: experimental.pipeline_def(do_not_convert(lambda: 42)),
        lambda: do_not_convert(pipeline_def(lambda: 42)),
    ],
)
def test_the_definition_of_a_pipeline_is_not_marked(decorate: Any) -> None:
    with pytest.raises(ValueError, match=r"^Pipeline definition cannot be marked with @do_not_convert"):
        decorate()
