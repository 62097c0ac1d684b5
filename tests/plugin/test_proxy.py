"""Pipelines in the place of the transforms of torch data sets."""

from __future__ import annotations

import gc
import inspect
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from penstock import Pipeline, fn, pipeline_def

torch = pytest.importorskip("torch")

from torch.utils.data import DataLoader as TorchLoader  # noqa: E402
from torch.utils.data import Dataset, default_collate  # noqa: E402

from penstock.plugin.pytorch.experimental import proxy  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:This DataLoader will create:UserWarning"),  # on machines with one core
]


@pytest.fixture(autouse=True)
def collected_by_this_thread() -> Iterator[None]:
    """An iterator of torch's that an error holds ends its workers as it is collected.

    In a thread of one of its queues, which holds the lock that this takes, it would wait for ever.
    """
    gc.disable()
    yield
    gc.enable()
    gc.collect()


@pipeline_def(batch_size=4, num_threads=1, device_id=None, seed=7)
def doubled() -> Any:
    return fn.external_source(name="number") * 2


@pipeline_def(batch_size=4, num_threads=1, device_id=None, seed=7)
def drawn() -> Any:
    return fn.external_source(name="number") + fn.random.uniform(range=[0.0, 0.5])


@pipeline_def(batch_size=4, num_threads=1, device_id=None)
def sum_and_difference() -> Any:
    a, b = fn.external_source(name="a"), fn.external_source(name="b")
    return a + b, a - b


class Numbers(Dataset):  # type: ignore[misc]
    """A number that a transform has been applied to, and itself."""

    def __init__(self, transform: Any, count: int = 10, bad: int | None = None) -> None:
        self.transform, self.count, self.bad = transform, count, bad

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, number: int) -> Any:
        if number == self.bad:
            raise ValueError(f"there is no {number}")
        return self.transform(np.float32([number])), number


def epoch(loader: Any) -> list[Any]:
    return [(made.ravel().tolist(), numbers.tolist()) for made, numbers in loader]


DOUBLED = [([0, 2, 4, 6], [0, 1, 2, 3]), ([8, 10, 12, 14], [4, 5, 6, 7]), ([16, 18], [8, 9])]


@pytest.mark.parametrize("deterministic", [False, True])
@pytest.mark.parametrize(("workers", "context"), [(0, None), (2, "fork"), (1, "spawn")])
def test_a_loader_hands_out_what_the_pipeline_made(deterministic: bool, workers: int, context: str | None) -> None:
    with proxy.DALIServer(doubled(), deterministic=deterministic) as server:
        loader = proxy.DataLoader(
            server, Numbers(server.proxy), batch_size=4, num_workers=workers, multiprocessing_context=context
        )
        assert len(loader) == 3
        assert [epoch(loader), epoch(loader)] == [DOUBLED, DOUBLED]


@pytest.mark.parametrize("workers", [0, 2])
def test_a_torch_loader_hands_out_references(workers: int) -> None:
    with proxy.DALIServer(doubled()) as server:
        loader = TorchLoader(Numbers(server.proxy), batch_size=4, num_workers=workers, drop_last=True)
        batches = [*loader]
        assert all(isinstance(made, proxy.DALIOutputBatchRef) for made, _ in batches)
        assert epoch(map(server.produce_data, batches)) == DOUBLED[:2]


def test_a_deterministic_server_draws_the_same_numbers_whatever_worker_is_first() -> None:
    def run(workers: int) -> list[Any]:
        with proxy.DALIServer(drawn(), deterministic=True) as server:
            return epoch(proxy.DataLoader(server, Numbers(server.proxy, 24), batch_size=4, num_workers=workers))

    assert run(0) == run(2) == run(2)


def test_inputs_have_the_names_of_the_sources() -> None:
    with proxy.DALIServer(sum_and_difference()) as server:
        assert str(inspect.signature(server.proxy)) == "(*, a, b)"
        made = [(i, *server.proxy(a=np.float32([i]), b=torch.ones(1))) for i in range(3)]
        numbers, added, taken = server.produce_data(default_collate(made))
        assert [numbers.tolist(), added.ravel().tolist(), taken.ravel().tolist()] == [[0, 1, 2], [1, 2, 3], [-1, 0, 1]]
        with pytest.raises(ValueError, match=r"Expected signature is: \(\*, a, b\)"):
            server.proxy(np.zeros(1), np.zeros(1))
        with pytest.raises(ValueError, match="missing a required argument: 'b'"):
            server.proxy(a=1)


class Pair(NamedTuple):
    made: Any
    other: Any


class Kept:
    def __init__(self, made: Any) -> None:
        self.made, self.itself = made, self


def test_references_are_found_wherever_they_are() -> None:
    with proxy.DALIServer(doubled()) as server:

        def batch(first: int) -> Any:
            return default_collate([server.proxy(np.float32([first + i])) for i in range(2)])

        early, late = batch(0), batch(10)
        kept, untouched = Kept([late]), [1, {"x": torch.zeros(1)}]
        assert server.produce_data(kept) is kept
        assert kept.made[0].ravel().tolist() == [20, 22]
        pair = server.produce_data(Pair({"x": early, "again": early}, untouched))
        assert isinstance(pair, Pair)
        assert [each.ravel().tolist() for each in pair.made.values()] == [[0, 2], [0, 2]]
        assert pair.other is untouched


