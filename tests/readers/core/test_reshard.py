"""Going on with another number of shards: what is left of the epoch comes once, and only once."""

from __future__ import annotations

import base64
import json
from collections import Counter
from dataclasses import fields
from itertools import islice
from math import ceil
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock._native import Samples
from penstock.readers import Reader, reshard
from penstock.readers.core.order import Indices, OrderOptions, UnfinishedVisit
from penstock.readers.core.shards import Shards
from penstock.readers.core.state import load, payload_of, save
from readers.promises import check_resume, values


class Counting(Reader):
    """Samples that are their own index."""

    def __init__(self, size: int, **options: Any) -> None:
        super().__init__(enable_checkpointing=True, **options)
        self.size = size

    def _open_source(self) -> Counting:
        return self

    def __len__(self) -> int:
        return self.size

    def read(self, indices: Indices) -> tuple[Samples, ...]:  # type: ignore[override]
        return (Samples.wrap(np.asarray(indices)),)


def shards(size: int, count: int, **options: Any) -> list[Counting]:
    return [Counting(size, num_shards=count, shard_id=k, **options) for k in range(count)]


def run(readers: list[Counting], batch_size: int, steps: int | None = None) -> list[int]:
    """What the readers hand out in `steps` steps each, or in their whole epoch."""
    handed = []
    for reader in readers:
        for (batch,) in islice(reader.next_epoch(batch_size=batch_size), steps):
            handed += values(batch)
    return handed


def resumed(old: list[Counting], count: int, **options: Any) -> list[Counting]:
    state = reshard([str(reader.get_state()) for reader in old])
    new = shards(old[0].size, count, **options)
    for reader in new:
        reader.set_state(str(state))
    return new


def test_three_shards_go_on_with_what_two_have_left():
    old = shards(12, 2)
    assert run(old, 2, steps=1) == [0, 1, 6, 7]
    new = resumed(old, 3)
    assert [run([reader], 1) for reader in new] == [[2, 3], [4, 5, 8], [9, 10, 11]]
    assert sorted(run(new, 1)) == list(range(12))


def test_one_reader_goes_on_with_another_batch_size_and_only_the_rest():
    old = shards(10, 1)
    assert run(old, 3, steps=1) == [0, 1, 2]
    new = resumed(old, 1)
    assert [values(batch) for (batch,) in new[0].next_epoch(batch_size=7)] == [[3, 4, 5, 6, 7, 8, 9]]
    assert run(new, 7) == [*range(10), 0, 1, 2, 3]


@st.composite
def runs(draw: st.DrawFn) -> dict[str, Any]:
    before, after = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    size = draw(st.integers(4, 25))
    order = draw(
        st.sampled_from([{}, {"random_shuffle": True, "initial_fill": 5, "seed": 3}, {"shuffle_after_epoch": True}])
    )
    if "shuffle_after_epoch" not in order:
        order = {**order, "stick_to_shard": draw(st.booleans())}
    return {
        "size": size, "before": before, "after": after, "order": order, "batch": draw(st.integers(1, 4)),
        "steps": draw(st.integers(1, 12)), "new_batch": draw(st.integers(1, 4)),
    }  # fmt: skip


@settings(max_examples=70, deadline=None)
@given(runs())
def test_nothing_is_lost_or_doubled_padded(drawn):
    size, order = drawn["size"], {**drawn["order"], "pad_last_batch": True}
    old = shards(size, drawn["before"], **order)
    per_epoch = ceil(ceil(size / drawn["before"]) / drawn["batch"])
    steps = min(drawn["steps"], per_epoch)
    seen = set(run(old, drawn["batch"], steps))
    new = resumed(old, drawn["after"], **order)
    if steps < per_epoch:
        rest = run(new, drawn["new_batch"])
        assert set(rest) | seen == set(range(size))
        lengths = {len(run([reader], drawn["new_batch"])) for reader in new}
        assert len(lengths) == 1, "padded shards have equally many batches"
    else:
        assert set(run(new, drawn["new_batch"])) == set(range(size))


