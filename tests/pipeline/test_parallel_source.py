"""external_source(parallel=True): sources that worker processes call."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing import Pipe, active_children, get_context, reduction
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest

from ended_workers import collect_until_ended
from engine.interrupts import Interrupts, everywhere, functions_of
from messages import told
from penstock import fn, pipeline_def
from penstock.pipeline.workers import pool, source
from penstock.pipeline.workers.worker import work
from penstock.values.samples import arrays_of

PROGRAM = os.getpid()


def of(source: Any, workers: int = 2, batch_size: int = 4, options: dict[str, Any] | None = None, **given: Any) -> Any:
    settings: dict[str, Any] = {"batch_size": batch_size, "num_threads": 1, "device_id": None}

    def define() -> Any:
        made = fn.external_source(source, parallel=True, **given)
        return tuple(made) if isinstance(made, list) else made

    return pipeline_def(**settings, py_num_workers=workers, **(options or {}))(define)()


def rows(runs: Any, count: int) -> list[Any]:
    seen: list[Any] = []
    for _ in range(count):
        try:
            seen.append(runs.run()[0].as_array().tolist())
        except StopIteration:
            seen.append("end")
            runs.reset()
    return seen


def place(info: Any) -> Any:
    return np.array([os.getpid(), info.idx_in_epoch, info.idx_in_batch, info.iteration, info.epoch_idx])


def test_samples_are_made_by_all_workers_and_come_in_order():
    made = np.array(rows(of(place, batch=False), 3)).reshape(12, 5)
    assert len({*made[:, 0]} - {PROGRAM}) == 2
    assert PROGRAM not in made[:, 0]
    assert made[:, 1].tolist() == [*range(12)]
    assert made[:, 2].tolist() == [0, 1, 2, 3] * 3
    assert made[:, 3].tolist() == [0] * 4 + [1] * 4 + [2] * 4


def test_workers_wait_for_no_acknowledgement(monkeypatch):
    """With Python 3.14 and on macOS, multiprocessing's functions do, and take the next task for it."""
    monkeypatch.setattr(reduction, "ACKNOWLEDGE", True, raising=False)
    made = np.array(rows(of(place, batch=False), 3)).reshape(12, 5)
    assert made[:, 1].tolist() == [*range(12)]


@pytest.mark.parametrize("workers", [1, 3, 7])
@pytest.mark.parametrize("depth", [None, 1, 5])
def test_any_number_of_workers_and_depth_gives_the_same(workers, depth):
    made = rows(of(lambda info: np.array([info.idx_in_epoch]), workers, 5, batch=False, prefetch_queue_depth=depth), 4)
    assert np.ravel(made).tolist() == [*range(20)]


def test_batches_are_made_whole():
    def source(number: int) -> Any:
        return np.full((4, 2), number)

    assert rows(of(source), 3) == [[[k, k]] * 4 for k in range(3)]
    infos = of(lambda info: [np.array([info.iteration, info.epoch_idx])] * 4, batch_info=True)
    assert rows(infos, 3) == [[[k, 0]] * 4 for k in range(3)]


def test_samples_may_differ_in_size_and_outputs_in_type():
    def source(info: Any) -> Any:
        n = info.idx_in_epoch
        return np.full((n, 2), n, np.float32), np.uint8(n) * np.ones((), np.uint8)

    runs = of(source, batch=False, num_outputs=2, bytes_per_sample_hint=[1, 1])
    for iteration in range(6):  # what is needed outgrows every block
        floats, bytes_ = runs.run()
        expected = [*range(iteration * 4, iteration * 4 + 4)]
        assert floats.shape() == [(n, 2) for n in expected]
        assert [int(np.asarray(each).sum()) for each in floats] == [2 * n * n for n in expected]
        assert np.ravel(bytes_.as_array()).tolist() == expected
    statistics = runs.external_source_shm_statistics()
    assert min(statistics["capacities"]) > 0
    assert len(statistics["capacities"]) == len(statistics["per_sample_capacities"])


def ending(end: int) -> Callable[[Any], Any]:
    def source(info: Any) -> Any:
        if info.idx_in_epoch >= end:
            raise StopIteration
        return np.array([info.epoch_idx, info.idx_in_epoch])

    return source


def test_an_epoch_ends_and_the_next_one_begins():
    made = [each if each == "end" else each[0] for each in rows(of(ending(9), batch=False), 7)]
    assert made == [[0, 0], [0, 4], "end", [1, 0], [1, 4], "end", [2, 0]]


def test_a_restored_pipeline_goes_on_where_it_was():
    def made(**options: Any) -> Any:
        return of(ending(8), batch=False, name="source", options={"enable_checkpointing": True, **options})

    runs = made()
    whole = rows(made(), 8)
    assert rows(runs, 4) == whole[:4]
    assert rows(made(checkpoint=runs.checkpoint()), 4) == whole[4:]


class Iterable:
    def __iter__(self) -> Iterator[Any]:
        return generator()


def generator() -> Iterator[Any]:
    for k in range(3):
        yield [np.array([k, os.getpid() != PROGRAM])] * 4


