"""ndd.set_memory_limit."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock._native import Samples
from penstock.engine import memory_budget
from penstock.engine.lookahead import Lookahead

MEGABYTE = 1 << 20


@pytest.fixture(autouse=True)
def no_limit() -> Iterator[None]:
    yield
    ndd.set_memory_limit(None)


def test_a_limit_is_set_and_lifted() -> None:
    assert ndd.get_memory_limit() is None
    ndd.set_memory_limit(5)
    assert ndd.get_memory_limit() == 5
    ndd.set_memory_limit(None)
    assert ndd.get_memory_limit() is None


@pytest.mark.parametrize(("wrong", "error"), [(0, ValueError), (-1, ValueError), ("1G", TypeError), (True, TypeError)])
def test_what_is_no_limit_is_refused(wrong: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="memory limit"):
        ndd.set_memory_limit(wrong)


STATED = """
import penstock.dynamic as ndd
try:
    print(ndd.get_memory_limit())
except ValueError:
    print("ValueError")
"""


@pytest.mark.parametrize(("stated", "told"), [("1000", "1000"), ("", "None"), ("1G", "ValueError")])
def test_the_environment_states_it(stated: str, told: str) -> None:
    settings = os.environ | {"PENSTOCK_MEMORY_LIMIT": stated}
    done = subprocess.run([sys.executable, "-c", STATED], env=settings, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == told


def test_nothing_is_made_ahead_beyond_the_limit() -> None:
    """Without the limit all twenty would be made before the first is taken."""
    begun: list[tuple[int, int]] = []
    before = memory_budget._native.arena_use()[0]

    def make() -> Samples:
        begun.append((len(begun), memory_budget._native.arena_use()[0] - before))
        return Samples.empty(0, 1, [MEGABYTE])

    ndd.set_memory_limit(before + 4 * MEGABYTE)
    ahead = Lookahead(make, 20, "penstock-test")
    for number in range(20):
        made = ahead.look(number, 20)
        assert made is not None
        assert len(made) == 1
        del made
        ahead.drop(number + 1)
    ahead.stop()
    # The one being taken is counted until it is dropped.
    assert max(live for _, live in begun) <= 4 * MEGABYTE
    assert len(begun) >= 20


def test_what_is_awaited_is_made_however_small_the_limit() -> None:
    ndd.set_memory_limit(1)
    ahead = Lookahead(lambda: Samples.empty(0, 1, [MEGABYTE]), 3, "penstock-test")
    held = [ahead.look(number, 3) for number in range(8)]
    ahead.stop()
    assert len(held) == 8


def test_a_wrong_limit_of_the_environment_is_raised_where_a_reader_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.save(tmp_path / "one.npy", np.zeros(3))
    monkeypatch.setenv("PENSTOCK_MEMORY_LIMIT", "1G")
    memory_budget._stated.cache_clear()
    with pytest.raises(ValueError, match=r"PENSTOCK_MEMORY_LIMIT.*1G"):
        next(iter(ndd.readers.Numpy(file_root=tmp_path).next_epoch(batch_size=1)))
    monkeypatch.undo()
    memory_budget._stated.cache_clear()


def test_room_is_given_to_one_of_several_that_look_at_once() -> None:
    before = memory_budget.live_bytes()
    ndd.set_memory_limit(before + 5 * MEGABYTE)
    with memory_budget.room_for(3 * MEGABYTE) as first, memory_budget.room_for(3 * MEGABYTE) as second:
        assert (first, second) == (True, False)
    with memory_budget.room_for(3 * MEGABYTE) as again:
        assert again


def test_what_others_make_meanwhile_does_not_count_for_ever() -> None:
    """The first result seems to take eight times as much as it does; later ones are made ahead all the same."""
    held: list[Samples] = []
    begun = threading.Semaphore(0)

    def make() -> Samples:
        if not held:
            held.append(Samples.empty(0, 1, [8 * MEGABYTE]))
        begun.release()
        return Samples.empty(0, 1, [MEGABYTE])

    ndd.set_memory_limit(memory_budget.live_bytes() + 14 * MEGABYTE)
    ahead = Lookahead(make, 0, "penstock-test")
    for number in range(10):
        ahead.look(number, 0)
        ahead.drop(number + 1)
        assert begun.acquire(timeout=60)
    ahead.ask_for(12)  # nobody waits for these
    assert begun.acquire(timeout=60)
    assert begun.acquire(timeout=60)
    ahead.stop()


@pytest.mark.parametrize("limit", [1, 3 * MEGABYTE, 1 << 40])
def test_loops_at_once_end_while_the_limit_moves(tmp_path: Path, limit: int) -> None:
    for number in range(8):
        np.save(tmp_path / f"{number}.npy", np.full((256, 1024), number, np.float32))
    totals: list[float] = []

    def loop(compiled: bool) -> None:
        reader, total = ndd.readers.Numpy(file_root=tmp_path, prefetch_queue_depth=3), 0.0
        for step, (arrays,) in enumerate(reader.next_epoch(batch_size=2, compile=compiled)):
            ndd.set_memory_limit(None if step % 2 else limit)
            total += float(np.asarray(arrays * 2)[:, 0, 0].sum())
        totals.append(total)

    threads = [threading.Thread(target=loop, args=(number % 2 == 1,), daemon=True) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert totals == [56.0] * 4


@pytest.mark.memory
@pytest.mark.parametrize("compiled", [False, True])
def test_a_limited_loop_makes_the_same(tmp_path: Path, compiled: bool) -> None:
    for number in range(12):
        np.save(tmp_path / f"{number:02}.npy", np.full((256, 1024), number, np.float32))  # a megabyte each

    def loop() -> tuple[list[float], int]:
        reader = ndd.readers.Numpy(file_root=tmp_path, prefetch_queue_depth=8)
        before, most, sums = memory_budget._native.arena_use()[0], 0, []
        for _ in range(2):
            for [arrays] in reader.next_epoch(batch_size=2, compile=compiled):
                doubled = arrays * 2
                sums.append(float(np.asarray(doubled).sum()))
                most = max(most, memory_budget._native.arena_use()[0] - before)
        return sums, most

    expected, _ = loop()
    ndd.set_memory_limit(memory_budget._native.arena_use()[0] + 10 * MEGABYTE)
    sums, most = loop()
    assert sums == expected
    # What is ahead stays below the limit; the step that is made because the loop waits for it comes on top.
    assert most <= (10 + 2 * 4) * MEGABYTE


WEIGHED = """
import resource, sys
import numpy as np
import penstock.dynamic as ndd
folder, compiled, depth = sys.argv[1], sys.argv[2] == "True", int(sys.argv[3])
def loop(batch_size, epochs):
    reader = ndd.readers.Numpy(file_root=folder, prefetch_queue_depth=depth)
    for _ in range(epochs):
        for [arrays] in reader.next_epoch(batch_size=batch_size, compile=compiled):
            np.asarray(arrays * 2)