@settings(max_examples=70, deadline=None)
@given(runs())
def test_nothing_is_lost_or_doubled_one_by_one(drawn):
    size, order = drawn["size"], drawn["order"]
    old = shards(size, drawn["before"], **order)
    steps = min(drawn["steps"], size // drawn["before"])
    seen = run(old, 1, steps)
    new = resumed(old, drawn["after"], **order)
    whole = steps == size // drawn["before"] and size % drawn["before"] == 0
    if not whole:
        seen += [sample for reader in new for sample in run([reader], 1)]
        assert Counter(seen) == Counter(range(size))
    assert sorted(run(new, 1)) == list(range(size))


@settings(max_examples=70, deadline=None)
@given(runs())
def test_two_epochs_cover_the_data_set_twice_whatever_was_handed_out_ahead(drawn):
    size, order = drawn["size"], drawn["order"]
    shard = size // drawn["before"]
    old = shards(size, drawn["before"], **order)
    batch = min(drawn["batch"], shard)
    seen = run(old, batch, min(drawn["steps"], ceil(shard / batch)))
    new = resumed(old, drawn["after"], **order)
    while len(seen) < 2 * size:
        seen += run(new, 1)
    assert Counter(seen) == Counter([*range(size)] * 2)


def test_what_was_handed_out_ahead_of_the_next_epoch_does_not_come_again():
    old = shards(5, 2, stick_to_shard=True)
    assert run([old[0]], 3, steps=1) == [0, 1, 0]
    assert run([old[1]], 2, steps=1) == [2, 3]
    new = resumed(old, 1, stick_to_shard=True)
    assert run(new, 1) == [4]
    assert run(new, 1) == [1, 2, 3, 4]
    assert run(new, 1) == [0, 1, 2, 3, 4]


def test_a_reshard_may_be_resharded():
    old = shards(20, 2)
    seen = run(old, 2, steps=2)
    middle = resumed(old, 3)
    seen += run(middle, 1, steps=2)
    new = resumed(middle, 2)
    seen += run(new, 1)
    assert sorted(seen) == list(range(20))
    assert sorted(run(new, 1)) == list(range(20))


def test_readers_of_a_rest_resume_exactly():
    old = shards(12, 2, random_shuffle=True)
    run(old, 2, steps=1)
    check_resume(lambda: resumed(old, 1, random_shuffle=True)[0], batch_size=3)


def test_states_that_do_not_belong_together_are_refused():
    old = shards(12, 3)
    run(old, 1, steps=1)
    states = [reader.get_state() for reader in old]
    with pytest.raises(RuntimeError, match="the states of all 3 shards are needed, got those of 0, 2"):
        reshard([states[0], states[2]])
    other = shards(13, 3)
    run(other, 1, steps=1)
    with pytest.raises(RuntimeError, match="saved with number of samples=13, this reader has 12"):
        reshard([*states[:2], other[2].get_state()])
    ahead = Counting(12, num_shards=3, shard_id=0)
    for _ in range(3):
        run([ahead], 4, steps=1)
    with pytest.raises(RuntimeError, match="more than an epoch apart"):
        reshard([ahead.get_state(), *states[1:]])
    new = Counting(12, num_shards=2)
    new.set_state(states[0])
    with pytest.raises(RuntimeError, match="saved with num_shards=3, this reader has 2; `reshard` the states"):
        run([new], 1)


def billion(shards: int, shard: int = 0, **more: Any) -> OrderOptions:
    return OrderOptions(num_shards=shards, shard_id=shard, random_shuffle=True, shuffles_listing=False, **more)


def states_of_all(shards: int) -> list[str]:
    """The states of shards of a billion samples in the middle of an epoch, after as many steps."""
    first = Shards(10**9, billion(shards)).first
    states = []
    for shard in range(shards):
        options = {field.name: getattr(billion(shards, shard), field.name) for field in fields(OrderOptions)}
        position = first._replace(offset=10**9 // shards // 2)
        saved = {"version": 1, "size": 10**9, "epoch": 0, "position": position, "options": options}
        states.append(base64.b64encode(json.dumps(saved).encode()).decode())
    return states


def test_a_restart_lays_out_only_the_shards_that_its_part_is_of(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[int] = []
    left = UnfinishedVisit.left

    def noted(visit: UnfinishedVisit) -> Any:
        laid_out.append(visit.visits.options.shard_id)
        return left(visit)

    monkeypatch.setattr(UnfinishedVisit, "left", noted)
    state = payload_of(reshard(states_of_all(5000)))
    order = load(state, 10**9, billion(4000, 1001), None).order
    assert laid_out == [1251, 1252]
    assert len(order.take(10**6)) == 10**6
    assert len(state) + len(save(order, 0, order.position, 1)) < 1000


def test_states_with_a_position_for_each_shard_still_load() -> None:
    newer = payload_of(reshard(states_of_all(1000)))
    state = json.loads(newer)
    [[visit, offset, generator, count]] = state["rest"]["positions"]
    assert count == 1000
    state["rest"]["positions"] = [[visit, offset, generator]] * count
    one, other = (load(each, 10**9, billion(700, 3), None).order for each in (newer, json.dumps(state).encode()))
    assert one.take(9).tolist() == other.take(9).tolist()
    state["rest"]["positions"] = [[visit, offset, generator, 1 << 60]]
    with pytest.raises(RuntimeError, match="was not saved by this release"):
        load(json.dumps(state).encode(), 10**9, billion(700, 3), None)
