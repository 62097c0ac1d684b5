"""ndd.ExternalSource: the program's own data, pulled one item a call."""

from __future__ import annotations

import functools
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import penstock.dynamic as ndd
from penstock.dynamic import ExternalSource
from penstock.pipeline.values.tensors import TensorListCPU

ROWS = [np.float32([1, 2]), np.float32([3, 4])]
END = "end"


def pulls(source, times=6):
    """What some calls give; END where they raise StopIteration."""
    found = []
    for _ in range(times):
        try:
            found.append(np.asarray(source()).tolist())
        except StopIteration:
            found.append(END)
    return found


def counting():
    yield 1
    yield 2


class Twice:
    """Can be iterated over, and called too."""

    def __iter__(self):
        return iter([1, 2])

    def __call__(self):
        return 99


class Counter:
    def numbers(self):
        yield from (1, 2)

    def __call__(self):
        yield from (1, 2)


@pytest.mark.parametrize("cycle", [None, False, "no"])
def test_a_source_ends(cycle):
    source = ExternalSource(ROWS, cycle=cycle)
    first = source()
    assert isinstance(first, ndd.Tensor)
    assert (first.dtype, first.layout) == (ndd.float32, None)
    np.testing.assert_array_equal(first, ROWS[0])
    assert pulls(source, 3) == [[3, 4], END, END]


RESTARTABLE = [[1, 2], Twice(), counting, Counter().numbers, Counter(), functools.partial(counting), range(1, 3)]


@pytest.mark.parametrize("source", RESTARTABLE)
def test_a_source_starts_over_when_it_is_to(source):
    assert pulls(ExternalSource(source)) == [1, 2, END, END, END, END]
    for cycle in (True, "quiet"):
        assert pulls(ExternalSource(source, cycle=cycle)) == [1, 2, 1, 2, 1, 2]
    assert pulls(ExternalSource(source, cycle="raise"), 7) == [1, 2, END, 1, 2, END, 1]


def test_tensors_arrays_and_batches_can_be_iterated_over():
    for values in (ndd.tensor([1, 2]), ndd.batch([1, 2]), np.array([1, 2])):
        assert pulls(ExternalSource(values), 3) == [1, 2, END]


@pytest.mark.parametrize("cycle", [None, True, "raise"])
def test_what_cannot_start_over_just_ends(cycle):
    assert pulls(ExternalSource(iter([1, 2]), cycle=cycle), 4) == [1, 2, END, END]
    assert pulls(ExternalSource([], cycle=cycle), 2) == [END, END]


@pytest.mark.parametrize("cycle", ["yes", 0, 1, 2.0, [True]])
def test_unknown_ways_to_cycle(cycle):
    with pytest.raises(ValueError, match="cycle is None, False or 'no', True or 'quiet', or 'raise', got"):
        ExternalSource(ROWS, cycle=cycle)


def test_what_can_be_cycled_through():
    for cycle in (False, "no", True, "raise"):
        with pytest.raises(ValueError, match="cycle is for sources that are iterated over"):
            ExternalSource(lambda: 1, cycle=cycle)
    assert pulls(ExternalSource(counting(), cycle="no"), 3) == [1, 2, END]
    for cycle in (True, "quiet", "raise"):
        with pytest.raises(TypeError, match="pass the generator function itself"):
            ExternalSource(counting(), cycle=cycle)


def test_a_function_is_called_without_arguments():
    assert pulls(ExternalSource(lambda: 3), 3) == [3, 3, 3]
    assert pulls(ExternalSource(int), 2) == [0, 0]
    with pytest.raises(ValueError, match="called without arguments, but takes index"):
        ExternalSource(lambda index: index)
    with pytest.raises(ValueError, match="takes index=3"):
        ExternalSource(lambda index=3: index)
    for function in (lambda *every: 1, lambda **every: 1, lambda *, key=1: 1, lambda a, b: 1):
        with pytest.raises(TypeError, match="called without arguments, but takes"):
            ExternalSource(function)


def test_a_generator_function_may_have_parameters_it_does_not_need():
    def generator(first=5):
        yield first

    def needy(first):
        yield first

    assert pulls(ExternalSource(generator), 2) == [5, END]
    with pytest.raises(TypeError, match="takes first"):
        ExternalSource(needy)


def test_what_is_no_source():
    with pytest.raises(TypeError, match="something to iterate over, or a function without parameters, got int"):
        ExternalSource(5)
    with pytest.raises(AssertionError):
        ExternalSource(None)


