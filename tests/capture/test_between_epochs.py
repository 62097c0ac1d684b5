"""A compiled loop makes the first steps of an epoch while the program is still between the epochs."""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from capture.loops import Pictures, arrays, running_loops


def working() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "penstock-compiled"]


def numbers_of(reader: Pictures, **options: Any) -> list[list[int]]:
    return [arrays([numbers + 0])[0].tolist() for _, numbers in reader.next_epoch(batch_size=3, **options)]


def test_it_goes_on_between_epochs_and_ends_with_the_reader():
    assert working() == []
    reader = Pictures()
    numbers_of(reader, compile=True)
    between = working()
    assert len(between) == 1
    numbers_of(reader, compile=True)
    assert working() == between
    del reader
    assert running_loops() == []


@pytest.mark.parametrize("bad", [(), (10, 11), (0, 9, 10, 11)])
def test_epochs_may_be_compiled_or_not(bad):
    def epochs(compiled: list[bool]) -> list[list[list[int]]]:
        reader = Pictures(bad=frozenset(bad), on_error="skip", random_shuffle=True, seed=3)
        return [numbers_of(reader, compile=each) for each in compiled]

    assert epochs([True, True, False, True, False, False, True]) == epochs([False] * 7)


def test_what_is_drawn_between_epochs_is_drawn_from_the_same_stream():
    def run(**options: Any) -> list[Any]:
        ndd.random.set_seed(7)
        reader, made = Pictures(), []
        for _ in range(5):
            made.append(np.asarray(ndd.random.uniform(range=[0, 1])).tolist())
            for pictures, _ in reader.next_epoch(batch_size=3, **options):
                made.append(arrays([ndd.random.uniform(batch_size=3), ndd.flip(pictures)])[0].tolist())
        return made

    assert run(compile=True) == run()


def test_another_context_is_used_from_its_epoch_on():
    reader = Pictures()
    seen = numbers_of(reader, compile=True)
    with ndd.EvalContext(num_threads=1) as other:
        assert numbers_of(reader, compile=True, ctx=other) == seen
    assert numbers_of(reader, compile=True) == seen


def test_another_thread_may_run_the_next_epoch():
    reader = Pictures()
    seen = numbers_of(reader, compile=True)
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.extend(numbers_of(reader, compile=True)))
    thread.start()
    thread.join()
    assert found == seen
    assert numbers_of(reader) == seen


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:os.fork")  # of JAX, where a test before this one has imported it
def test_a_forked_child_begins_the_next_epoch():
    reader = Pictures()
    seen = numbers_of(reader, compile=True)
    child = os.fork()
    if not child:
        os._exit(0 if numbers_of(reader, compile=True) == seen else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert numbers_of(reader, compile=True) == seen