@pytest.mark.parametrize("source", [Iterable(), generator], ids=["iterable", "generator function"])
@pytest.mark.parametrize("depth", [1, 4])
@pytest.mark.parametrize(
    ("cycle", "expected"),
    [("raise", [0, 1, 2, "end"] * 2), ("quiet", [0, 1, 2, 0, 1, 2, 0, 1]), (None, [0, 1, 2, *["end"] * 5])],
)
def test_an_iterable_lives_in_one_worker(source, depth, cycle, expected):
    made = rows(of(source, cycle=cycle, prefetch_queue_depth=depth), 8)
    assert [each if each == "end" else each[0][0] for each in made] == expected
    assert all(each == "end" or each[0][1] for each in made)


def test_items_that_an_iterable_gave_for_iterations_that_never_were_come_in_the_next_epoch():
    def endless() -> Iterator[Any]:
        k = 0
        while True:
            yield [np.array([k])] * 4
            k += 1

    def define() -> Any:
        short = fn.external_source([[np.array([k])] * 4 for k in range(2)], cycle="raise")
        return fn.external_source(endless, parallel=True, prefetch_queue_depth=3), short

    runs = pipeline_def(define, batch_size=4, num_threads=1, device_id=None, py_num_workers=1)()
    assert [each if each == "end" else each[0] for each in rows(runs, 8)] == [
        [0], [1], "end", [2], [3], "end", [4], [5]
    ]  # fmt: skip


def test_what_a_source_raises_is_told_with_its_lines_and_the_next_iteration_goes_on():
    def source(info: Any) -> Any:
        if info.idx_in_epoch == 5:
            raise KeyError("no sample 5")
        return np.array([info.idx_in_epoch])

    runs = of(source, batch=False)
    assert np.ravel(rows(runs, 1)).tolist() == [0, 1, 2, 3]
    with pytest.raises(KeyError, match="no sample 5") as raised:
        runs.run()
    notes = told(raised.value)
    assert "in worker process" in notes
    assert 'raise KeyError("no sample 5")' in notes
    assert "external_source" in notes
    assert np.ravel(rows(runs, 1)).tolist() == [8, 9, 10, 11]


def test_an_error_that_cannot_be_pickled_is_told_as_text():
    class OddError(Exception):
        def __reduce__(self) -> Any:
            raise TypeError("stays here")

    def source(info: Any) -> Any:
        raise OddError("something odd")

    with pytest.raises(RuntimeError, match="something odd"):
        of(source, batch=False).run()


def test_an_error_whose_class_only_the_worker_knows_is_told_as_text():
    def source(info: Any) -> Any:
        class OwnError(Exception): ...

        OwnError.__qualname__ = "OwnError"
        setattr(sys.modules[OwnError.__module__], "OwnError", OwnError)  # noqa: B010
        raise OwnError("something odd")

    with pytest.raises(RuntimeError, match="something odd"):
        of(source, batch=False).run()


@pytest.mark.parametrize("end", [lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: os._exit(3)])
def test_a_worker_that_dies_is_named(end):
    def source(info: Any) -> Any:
        if info.idx_in_epoch == 5:
            end()
        return np.array([info.idx_in_epoch])

    runs = of(source, batch=False)
    assert np.ravel(rows(runs, 1)).tolist() == [0, 1, 2, 3]
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"worker process \d+,.*(SIGKILL|exit code 3)"):
            runs.run()


def test_processes_end_with_the_pipeline():
    before = threading.enumerate()
    runs = of(place, 3, batch=False)
    runs.start_py_workers()
    started = {each.pid for each in active_children() if each.name.startswith("penstock-source")}
    assert len(started) >= 3
    runs.run()
    mine = {int(row[0]) for row in runs.run()[0].as_array()}
    (ahead,) = (each for each in threading.enumerate() if each.name == "penstock-pipeline" and each not in before)
    processes = [each for each in active_children() if each.pid in mine]
    assert len(processes) == len(mine)
    del runs
    collect_until_ended([ahead, *processes])


def test_what_cannot_be_called_in_a_worker_is_refused():
    with pytest.raises(TypeError, match=r"must accept exactly one argument.*does not accept arguments"):
        fn.external_source(lambda: 0, parallel=True)
    with pytest.raises(TypeError, match="Parallel external source with a generator function must be run in a batch"):
        fn.external_source(generator, parallel=True, batch=False)
    with pytest.raises(ValueError, match="needs a `source`"):
        fn.external_source(parallel=True)
    with pytest.raises(RuntimeError, match="`py_num_workers` was set to `0`"):
        of(place, 0, batch=False).run()
    with pytest.raises(ValueError, match="should not be set when 'fork' start method is used"):
        of(place, batch=False, options={"py_callback_pickler": pickle}).run()


