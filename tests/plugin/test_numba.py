"""plugin.numba: functions that Numba compiles, as operators."""

from __future__ import annotations

import sys
from typing import Any

import numba
import numpy as np
import pytest

from messages import told
from penstock import fn, pipeline_def, types
from penstock.plugin.numba.experimental import NumbaFunction
from penstock.plugin.numba.fn.experimental import numba_function

U8 = {"out_types": [types.UINT8], "in_types": [types.UINT8], "outs_ndim": [2], "ins_ndim": [2]}


def double(out: Any, given: Any) -> None:
    out[:] = given * 2


def double_all(outs: Any, given: Any) -> None:
    for k in range(len(outs)):
        outs[k][:] = given[k] * 2


def turn(out: Any, given: Any) -> None:
    for y in range(given.shape[0]):
        for x in range(given.shape[1]):
            out[x, y] = given[y, x]


def turned_shape(outs: Any, ins: Any) -> None:
    for k in range(len(outs[0])):
        outs[0][k][0] = ins[0][k][1]
        outs[0][k][1] = ins[0][k][0]


def numbers() -> Any:
    return fn.external_source(lambda: [np.arange(3 * k, dtype=np.uint8).reshape(k, 3) for k in (1, 2)], layout="HW")


def run(define: Any) -> Any:
    made = pipeline_def(define, batch_size=2, num_threads=2, device_id=None)().run()
    return [[np.asarray(sample).tolist() for sample in output] for output in made]


DOUBLED = [[[[0, 2, 4]], [[0, 2, 4], [6, 8, 10]]]]


@pytest.mark.parametrize(
    ("run_fn", "batch_processing"),
    [(double, False), (double_all, True), (numba.njit(double), False), (numba.njit(double_all), True)],
)
def test_a_function_fills_its_outputs(run_fn: Any, batch_processing: bool) -> None:
    assert run(lambda: numba_function(numbers(), run_fn=run_fn, batch_processing=batch_processing, **U8)) == DOUBLED


def test_the_class_takes_its_arguments_by_position() -> None:
    operator = NumbaFunction(double, [types.UINT8], [types.UINT8], [2], [2])
    assert run(lambda: operator(numbers())) == DOUBLED


def test_a_second_function_tells_the_shapes() -> None:
    made = run(lambda: numba_function(numbers(), run_fn=turn, setup_fn=turned_shape, **U8))
    assert made == [[[[0], [1], [2]], [[0, 3], [1, 4], [2, 5]]]]


def test_several_inputs_and_outputs_of_other_types() -> None:
    def both(total: Any, mean: Any, one: Any, other: Any) -> None:
        total[()] = one.sum() + other
        mean[0] = one.mean()

    def shapes(outs: Any, ins: Any) -> None:
        for k in range(len(ins[0])):
            outs[1][k][0] = 1

    def define() -> Any:
        made = numba_function(
            numbers(), fn.constant(fdata=100.0, shape=[]), run_fn=both, setup_fn=shapes,
            out_types=[types.INT32, types.FLOAT64], in_types=[types.UINT8, types.FLOAT], outs_ndim=[0, 1],
            ins_ndim=[2, 0],
        )  # fmt: skip
        return tuple(made)

    assert run(define) == [[103, 115], [[1.0], [2.5]]]


def test_large_samples_on_threads() -> None:
    pictures = [np.full((600, 600), k, np.uint8) for k in range(4)]

    def define() -> Any:
        return numba_function(fn.external_source(lambda: pictures), run_fn=double, **U8)

    made = pipeline_def(define, batch_size=4, num_threads=2, device_id=None)().run()[0]
    assert [np.unique(sample).tolist() for sample in made] == [[0], [2], [4], [6]]


def test_what_is_not_written_is_zero_and_inputs_are_left_alone() -> None:
    def spoil(out: Any, given: Any) -> None:
        given[:] = 77

    def define() -> Any:
        given = numbers()
        return given, numba_function(given, run_fn=spoil, **U8)

    assert run(define) == [[[[0, 1, 2]], [[0, 1, 2], [3, 4, 5]]], [[[0, 0, 0]], [[0, 0, 0], [0, 0, 0]]]]


def beyond(out: Any, given: Any) -> None:
    out[given.shape[0] + 5, 0] = 1


def failing(out: Any, given: Any) -> None:
    if given.shape[0] == 2:
        raise ValueError("too tall")


def negative(outs: Any, ins: Any) -> None:
    for shape in outs[0]:
        shape[:] = -1


@pytest.mark.parametrize(
    ("run_fn", "setup_fn", "message"),
    [
        (beyond, None, "IndexError"),
        (failing, None, "ValueError: too tall"),
        (double, negative, "setup_fn tells the shape"),
        (double, abs, "setup_fn failed: TypeError"),
    ],
)
def test_mistakes_are_errors(run_fn: Any, setup_fn: Any, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        run(lambda: numba_function(numbers(), run_fn=run_fn, setup_fn=setup_fn, **U8))


def test_the_sample_is_named() -> None:
    with pytest.raises(RuntimeError) as caught:
        run(lambda: numba_function(numbers(), run_fn=failing, **U8))
    assert "sample 1" in told(caught.value)


@pytest.mark.parametrize(
    ("changed", "kind", "message"),
    [
        ({"in_types": [types.FLOAT]}, RuntimeError, "Data type passed in `in_types` at index 0 doesn't match"),
        ({"ins_ndim": [3], "setup_fn": turned_shape}, RuntimeError, "Number of dimensions passed in `ins_ndim`"),
        ({"outs_ndim": [1]}, RuntimeError, "output 0 has 1 axes"),
        ({"ins_ndim": [2, 2]}, AssertionError, "Number of input types and input dimensions should match."),
        ({"outs_ndim": []}, AssertionError, "Number of output types and output dimensions should match."),
        ({"out_types": [types.UINT8] * 2, "outs_ndim": [2, 2]}, RuntimeError, "Size of `out_types` should match"),
        ({"in_types": [types.UINT8] * 2, "ins_ndim": [2, 2]}, ValueError, "given 1 inputs"),
        ({"in_types": [types.FLOAT16]}, RuntimeError, "Numba does not support"),
        ({"device": "gpu"}, RuntimeError, "incompatible device"),
        ({"foo": 1}, KeyError, 'Argument "foo" is not defined'),
    ],
)
def test_arguments_that_do_not_fit(changed: Any, kind: Any, message: str) -> None:
    with pytest.raises(kind, match=message):
        run(lambda: numba_function(numbers(), run_fn=double, **{**U8, **changed}))


def test_what_does_not_compile_fails_where_it_is_given() -> None:
    with pytest.raises(numba.TypingError, match="undefined"):
        numba_function(numbers(), run_fn=lambda out, given: undefined(out), **U8)  # noqa: F821


def test_without_numba_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    for name in [name for name in sys.modules if name.startswith("penstock.plugin.numba")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ImportError, match=r"pip install penstock\[numba\]"):
        __import__("penstock.plugin.numba")
