"""Every reader goes on exactly where it stood: alone, with other shards, and past samples that cannot be read."""

from __future__ import annotations

import zlib
from collections import Counter
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock._native import Samples
from penstock.readers import reshard
from penstock.readers.core.order import Indices
from penstock.readers.core.sample_source import UnreadableError
from penstock.storage import Names, Storage
from readers.every_reader import EVERY, MOST, NOT_BY_PARTS, indices_of, plain_reader
from readers.promises import check_resume

SHUFFLES: list[dict[str, Any]] = [{}, {"random_shuffle": True, "initial_fill": 4}, {"shuffle_after_epoch": True}]
SHARDS: list[dict[str, Any]] = [{}, {"shard_id": 1, "num_shards": 3}, {"num_shards": 2, "pad_last_batch": True}]

every_reader = pytest.mark.parametrize("name", EVERY)


@every_reader
@pytest.mark.parametrize("sharding", SHARDS)
@pytest.mark.parametrize("shuffle", SHUFFLES)
def test_a_reader_resumes_at_every_step_of_two_epochs(name, shuffle, sharding):
    check_resume(lambda: plain_reader(name, 5, enable_checkpointing=True, **shuffle, **sharding), batch_size=2)


@every_reader
@pytest.mark.parametrize("last_batch", ["partial", "drop", "pad"])
@pytest.mark.parametrize("sharding", SHARDS[:2])
def test_a_reader_resumes_at_every_step_of_exact_epochs(name, last_batch, sharding):
    options = {"random_shuffle": True, "initial_fill": 4, "enable_checkpointing": True, **sharding}
    check_resume(lambda: plain_reader(name, 8, **options), batch_size=2, last_batch=last_batch)


def handed_out(readers: list[Any], batch_size: int, steps: int | None = None) -> list[int]:
    batches = [batch for reader in readers for batch in islice(reader.next_epoch(batch_size=batch_size), steps)]
    return [index for batch in batches for index in indices_of(batch)]


@every_reader
@settings(max_examples=6, deadline=None)
@given(
    size=st.integers(4, MOST), before=st.integers(1, 3), after=st.integers(1, 3), steps=st.integers(1, 3),
    order=st.sampled_from([*SHUFFLES, {"stick_to_shard": True}]), padded=st.booleans(),
)  # fmt: skip
def test_other_shards_cover_exactly_the_rest_of_the_epoch(name, size, before, after, steps, order, padded):
    common = {**order, "pad_last_batch": padded, "enable_checkpointing": True}
    steps = min(steps, size // before)
    old = [plain_reader(name, size, num_shards=before, shard_id=number, **common) for number in range(before)]
    handed = handed_out(old, 1, steps)
    state = reshard([reader.get_state() for reader in old])
    new = [plain_reader(name, size, num_shards=after, shard_id=number, **common) for number in range(after)]
    for reader in new:
        reader.set_state(state)
    if len(set(handed)) < size:
        rest = handed_out(new, 1)
        assert not set(rest) & set(handed)
        handed += set(rest) if padded else rest
    assert Counter(handed) == Counter(range(size))
    assert set(handed_out(new, 1)) == set(range(size))


class Faulty(Storage):
    """Fails to read some parts of files, always the same ones, once it is told to."""

    fails = False

    def _read(self, root: str, names: Names, which: Indices, offsets: Any = None, *more: Any, **named: Any) -> Samples:
        starts = [0] * len(which) if offsets is None else offsets
        parts = [f"{names[file].rpartition('/')[2]} {start}" for file, start in zip(which, starts, strict=True)]
        bad = [at for at, part in enumerate(parts) if zlib.crc32(part.encode()) % 3 == 0]
        if bad and Faulty.fails:
            raise UnreadableError(dict.fromkeys(bad, "out of order"), {at: names[which[at]] for at in bad})
        return super()._read(root, names, which, offsets, *more, **named)


class Holed:
    """A source of which some samples cannot be read."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def __len__(self) -> int:
        return len(self.source)

    def read(self, indices: Indices) -> tuple[Samples, ...]:
        bad = [at for at, index in enumerate(indices) if index in (1, 4, 5, MOST - 1)]
        if bad:
            raise UnreadableError(dict.fromkeys(bad, "out of order"), {at: f"sample {indices[at]}" for at in bad})
        outputs: tuple[Samples, ...] = self.source.read(indices)
        return outputs


def damaged(name: str, **options: Any) -> Any:
    """A reader of MOST samples, opened before some of them could no longer be read."""
    reader = plain_reader(name, MOST, storage=Faulty(), **options)
    reader.get_metadata()
    if name in NOT_BY_PARTS:
        reader._source = Holed(reader._source)
    return reader


def can_be_read(reader: Any, index: int) -> bool:
    try:
        return bool(reader.read([index]))
    except UnreadableError:
        return False


@every_reader
@pytest.mark.parametrize("shuffle", SHUFFLES[:2])
def test_what_cannot_be_read_is_skipped_and_the_rest_resumes(name, shuffle, monkeypatch):
    options = {"on_error": "skip", "enable_checkpointing": True, **shuffle}
    reader = damaged(name, **options)
    spare = [damaged(name, **options) for _ in range(MOST + 1)]
    monkeypatch.setattr(Faulty, "fails", True)
    good = [index for index in range(MOST) if can_be_read(reader, index)]
    assert 1 < len(good) < MOST
    handed = [index for batch in reader.next_epoch() for index in indices_of(batch)]
    assert sorted(handed) == good
    assert {bad.index for bad in reader.errors} == set(range(MOST)) - set(good)
    assert all(bad.source and "out of order" in str(bad.error) for bad in reader.errors)
    check_resume(spare.pop, batch_size=2)