def test_a_list_of_arrays_is_one_tensor():
    stacked = ExternalSource(lambda: ROWS)()
    assert isinstance(stacked, ndd.Tensor)
    np.testing.assert_array_equal(stacked, [[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="inhomogeneous"):
        ExternalSource(lambda: [np.zeros(2), np.zeros(3)])()
    with pytest.raises(ValueError, match="got None"):
        ExternalSource(lambda: None)()


def test_batches_stay_batches():
    given = ndd.batch([[1, 2], [3]], layout="W")
    assert ExternalSource(lambda: given)() is given
    part = ExternalSource(lambda: given.tensors[1:])()
    assert isinstance(part, ndd.Batch)
    assert part.shape == [(1,)]


def test_a_function_ends_with_stop_iteration_and_may_go_on():
    left = iter([1, 2])

    def function():
        return next(left)

    source = ExternalSource(function)
    assert pulls(source, 4) == [1, 2, END, END]
    left = iter([3])
    assert pulls(source, 2) == [3, END]


@pytest.mark.parametrize("error", [KeyError("mine"), StopIteration("mine"), RuntimeError(), KeyboardInterrupt()])
def test_errors_of_the_source_pass_through_unchanged(error):
    def function():
        raise error

    with pytest.raises(type(error)) as raised:
        ExternalSource(function)()
    assert raised.value is error
    assert not getattr(error, "__notes__", [])
    assert error.__cause__ is None


def test_a_generator_that_fails_is_over():
    def failing():
        yield 1
        raise KeyError("mine")

    source = ExternalSource(failing)
    assert source().item() == 1
    with pytest.raises(KeyError, match="mine"):
        source()
    assert pulls(source, 2) == [END, END]


def test_a_batch_size_repeats_a_tensor_without_copying_it():
    row = np.float32([1, 2])
    batch = ExternalSource(lambda: row, layout="W")(batch_size=2)
    assert isinstance(batch, ndd.Batch)
    assert (batch.batch_size, batch.layout) == (2, "W")
    assert all(np.shares_memory(np.asarray(sample), row) for sample in batch)
    assert ExternalSource(lambda: row)(batch_size=0).batch_size == 0
    assert ExternalSource(lambda: row)(batch_size=np.int64(3)).batch_size == 3


def test_a_batch_must_have_the_batch_size():
    source = ExternalSource(lambda: ndd.batch([1, 2]))
    assert source(batch_size=2).batch_size == 2
    with pytest.raises(ValueError, match="Expected batch size 3, got 2"):
        source(batch_size=3)


def test_bad_batch_sizes_take_nothing_from_the_source():
    source = ExternalSource([1, 2])
    with pytest.raises(TypeError):
        source(2)
    for wrong, error in ((1.5, TypeError), ("2", TypeError), (-1, ValueError)):
        with pytest.raises(error):
            source(batch_size=wrong)
    assert pulls(source, 3) == [1, 2, END]


@pytest.mark.parametrize("item", [(1, ROWS[0]), [1, ROWS[0]]])
def test_several_outputs(item):
    one, row = ExternalSource(lambda: item, num_outputs=2)()
    assert one.item() == 1
    np.testing.assert_array_equal(row, ROWS[0])
    batches = ExternalSource([item], 2)(batch_size=3)
    assert [batch.batch_size for batch in batches] == [3, 3]


@pytest.mark.parametrize("item", [(1,), (1, 2, 3), np.zeros((2, 3)), ndd.batch([1, 2]), ndd.tensor([1, 2]), 5, None])
def test_the_number_of_outputs_must_be_right(item):
    with pytest.raises(ValueError, match="Expected 2 outputs from the source"):
        ExternalSource(lambda: item, num_outputs=2)()


def test_outputs_are_all_tensors_or_all_batches():
    source = ExternalSource(lambda: (ndd.batch([1, 2]), 3), num_outputs=2)
    with pytest.raises(TypeError, match="all Tensors or all Batches, got Batch, Tensor"):
        source()
    numbers, threes = source(batch_size=2)
    assert [sample.item() for sample in threes] == [3, 3]
    assert numbers.batch_size == 2


@pytest.mark.parametrize(("count", "error"), [(0, ValueError), (-1, ValueError), (1.0, TypeError), ("2", TypeError)])
def test_bad_numbers_of_outputs(count, error):
    with pytest.raises(error):
        ExternalSource(ROWS, count)


def test_dtype_and_layout_for_all_outputs_or_each():
    def source():
        return ROWS[0], np.float32([[-1, 300.5]])

    row, matrix = ExternalSource(source, 2, dtype=ndd.uint8, layout=["X", "YX"])()
    assert (row.layout, matrix.layout) == ("X", "YX")
    assert np.asarray(matrix).tolist() == [[0, 255]]
    row, matrix = ExternalSource(source, 2, dtype=(None, "u8"), layout=("X", None))()
    assert (row.dtype, matrix.dtype, row.layout, matrix.layout) == (ndd.float32, ndd.uint8, "X", None)
    batch = ExternalSource(lambda: ndd.batch([[1], [2]], layout="Q"), dtype=[ndd.float32], layout="X")()
    assert (batch.dtype, batch.layout) == (ndd.float32, "X")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layout": ["X"]}, "layout has 1 entries, num_outputs is 2"),
        ({"dtype": [ndd.uint8] * 3}, "dtype has 3 entries, num_outputs is 2"),
        ({"layout": 5}, "Layout must be a string"),
        ({"dtype": "unknown"}, "Unsupported type name"),
        ({"device": "cpux"}, "Invalid device"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        ExternalSource(ROWS, 2, **options)


def test_a_layout_names_all_axes():
    with pytest.raises(ValueError, match='"XY" names 2 axes, the data has 1'):
        ExternalSource(lambda: ROWS[0], layout="XY")()


@given(hnp.arrays(st.sampled_from([np.uint8, np.int64, np.float32]), hnp.array_shapes(min_dims=1, max_dims=3)))
def test_arrays_are_not_copied(array):
    pulled = ExternalSource(lambda: array, layout="ABC"[: array.ndim])()
    assert np.shares_memory(np.asarray(pulled), array)
    array.flat[0] = 7
    assert np.asarray(pulled).flat[0] == 7


@pytest.mark.parametrize("mode", list(ndd.EvalMode))
def test_operators_are_done_with_the_memory_when_their_call_returns(mode):
    frame = np.zeros(4, np.uint8)
    source = ExternalSource(lambda: frame)
    with mode:
        bright = [source() + 1]
        frame[:] = 10
        bright.append(source() + 1)
        values = [np.asarray(each).tolist() for each in bright]
    assert values[1] == [11] * 4
    if mode is not ndd.EvalMode.deferred:
        assert values[0] == [1] * 4


def test_results_that_are_not_computed_yet_are_not_waited_for():
    gate = threading.Event()

    @ndd.operator
    def waiting(x):
        assert gate.wait(30)
        return x

    with ndd.EvalMode.eager:
        tensor = ExternalSource(lambda: waiting(ndd.tensor([1, 2])))()
        gate.set()
        assert np.asarray(tensor).tolist() == [1, 2]


def test_it_is_called_and_not_iterated_over():
    source = ExternalSource(ROWS)
    with pytest.raises(TypeError, match="not iterable"):
        iter(source)


def test_threads_share_the_items_of_a_generator():
    def numbers():
        yield from range(200)

    source = ExternalSource(numbers)
    with ThreadPoolExecutor(4) as threads:
        found = [value.item() for value in threads.map(lambda _: source(), range(200))]
    assert sorted(found) == list(range(200))


@given(
    length=st.integers(0, 5),
    calls=st.integers(0, 20),
    cycle=st.sampled_from([None, False, "no", True, "quiet", "raise"]),
)
def test_any_number_of_items_and_calls(length, calls, cycle):
    expected = []
    for _ in range(calls):
        expected += list(range(length))
        expected += [END] if cycle == "raise" or not length else []
        if cycle in (None, False, "no"):
            expected += [END] * calls
    assert pulls(ExternalSource(range(length), cycle=cycle), calls) == expected[:calls]


def test_a_list_of_tensors_of_a_pipeline_is_a_batch():
    given = TensorListCPU(np.arange(6, dtype=np.int32).reshape(2, 3), layout="X")
    made = ExternalSource(lambda: given)()
    assert isinstance(made, ndd.Batch)
    assert (made.shape, made.layout) == ([(3,), (3,)], "X")
    assert ExternalSource(lambda: given, dtype=ndd.float32, layout="Y")(batch_size=2).layout == "Y"
    with pytest.raises(ValueError, match="Expected batch size 3, got 2"):
        ExternalSource(lambda: given)(batch_size=3)
    with pytest.raises(TypeError, match="either all Tensors or all Batches"):
        ExternalSource(lambda: (given, 1), num_outputs=2)()