SPAWNED = """
import os, pickle, sys
import numpy as np
from penstock import fn, pipeline_def

class Chosen:
    loaded = 0
    @staticmethod
    def dumps(source, protocol=None):
        return pickle.dumps([protocol, source.__name__])
    @staticmethod
    def loads(written, mark=0):
        protocol, name = pickle.loads(written)
        return lambda info: np.array([info.idx_in_epoch, protocol, mark, os.getpid()])

def listed(info):
    return np.array([info.idx_in_epoch, 0, 0, os.getpid()])

def made(source, pickler=None):
    @pipeline_def(batch_size=2, num_threads=1, device_id=None, py_num_workers=2, py_start_method="spawn",
                  py_callback_pickler=pickler)
    def run():
        return fn.external_source(source, parallel=True, batch=False)
    return run().run()[0].as_array()

if __name__ == "__main__":
    offset = 10
    for source, pickler in ((listed, None), (lambda info: np.array([info.idx_in_epoch, offset, 0, os.getpid()]), None),
                            (listed, (Chosen, {"protocol": 3}, {"mark": 4}))):
        array = made(source, pickler)
        assert os.getpid() not in array[:, 3]
        print(array[:, :3].tolist())
    try:
        made(listed, 5)
    except ValueError as error:
        print(str(error)[:43])
"""


def test_a_worker_ends_quietly_where_the_program_no_longer_listens():
    ours, theirs = Pipe()
    worker = get_context("spawn").Process(target=work, args=(theirs, [], None, 1))
    worker.start()
    ours.close()
    theirs.close()
    worker.join()
    assert worker.exitcode == 0


def test_spawned_workers_get_the_source_pickled(tmp_path):
    script = tmp_path / "spawned.py"
    script.write_text(SPAWNED)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "[[0, 0, 0], [1, 0, 0]]", "[[0, 10, 0], [1, 10, 0]]", "[[0, 3, 4], [1, 3, 4]]",
        "Unsupported py_callback_pickler value provi",
    ]  # fmt: skip


FORKED = """
import os
import signal
import numpy as np
from penstock import fn, pipeline_def

signal.signal(signal.SIGTERM, lambda *_: print("the program's own", flush=True))
p = pipeline_def(lambda: fn.external_source(source, parallel=True, batch=False),
                 batch_size=2, num_threads=1, device_id=None, py_num_workers=2, prefetch_queue_depth=1)

def source(info):
    if info.iteration == 9:
        os.kill(os.getpid(), signal.SIGTERM)
    return np.array([info.iteration])

runs = p()
for _ in range(3):
    runs.run()
child = os.fork()
if not child:
    try:
        while True:
            runs.run()
    except RuntimeError as error:
        print(error, flush=True)
    os._exit(0)
os.waitpid(child, 0)
print([runs.run()[0].as_array().tolist() for _ in range(4)])
try:
    while True:
        runs.run()
except RuntimeError as error:
    print(error)
"""


def test_forked_processes_leave_workers_alone_and_workers_do_nothing_of_the_programs(tmp_path):
    script = tmp_path / "forked.py"
    script.write_text(FORKED)
    command = [sys.executable, "-W", "ignore::DeprecationWarning", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    in_child, in_program, ended = done.stdout.splitlines()
    assert "build the pipeline after the fork" in in_child
    assert in_program == str([[[k]] * 2 for k in range(3, 7)])
    assert "SIGTERM" in ended


MESSAGES = [Connection._send_bytes, Connection._recv_bytes, Connection._send, Connection._recv]


def test_an_interrupted_fetch_is_done_again_or_tells_that_a_message_was_cut():
    cut = 0

    def run(interrupts: Interrupts, at: int) -> None:
        nonlocal cut
        gc.collect()  # the one before ends now, where nothing is interrupted
        runs = of(lambda info: np.array([info.idx_in_epoch]), 1, 2, batch=False, prefetch_queue_depth=2)
        runs.build()
        (definition,) = runs._lowered.sources

        def fetch(number: int) -> Any:
            batch = definition.what.fetch(number)
            if batch.error is not None:
                raise batch.error
            return batch

        fetch(0)
        with interrupts.striking(at):
            fetch(1)
        try:
            assert [arrays_of(fetch(k).outputs[0]) for k in (1, 2, 3)] == [[[2], [3]], [[4], [5]], [[6], [7]]]
        except RuntimeError as error:
            assert "was interrupted; build the pipeline again" in str(error)  # noqa: PT017
            cut += 1

    places = everywhere([*functions_of(pool.Workers, pool._WorkerProcess, source), *MESSAGES], run)
    assert 0 < cut < places


def test_nothing_is_left_when_the_program_is_killed(tmp_path):
    script = tmp_path / "killed.py"
    script.write_text(
        "import os, signal\nfrom multiprocessing import active_children\nimport numpy as np\n"
        "from penstock import fn, pipeline_def\n"
        "p = pipeline_def(lambda: fn.external_source(lambda i: np.zeros(9), parallel=True, batch=False),\n"
        "                 batch_size=2, num_threads=1, device_id=None, py_num_workers=2)()\n"
        "p.run()\nprint(*(each.pid for each in active_children()), flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    # The workers hold the other end of this pipe: it ends when they do.
    done = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, text=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(done.stdout.split()) == 2
