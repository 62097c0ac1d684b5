"""Whatever an operator is given, it answers with a result or with an error that says what is wrong."""

from __future__ import annotations

import typing
import warnings
from enum import IntEnum
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from penstock.dynamic.calls.functions import declaration, function
from penstock.ops._index import OPERATORS
from penstock.schema.operator import Operator
from penstock.schema.params import Param
from penstock.values.dtypes import NUMERIC, DType

PUBLIC = [path for path in OPERATORS if not path.startswith("_")]
SAID = (ValueError, TypeError, RuntimeError, IndexError, OverflowError)
WHOLE = st.integers(-2, 7)
REAL = st.sampled_from([-1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.5, 7.0, 300.0, float("inf"), float("nan")])
TEXT = st.sampled_from(["", "H", "HW", "HWC", "WH", "CHW", "FHWC", "no such name"])


def values(param: Param) -> st.SearchStrategy[Any]:
    """Values of the kind an argument takes, sensible or not."""
    kind = param.element
    if param.is_array:
        return st.lists(REAL, min_size=1, max_size=4).map(np.float32)
    if typing.get_origin(kind) is typing.Literal:
        one: st.SearchStrategy[Any] = st.sampled_from(typing.get_args(kind))
    elif kind is DType:
        one = st.sampled_from(sorted(NUMERIC, key=str))
    elif isinstance(kind, type) and issubclass(kind, IntEnum):
        one = st.sampled_from(list(kind))
    else:
        one = {bool: st.booleans(), int: WHOLE, float: REAL, str: TEXT}.get(kind, WHOLE)
    return st.lists(one, max_size=4) if param.is_list else one


@st.composite
def samples(draw: st.DrawFn, layouts: tuple[str, ...], size: int) -> Any:
    """A batch, or a tensor where `size` is 0."""
    shapes = st.lists(st.integers(0, 6), max_size=4).map(tuple)
    layout = None
    if layouts and draw(st.integers(0, 3)):
        layout = draw(st.sampled_from(layouts))
        shapes = st.lists(st.integers(0, 6), min_size=len(layout), max_size=len(layout)).map(tuple)
    kind = draw(st.sampled_from(sorted(NUMERIC, key=str)))
    random = np.random.default_rng(draw(st.integers(0, 9)))
    first = draw(shapes)
    same_rank = st.lists(st.integers(0, 6), min_size=len(first), max_size=len(first)).map(tuple)
    wanted = [first, *(draw(same_rank) for _ in range(size - 1))]
    with np.errstate(invalid="ignore"):  # NumPy warns on ARM of numbers below zero that become unsigned
        made = [random.normal(3, 9, shape).astype(kind.numpy) for shape in wanted]
    return ndd.batch(made, layout=layout) if size else ndd.tensor(made[0], layout=layout)


@st.composite
def calls(draw: st.DrawFn, op: Operator) -> tuple[list[Any], dict[str, Any]]:
    size = draw(st.integers(0, 3))
    count = draw(st.integers(op.min_inputs, max(op.min_inputs, len(op.inputs)) + 2 * op.variadic))
    inputs = [draw(samples(op.layouts if k == 0 else (), size)) for k in range(count)]
    chosen = draw(st.sets(st.sampled_from(sorted(op.params)), max_size=4)) if op.params else set()
    given: dict[str, Any] = {}
    for name in sorted(chosen | set(op.required)):
        param = op.params[name]
        value = draw(values(param))
        if param.per_sample and size and draw(st.booleans()):
            value = ndd.batch([np.asarray(value, param.storage)] * size)
        given[name] = value
    if not inputs and draw(st.booleans()):
        given["batch_size"] = size
    return inputs, given


def what_it_says(call: Any, inputs: list[Any], arguments: dict[str, Any]) -> str | None:
    """The message of the error a call ends in, if it does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            results = call(*inputs, **arguments)
            for result in results if isinstance(results, tuple) else (results,):
                result.evaluate()
        except SAID as error:
            return str(error)
    return None


@pytest.mark.parametrize("path", PUBLIC)
def test_an_operator_answers_or_says_what_is_wrong(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    op, call = declaration(path), function(path)

    @settings(max_examples=15, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(calls(op))
    def answers(made: tuple[list[Any], dict[str, Any]]) -> None:
        said = what_it_says(call, *made)
        assert said is None or said, "an error without a word"

    answers()


SMALL = np.zeros((4, 4, 4, 4), np.uint8)


@pytest.mark.parametrize(
    "make",
    [
        lambda huge: ndd.random.uniform(shape=huge),
        lambda huge: ndd.zeros(shape=huge),
        lambda huge: ndd.pad(np.zeros((4, 4, 4, 4), np.uint8), axes=[0, 1, 2, 3], shape=huge),
        lambda huge: ndd.cast(
            ndd.pad(np.zeros((4, 4, 4, 4), np.uint8), axes=[0, 1, 2, 3], shape=huge), dtype=ndd.int16
        ),
        lambda huge: ndd.one_hot(np.zeros(4, np.int32), num_classes=2**62),
    ],
)
def test_a_shape_whose_number_of_bytes_overflows_is_out_of_memory(make):
    for huge in ([65536] * 4, [65536, 65536, 65536, 65537]):  # 2^64 bytes come to 0, a few more to very little
        with pytest.raises(MemoryError):
            make(huge).evaluate()
