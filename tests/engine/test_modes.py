"""Evaluation modes: when a call runs, and that it does not matter to the result."""

import threading

import numpy as np
import pytest

import penstock.dynamic as ndd


@pytest.fixture
def ran():
    """An operator that writes down the first element of every sample it is given."""
    seen: list[int] = []

    @ndd.operator
    def witness(x):
        seen.append(int(x.flat[0]))
        return x

    return witness, seen


def owned(*values):
    return ndd.tensor(list(values))


def test_modes_are_those_of_the_api():
    assert [(mode.name, mode.value) for mode in ndd.EvalMode] == [
        ("deferred", 1), ("eager", 2), ("sync_cpu", 3), ("sync_full", 4)
    ]  # fmt: skip
    assert ndd.EvalMode.default is ndd.EvalMode.eager
    assert ndd.EvalMode.current() is ndd.EvalMode.eager


def test_modes_nest_and_do_not_reach_other_threads():
    found = []
    with ndd.EvalMode.deferred as entered:
        assert entered is None
        with ndd.EvalMode.sync_cpu:
            assert ndd.EvalMode.current() is ndd.EvalMode.sync_cpu
            thread = threading.Thread(target=lambda: found.append(ndd.EvalMode.current()))
            thread.start()
            thread.join()
        assert ndd.EvalMode.current() is ndd.EvalMode.deferred
    assert found == [ndd.EvalMode.eager]


def test_a_deferred_call_runs_only_when_its_value_is_wanted(ran):
    witness, seen = ran
    with ndd.EvalMode.deferred:
        result = witness(owned(7))
    assert seen == []
    assert np.asarray(result).tolist() == [7]
    assert seen == [7]


def test_a_deferred_call_nobody_reads_never_runs(ran):
    witness, seen = ran
    with ndd.EvalMode.deferred:
        result = witness(owned(7))
    del result
    assert seen == []


def test_what_is_foretold_does_not_run_a_deferred_call():
    with ndd.EvalMode.deferred:
        result = ndd.flip(ndd.tensor(np.zeros((2, 3, 1), np.uint8)))
    assert (result.dtype, result.ndim, result.layout, str(result.device)) == (ndd.uint8, 3, "HWC", "cpu")
    assert result._samples is None


def test_an_eager_call_runs_without_being_read():
    done = threading.Event()

    @ndd.operator
    def signal(x):
        done.set()
        return x

    kept = signal(owned(1))
    assert done.wait(30)
    assert kept.item() == 1


def test_eager_calls_run_in_the_order_they_were_made(ran):
    witness, seen = ran
    results = [witness(owned(i)) for i in range(20)]
    assert results[19].item() == 19
    assert seen == list(range(20))


@pytest.mark.parametrize("mode", [ndd.EvalMode.sync_cpu, ndd.EvalMode.sync_full])
def test_a_synchronous_call_has_run_when_it_returns(ran, mode):
    witness, seen = ran
    with mode:
        witness(owned(3))
    assert seen == [3]


def test_the_mode_is_that_of_the_call_not_of_the_reading(ran):
    witness, seen = ran
    with ndd.EvalMode.deferred:
        result = witness(owned(5))
    with ndd.EvalMode.sync_cpu:
        assert seen == []
        assert result.item() == 5


@pytest.mark.parametrize("mode", [ndd.EvalMode.deferred, ndd.EvalMode.eager])
def test_memory_of_the_user_is_read_before_the_call_returns(mode):
    array = np.array([[[1], [2]]], np.uint8)
    with mode:
        result = ndd.flip(ndd.as_tensor(array))
        array[:] = 9
    assert np.asarray(result).ravel().tolist() == [2, 1]


def test_a_deferred_call_reads_its_own_memory_late():
    image = ndd.tensor([[[1], [2]]], dtype=ndd.uint8, layout="HWC")
    with ndd.EvalMode.deferred:
        result = ndd.flip(image)
    np.asarray(image)[0, 0, 0] = 9
    assert np.asarray(result).ravel().tolist() == [2, 9]


def test_results_cross_threads():
    results = {}

    def work(name):
        image = ndd.tensor(np.full((4, 5, 3), name, np.uint8))
        for _ in range(50):
            image = ndd.flip(image)
        results[name] = image

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((np.asarray(image) == name).all() for name, image in results.items())
    together = [ndd.flip(image) for image in results.values()]
    assert [int(np.asarray(image)[0, 0, 0]) for image in together] == list(results)


def test_an_operator_may_use_operators_inside():
    @ndd.operator
    def twice(image):
        return np.array(ndd.flip(ndd.flip(ndd.tensor(image))))

    image = np.arange(6, dtype=np.uint8).reshape(1, 6, 1)
    batch = ndd.batch([image, image])
    for mode in ndd.EvalMode:
        with mode:
            assert np.asarray(twice(batch).tensors[1]).tolist() == image.tolist()