def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
loop(1, 1)
before = most()
loop(8, 6)
print(most() - before)
"""


@pytest.mark.memory
@pytest.mark.skipif(sys.platform != "linux", reason="maximum resident size in kilobytes")
@pytest.mark.parametrize(("compiled", "depth"), [(False, 1), (True, 1), (True, 4)])
def test_a_loop_takes_no_more_than_the_guide_says(tmp_path: Path, compiled: bool, depth: int) -> None:
    for number in range(40):
        np.save(tmp_path / f"{number:02}.npy", np.full((256, 1024), number, np.float32))
    command = [sys.executable, "-c", WEIGHED, str(tmp_path), str(compiled), str(depth)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    inputs = results = 8 * MEGABYTE
    if compiled:
        steps = max(depth, 2) + 2
        formula = steps * (inputs + results) + (depth + 1) * inputs
    else:
        formula = (depth + 2) * inputs + 2 * results
    mapped = 40 * MEGABYTE  # the files themselves, from the second epoch on
    assert int(done.stdout) <= 1.25 * formula + mapped + 16 * MEGABYTE


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_keeps_no_memory_for_batches_of_its_parent() -> None:
    ndd.set_memory_limit(1 << 40)
    with memory_budget.room_for(1 << 39) as fits, memory_budget._lock:
        child = os.fork()
        if child == 0:  # would wait for the lock, or find room for half of the limit only
            status = 1
            try:
                with memory_budget.room_for((1 << 40) - (1 << 30)) as room:
                    status = 0 if room else 2
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
    assert fits
    assert os.waitstatus_to_exitcode(status) == 0