def test_a_sample_may_call_the_proxy_more_than_once() -> None:
    with proxy.DALIServer(doubled()) as server:
        samples = [{"x": server.proxy(i), "y": [server.proxy(i + 10)]} for i in range(4)]
        made = server.produce_data(default_collate(samples))
        assert [made["x"].tolist(), made["y"][0].tolist()] == [[0, 2, 4, 6], [20, 22, 24, 26]]


def test_what_fails_in_the_pipeline_fails_in_the_loop() -> None:
    @pipeline_def(batch_size=4, num_threads=1, device_id=None)
    def reshaped() -> Any:
        return fn.reshape(fn.external_source(name="number"), shape=[3])

    with proxy.DALIServer(reshaped()) as server:
        loader = proxy.DataLoader(server, Numbers(server.proxy), batch_size=4, num_workers=1)
        with pytest.raises(RuntimeError, match=r"(?s)fn.reshape.*1 elements cannot take shape \[3\]"):
            next(iter(loader))


def test_what_fails_in_a_worker_fails_in_the_loop_and_the_next_epoch_is_whole() -> None:
    with proxy.DALIServer(doubled()) as server:
        bad = proxy.DataLoader(server, Numbers(server.proxy, bad=5), batch_size=4, num_workers=2)
        with pytest.raises(ValueError, match="there is no 5"):
            epoch(bad)
        assert epoch(proxy.DataLoader(server, Numbers(server.proxy), batch_size=4, num_workers=2)) == DOUBLED


def test_batches_of_a_loop_that_was_left_are_dropped() -> None:
    with proxy.DALIServer(doubled()) as server:
        loader = proxy.DataLoader(server, Numbers(server.proxy, 40), batch_size=4, num_workers=2)
        batches = iter(loader)
        next(batches)
        workers = {worker.pid for worker in batches._batches._workers}
        del batches
        assert workers <= server._service.left
        assert epoch(loader)[:3] == [*DOUBLED[:2], ([16, 18, 20, 22], [8, 9, 10, 11])]
        assert not server._service._done


def test_a_server_that_does_not_run_says_so() -> None:
    server = proxy.DALIServer(doubled())
    batch = default_collate([server.proxy(1)])
    with pytest.raises(RuntimeError, match="the DALIServer is not running"):
        server.produce_data(batch)
    with server:
        assert server.produce_data(batch).tolist() == [2]
        left = default_collate([server.proxy(1)])
    with pytest.raises(RuntimeError, match="the DALIServer is not running"):
        server.produce_data(left)


def test_a_server_that_was_stopped_amid_work_starts_again() -> None:
    server = proxy.DALIServer(doubled())
    for _ in range(3):
        with server:
            assert epoch(proxy.DataLoader(server, Numbers(server.proxy), batch_size=4)) == DOUBLED
            for _ in range(100):  # more than is done when it stops
                default_collate([server.proxy(1)])
        assert not server._service._done


FORKED = """
import os, sys

with server:
    child = os.fork()
    if not child:
        try:
            server.produce_data(torch_data.default_collate([server.proxy(1)]))
        except RuntimeError as error:
            print(error, flush=True)
        sys.exit()
    os.waitpid(child, 0)
    loader = proxy.DataLoader(server, Numbers(server.proxy), batch_size=4, num_workers=1)
    print(len([*loader]))
"""


def test_a_forked_process_neither_uses_the_server_nor_stops_it() -> None:
    program = LEFT_RUNNING.partition("batches =")[0] + "import torch.utils.data as torch_data\n" + FORKED
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    told, batches = done.stdout.splitlines()
    assert "make one after the fork" in told
    assert batches == "25", done.stderr


def test_a_loader_starts_the_server() -> None:
    server = proxy.DALIServer(doubled())
    assert epoch(proxy.DataLoader(server, Numbers(server.proxy), batch_size=4)) == DOUBLED
    server.stop_thread()
    assert not server._threads


def test_what_a_server_cannot_serve() -> None:
    with Pipeline(1, 1, None) as pipeline:
        pipeline.set_outputs(fn.ones(shape=[1]))
    with pytest.raises(RuntimeError, match="the pipeline has no inputs"):
        proxy.DALIServer(pipeline)
    with proxy.DALIServer(doubled()) as server:
        with pytest.raises(RuntimeError, match="a batch of 5, the pipeline takes 4 at most"):
            server.produce_data(default_collate([server.proxy(i) for i in range(5)]))
        ragged = default_collate([server.proxy(np.zeros(k)) for k in (1, 2)])
        with pytest.raises(RuntimeError, match="make no tensor, for their shapes differ"):
            server.produce_data(ragged)


LEFT_RUNNING = """
import numpy as np
from torch.utils.data import Dataset
from penstock import fn, pipeline_def
from penstock.plugin.pytorch.experimental import proxy

@pipeline_def(batch_size=4, num_threads=2, device_id=None)
def doubled():
    return fn.external_source(name="number") * 2

class Numbers(Dataset):
    def __init__(self, transform):
        self.transform = transform

    def __len__(self):
        return 100

    def __getitem__(self, number):
        return self.transform(np.float32([number]))

server = proxy.DALIServer(doubled())
batches = iter(proxy.DataLoader(server, Numbers(server.proxy), batch_size=4, num_workers=2))
print(next(batches).ravel().tolist())
"""


def test_a_program_may_end_while_the_server_runs() -> None:
    for _ in range(3):  # the server may be idle at that moment, or wait for the pipeline
        done = subprocess.run([sys.executable, "-c", LEFT_RUNNING], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout) == (0, "[0.0, 2.0, 4.0, 6.0]\n"), done.stderr
