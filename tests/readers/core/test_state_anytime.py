"""The state of a running reader, from any thread, and how little it takes."""

from __future__ import annotations

import base64
import json
import threading
from itertools import islice
from typing import Any

import numpy as np
import pytest

from penstock._native import Samples
from penstock.readers import Reader, reshard
from penstock.readers.core.order import Indices

LARGE = 300_000


class Gated(Reader):
    """Samples that are their own index; every read after the first `free` ones waits for the gate."""

    def __init__(self, size: int = 10, free: int | None = None, **options: Any) -> None:
        super().__init__(enable_checkpointing=True, **options)
        self.size, self.free = size, free
        self.waiting, self.gate = threading.Event(), threading.Event()

    def _open_source(self) -> Gated:
        return self

    def __len__(self) -> int:
        return self.size

    def read(self, indices: Indices) -> tuple[Samples, ...]:  # type: ignore[override]
        if self.free is not None:
            self.free -= 1
            if self.free < 0:
                self.waiting.set()
                assert self.gate.wait(timeout=60)
        return (Samples.wrap(np.asarray(indices)),)


def state_after(reader: Reader, steps: int, batch_size: int = 2) -> str:
    assert len(list(islice(reader.next_epoch(batch_size=batch_size), steps))) == steps
    return str(reader.get_state())


def test_a_state_is_taken_while_the_program_waits_for_a_batch():
    reader = Gated(free=2)
    epoch = reader.next_epoch(batch_size=2)
    next(epoch)
    before = str(reader.get_state())
    next(epoch)
    behind = str(reader.get_state())
    waits = threading.Thread(target=lambda: next(epoch), daemon=True)
    waits.start()
    assert reader.waiting.wait(timeout=60)
    assert str(reader.get_state()) == behind != before
    reader.gate.set()
    waits.join()
    assert str(reader.get_state()) != behind


@pytest.mark.parametrize("options", [{"num_shards": 3}, {"random_shuffle": True, "prefetch_queue_depth": 4}])
def test_another_thread_sees_only_states_between_two_batches(options):
    reader = Gated(size=7, **options)
    list(reader.next_epoch(batch_size=2))
    states, taken, over = {str(reader.get_state())}, set(), threading.Event()

    def take() -> None:
        while not over.is_set():
            taken.add(str(reader.get_state()))

    watcher = threading.Thread(target=take, daemon=True)
    watcher.start()
    for _ in range(60):
        states |= {str(reader.get_state()) for _ in reader.next_epoch(batch_size=2)}
    over.set()
    watcher.join()
    assert taken
    assert taken <= states


@pytest.mark.parametrize(
    "options", [{}, {"random_shuffle": True}, {"shuffle_after_epoch": True}, {"sampler": range(LARGE)}]
)
def test_a_state_is_small_json_whatever_the_size_of_the_data_set(options):
    state = state_after(Gated(size=LARGE, **options), 3)
    assert json.loads(base64.b64decode(state))["size"] == LARGE
    assert len(state) < 600


def test_states_of_rests_stay_small_however_often_they_are_made():
    readers, sizes = [Gated(size=LARGE, num_shards=8, shard_id=shard) for shard in range(8)], []
    for _ in range(4):
        state = reshard([state_after(reader, 3) for reader in readers])
        sizes.append(len(str(state)))
        readers = [Gated(size=LARGE, num_shards=8, shard_id=shard) for shard in range(8)]
        for reader in readers:
            reader.set_state(state)
    assert sizes[0] < 900
    assert sizes[-1] < 4 * 1200
    assert len(state_after(readers[0], 1)) < sizes[-1] + 700


def test_the_rest_of_an_epoch_is_forgotten_once_it_is_over():
    reader = Gated(size=6)
    reader.set_state(reshard([state_after(Gated(size=6), 1)]))
    assert len(state_after(reader, 2)) > 600
    assert len(state_after(reader, 3)) > 600
    assert len(state_after(reader, 1)) < 600


def test_epochs_are_counted_as_their_last_batch_is_handed_out():
    reader = Gated(size=5)
    assert reader.epoch == 0
    assert [reader.epoch for _ in range(2) for _ in reader.next_epoch(batch_size=2)] == [0, 0, 1, 1, 1, 2]
    resumed = Gated(size=5)
    resumed.set_state(reader.get_state())
    assert resumed.epoch == 2
    assert [resumed.epoch for _ in resumed.next_epoch(batch_size=2)] == [2, 2, 3]


def test_a_rest_counts_on_from_the_epoch_it_is_of():
    def rest(steps: int) -> Gated:
        before = Gated(size=6)
        list(before.next_epoch(batch_size=2))
        reader = Gated(size=6)
        reader.set_state(reshard([state_after(before, steps)]))
        return reader

    assert [rest(1).epoch, rest(3).epoch] == [1, 2]


def test_states_that_cannot_be_shared_out_are_refused():
    with pytest.raises(ValueError, match="states of all shards are needed, got none"):
        reshard([])
    with pytest.raises(RuntimeError, match="the order of a sampler is its own"):
        reshard([state_after(Gated(sampler=[1, 2, 3, 4]), 1)])
    gone_on = []
    for shard, steps in enumerate((1, 2)):
        states = [state_after(Gated(num_shards=2), 1), state_after(Gated(num_shards=2, shard_id=1), steps)]
        gone_on.append(Gated(num_shards=2, shard_id=shard))
        gone_on[shard].set_state(reshard(states))
    with pytest.raises(RuntimeError, match="went on from different states"):
        reshard([state_after(reader, 1) for reader in gone_on])


@pytest.mark.parametrize("rest", [[], {"positions": []}, {"size": 3, "options": {}, "positions": [[0, 0, 1]]}, 5])
def test_a_rest_that_cannot_be_is_refused_at_the_first_step(rest):
    reader = Gated()
    reader.set_state(base64.b64encode(json.dumps({"version": 1, "rest": rest}).encode()))
    with pytest.raises(RuntimeError, match="was not saved by this release"):
        next(reader.next_epoch())


def test_a_sampler_belongs_to_its_state():
    reader = Gated()
    reader.set_state(state_after(Gated(sampler=[1, 2, 3, 4]), 1))
    with pytest.raises(RuntimeError, match="must both have a sampler, or neither"):
        next(reader.next_epoch())
