"""How `@ndd.operator` reads the parameters of a function, and what is given to it by position and by name."""

from __future__ import annotations

import functools
import inspect
import pickle
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import fn, pipeline_def

if TYPE_CHECKING:
    from numpy.typing import NDArray

ONES = [np.ones((2, 3), np.uint8)] * 3


@ndd.operator
def scaled(image: NDArray[np.uint8], k=3, *, offset: int = 0) -> Any:  # type: ignore[no-untyped-def]
    """Scales an image."""
    return image * k + offset


def values(batch: Any) -> list[Any]:
    return [np.asarray(sample).flat[0].item() for sample in batch]


def test_a_default_makes_an_argument():
    ones = ndd.batch(ONES)
    assert values(scaled(ones)) == [3, 3, 3]
    assert values(scaled(ones, 2)) == values(scaled(ones, k=2)) == values(scaled(image=ones, k=2)) == [2, 2, 2]
    assert values(scaled(ones, 2, offset=5)) == [7, 7, 7]
    assert scaled(ones, 2).dtype is ndd.uint8  # k is a number of Python's, which keeps the type of the image
    assert values([scaled(ndd.tensor(ONES[0]), 2)]) == [2]


def test_nodes_of_a_pipeline_take_them_alike():
    @pipeline_def(batch_size=3, num_threads=1, device_id=None)
    def defined() -> Any:
        ones = fn.external_source(lambda: ONES)
        return scaled(ones), scaled(ones, 2), scaled(image=ones, k=2, offset=5)

    assert [values(each) for each in defined().run()] == [[3] * 3, [2] * 3, [7] * 3]


def test_help_shows_the_parameters_of_the_function():
    assert str(inspect.signature(scaled)).startswith("(image: 'NDArray[np.uint8]', k=3, *, offset: 'int' = 0, ")
    assert scaled.__doc__ == "Scales an image."
    assert pickle.loads(pickle.dumps(scaled)) is scaled


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: scaled(), r"scaled\(\) missing 1 required input\(s\): 'image'"),
        (lambda x: scaled(x, 1, 2), r"takes 2 value\(s\) by position but 3 were given; .* by name: offset="),
        (lambda x: scaled(x, 1, k=2), r"scaled\(\) got several values for 'k'"),
        (lambda x: scaled(x, image=x), r"scaled\(\) got several values for 'image'"),
        (lambda x: scaled(x, ofset=2), "unexpected keyword argument 'ofset'; did you mean 'offset'"),
        (lambda x: scaled(x, k=ndd.batch([1, 2, 3])), r"k takes a constant, not a Batch; .*k: ndd.PerSample\[int\]"),
        (lambda x: masked(x, points=x), "is given 'points' but not 'mask', which comes before it"),
    ],
)
def test_what_does_not_fit_is_told_at_the_call(call, message):
    with pytest.raises(TypeError, match=message):
        call(ndd.batch(ONES))


@ndd.operator
def masked(image: Any, mask: Any = None, points: Any = None) -> Any:
    return image if mask is None else image * mask


def test_none_for_a_default_makes_an_optional_input():
    ones, twos = ndd.batch(ONES), ndd.batch([array * 2 for array in ONES])
    assert values(masked(ones)) == values(masked(ones, None)) == [1, 1, 1]
    assert values(masked(ones, twos)) == values(masked(ones, mask=twos)) == [2, 2, 2]


