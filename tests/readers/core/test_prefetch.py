"""The thread that reads ahead: bounded, honest about errors, and gone when nobody needs it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock._native import Samples
from penstock.readers import Reader
from penstock.readers.core.order import Indices
from readers.promises import numbered_files


class Counting(Reader):
    """Samples that are their own index; `reads` is released once for each batch read."""

    def __init__(self, *arguments: Any, fail_on: int | None = None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.reads = threading.Semaphore(0)
        self.fail_on = fail_on

    def _open_source(self) -> CountingSource:
        return CountingSource(self.reads, self.fail_on)


class CountingSource:
    def __init__(self, reads: threading.Semaphore, fail_on: int | None) -> None:
        self.reads = reads
        self.fail_on = fail_on

    def __len__(self) -> int:
        return 10

    def read(self, indices: Indices) -> tuple[Samples, ...]:
        self.reads.release()
        if self.fail_on in indices:
            raise KeyError(self.fail_on)
        return (Samples.wrap(indices.astype(np.int32)),)


def fetcher(reader: Reader) -> threading.Thread:
    return reader._prefetcher._ahead.thread  # type: ignore[union-attr]


@pytest.mark.parametrize("depth", [1, 3])
def test_as_many_batches_are_read_ahead_as_asked_for(depth):
    reader = Counting(prefetch_queue_depth=depth)
    next(reader.next_epoch(batch_size=2))
    for _ in range(1 + depth):
        assert reader.reads.acquire(timeout=60)
    ahead = reader._prefetcher._ahead  # type: ignore[union-attr]
    assert ahead.look(depth, 0) is not None
    assert not reader.reads.acquire(blocking=False)


def test_a_call_of_a_reader_with_one_output_gives_it_bare():
    assert Counting()().array().tolist() == [0]
    assert next(Counting().next_epoch())[0].array().tolist() == [0]


def test_an_error_comes_with_its_batch_and_reading_goes_on():
    reader = Counting(fail_on=3, prefetch_queue_depth=4)
    assert [reader(batch_size=2).array().tolist()] == [[0, 1]]
    with pytest.raises(KeyError, match="3"):
        reader(batch_size=2)
    assert reader(batch_size=2).array().tolist() == [4, 5]


@pytest.mark.parametrize("leave", ["in the middle", "at the end"])
def test_dropping_a_reader_ends_its_thread(leave):
    reader = Counting(prefetch_queue_depth=2)
    epoch = reader.next_epoch(batch_size=2)
    for _ in epoch:
        if leave == "in the middle":
            break
    thread = fetcher(reader)
    assert thread.is_alive()
    del reader, epoch
    thread.join(timeout=60)
    assert not thread.is_alive()


def test_an_abandoned_iterator_leaves_the_reader_working():
    reader = Counting()
    del_me = reader.next_epoch(batch_size=2)
    next(del_me)
    del del_me
    with pytest.warns(UserWarning, match="continues where it stands"):
        assert next(reader.next_epoch(batch_size=2))[0].array().tolist() == [2, 3]


def run(script: str, *arguments: str) -> str:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-W", "ignore", "-c", script, *arguments]
    return subprocess.run(command, env=environment, timeout=120, check=True, capture_output=True, text=True).stdout


READ = """
import os, sys
from penstock.readers import File
from readers.promises import numbers
reader = File(file_root=sys.argv[1], random_shuffle=True, prefetch_queue_depth=3)
epoch = reader.next_epoch(batch_size=2)
print(numbers(next(epoch)), flush=True)
"""


def test_a_running_reader_does_not_keep_the_interpreter_up(tmp_path: Path):
    assert run(READ, numbered_files(tmp_path, 7)).startswith("[")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_reads_on_as_its_parent_does(tmp_path: Path):
    script = READ + "child = os.fork()\nif child: os.waitpid(child, 0)\nprint(numbers(next(epoch)), flush=True)"
    _, of_child, of_parent = run(script, numbered_files(tmp_path, 7)).splitlines()
    assert of_child == of_parent