def test_values_for_every_sample_are_numbers_of_python():
    seen: list[Any] = []

    @ndd.operator
    def noted(
        x: Any,
        *,
        real: ndd.PerSample[float] = 0.1,
        whole: ndd.PerSample[int] = 2,
        flag: ndd.PerSample[bool] = True,
        pair: ndd.PerSample[list[int]] | None = None,
        matrix: ndd.PerSample[np.ndarray[Any, Any]] | None = None,
    ) -> Any:
        seen.append((real, whole, flag, pair, matrix))
        return x

    with ndd.EvalMode.sync_cpu:
        noted(ndd.batch(ONES))
        assert seen.pop() == (0.1, 2, True, None, None)
        noted(
            ndd.batch(ONES),
            real=ndd.batch(np.array([0.1, 0.2, 0.3])),
            whole=ndd.batch(np.array([1, 2, 2**40])),
            flag=ndd.batch([True, True, False]),
            pair=ndd.batch([[1, 2]] * 3),
            matrix=ndd.batch([np.eye(2, dtype=np.int16)] * 3),
        )
    *numbers, pair, matrix = seen.pop()
    assert numbers == [0.3, 2**40, False]
    assert [type(each) for each in numbers] == [float, int, bool]
    assert pair.tolist() == [1, 2]
    assert matrix.dtype == np.int16


def test_lists_tuples_and_arrays_are_kept_as_they_were():
    seen: list[Any] = []

    @ndd.operator
    def noted(x: Any, size: tuple[int, int] = (1, 1), *, table: Any = None, key: int | str = 0) -> Any:
        seen.append((size, table, key))
        return x

    table, array = {"a": [1]}, np.zeros(2)
    with ndd.EvalMode.deferred:
        made = noted(ndd.tensor([1]), (2, 3), table=table, key="k")
        also = noted(ndd.tensor([1]), table=array)
    table["a"][0] = 9
    array[0] = 9
    made.evaluate()
    also.evaluate()
    assert seen[0] == ((2, 3), {"a": [1]}, "k")
    assert seen[1][1].tolist() == [0, 0]


def test_choices_are_checked():
    @ndd.operator
    def chosen(x: Any, mode: Literal["a", "b"] = "a") -> Any:
        return x

    with pytest.raises(RuntimeError, match="choose from 'a', 'b'"):
        chosen(ndd.tensor([1]), mode="c")


class Times:
    def __call__(self, x: Any, k: int = 3) -> Any:
        return x * k


@pytest.mark.parametrize(
    "function", [Times(), Times().__call__, functools.partial(lambda x, k: x * k, k=3), lambda x, *, k=3: x * k]
)
def test_whatever_can_be_called_is_a_function(function):
    own = ndd.operator(function)
    assert values([own(ndd.tensor(ONES[0]))]) == [3]
    assert values([own(ndd.tensor(ONES[0]), k=2)]) == [2]


def test_inputs_may_be_of_any_number():
    @ndd.operator
    def summed(*images: Any, k: int = 1) -> Any:
        return sum(images) * k

    ones = ndd.batch(ONES)
    assert values(summed(ones, ones, ones, k=2)) == [6, 6, 6]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x, **rest: x, r"\(\*\*rest\): an operator names its arguments"),
        (lambda x, k=3, *more: x, r"\(\*more\): arguments with defaults come behind it"),
        (lambda x, *, device=None: x, "every operator has an argument 'device'; give it another name"),
        (np.sqrt, "sqrt does not tell what its parameters are"),
        (Times.__call__, r"is no function without its object; .*ndd.operator\(self.__call__\)"),
    ],
)
def test_what_cannot_be_an_operator_is_refused_where_it_is_declared(function, message):
    with pytest.raises(TypeError, match=message):
        ndd.operator(function)


def test_text_for_every_sample_is_refused_where_it_is_declared():
    def labelled(x: Any, *, label: ndd.PerSample[str] = "") -> Any:
        return x

    with pytest.raises(TypeError, match=r"label is PerSample\[str\], and a Batch has numbers"):
        ndd.operator(labelled)


def test_annotations_that_only_type_checkers_know_do_not_matter():
    def unread(x: NDArray[Any], *, k: NDArray[Any] | None = None) -> Any:
        return x

    assert values([ndd.operator(unread)(ndd.tensor(ONES[0]))]) == [1]

    def unclear(x: Any, *, k: ndd.PerSample[NDArray[Any]]) -> Any:
        return x

    with pytest.raises(TypeError, match=r"the annotation of k, .*, cannot be read: name 'NDArray' is not defined"):
        ndd.operator(unclear)
