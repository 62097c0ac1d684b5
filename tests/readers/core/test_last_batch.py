"""`next_epoch(last_batch=...)`: epochs of exactly the samples of a shard, and how many batches they have."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from penstock.readers import File, reshard
from penstock.readers.core.order import LastBatch
from readers.promises import check_resume, numbered_files, numbers, values

POLICIES: list[LastBatch] = ["fill", "partial", "drop", "pad"]
SHARDS: list[dict[str, Any]] = [{}, {"stick_to_shard": True}, {"pad_last_batch": True}, {"shuffle_after_epoch": True}]

every_policy = pytest.mark.parametrize("last_batch", POLICIES)


@pytest.fixture
def seven(tmp_path):
    return numbered_files(tmp_path, 7)


def epochs(reader: Any, count: int, batch_size: int, last_batch: LastBatch) -> list[list[list[int]]]:
    return [[numbers(batch) for batch in reader.next_epoch(batch_size, last_batch=last_batch)] for _ in range(count)]


@pytest.mark.parametrize(
    ("last_batch", "expected"),
    [
        ("fill", [[[0, 1, 2], [3, 4, 5], [6, 0, 1]], [[2, 3, 4], [5, 6, 0], [1, 2, 3]]]),
        ("partial", [[[0, 1, 2], [3, 4, 5], [6]]] * 2),
        ("drop", [[[0, 1, 2], [3, 4, 5]]] * 2),
        ("pad", [[[0, 1, 2], [3, 4, 5], [6, 6, 6]]] * 2),
    ],
)
def test_the_last_batch_is_filled_cut_dropped_or_padded(seven, last_batch, expected):
    assert epochs(File(file_root=seven), 2, 3, last_batch) == expected
    if last_batch != "fill":  # whatever the reader would do of itself
        assert epochs(File(file_root=seven, pad_last_batch=True), 2, 3, last_batch) == expected


def test_a_thousand_images_in_batches_of_64_are_a_thousand(tmp_path):
    reader = ndd.readers.File(file_root=numbered_files(tmp_path, 1000))
    for compiled in (False, True):
        sizes = [labels.batch_size for _, labels in _looked_at(reader, compiled)]
        assert sum(sizes) == len(reader) == 1000
        assert sizes == [64] * 15 + [40]


def _looked_at(reader: Any, compiled: bool) -> Any:
    for jpegs, labels in reader.next_epoch(batch_size=64, last_batch="partial", compile=compiled):
        yield jpegs, labels + 1


@pytest.mark.parametrize("last_batch", ["partial", "drop", "pad"])
def test_a_compiled_loop_gives_the_same_batches_and_draws(seven, last_batch):
    def run(compiled: bool) -> list[Any]:
        reader, rng = ndd.readers.File(file_root=seven), ndd.random.RNG(seed=5)
        results = []
        for _ in range(4):
            for files, _ in reader.next_epoch(batch_size=3, last_batch=last_batch, compile=compiled):
                drawn = ndd.random.uniform(range=[0, 1], batch_size=files.batch_size, rng=rng)
                results.append((values(files * 2), values(drawn)))
        return results

    assert run(compiled=True) == run(compiled=False)


@every_policy
@pytest.mark.parametrize("sharding", [{}, {"num_shards": 2, "shard_id": 1}, {"num_shards": 2, "pad_last_batch": True}])
@pytest.mark.parametrize("shuffle", [{}, {"random_shuffle": True, "initial_fill": 4}, {"shuffle_after_epoch": True}])
@pytest.mark.parametrize("batch_size", [2, 3])
def test_every_step_of_every_kind_of_epoch_resumes(seven, last_batch, sharding, shuffle, batch_size):
    check_resume(
        lambda: File(file_root=seven, enable_checkpointing=True, **sharding, **shuffle), batch_size, 3, last_batch
    )


@settings(max_examples=60, deadline=None)
@given(
    size=st.integers(4, 25), shards=st.integers(1, 4), batch_size=st.integers(1, 5), options=st.sampled_from(SHARDS),
    last_batch=st.sampled_from(POLICIES),
)  # fmt: skip
def test_shards_cover_the_data_set_in_steps_that_are_known(many_files, size, shards, batch_size, options, last_batch):
    if last_batch == "drop" and size // shards < batch_size:
        return
    readers = [File(files=many_files[:size], num_shards=shards, shard_id=shard, **options) for shard in range(shards)]
    for _ in range(3):
        told = [(len(reader), reader.steps(batch_size, last_batch)) for reader in readers]
        handed = []
        for reader in readers:
            epoch = reader.next_epoch(batch_size, last_batch=last_batch)
            told_here = len(epoch)
            handed.append([numbers(batch) for batch in epoch])
            assert told_here == len(epoch) == len(handed[-1])
        assert [steps for _, steps in told] == [len(batches) for batches in handed]
        assert sum(samples for samples, _ in told) == size
        flat = Counter(number for batches in handed for batch in batches for number in batch)
        if last_batch in ("drop", "pad"):
            assert len({len(batches) for batches in handed}) == 1
        if last_batch == "partial":
            assert flat == Counter(range(size))
        elif last_batch == "pad":
            assert set(flat) == set(range(size))
        elif last_batch == "drop":
            assert set(flat.values()) <= {1}
            assert len(flat) == size // shards // batch_size * batch_size * shards


@pytest.fixture(scope="module")
def many_files(tmp_path_factory):
    root = numbered_files(tmp_path_factory.mktemp("many"), 25)
    return [f"{root}/class/{number:03d}.jpg" for number in range(25)]


@pytest.mark.parametrize("last_batch", ["partial", "drop", "pad"])
def test_other_shards_share_the_rest_and_then_have_whole_epochs(many_files, last_batch):
    def shards(count: int) -> list[File]:
        return [File(files=many_files, num_shards=count, shard_id=k, enable_checkpointing=True) for k in range(count)]

    old, new = shards(2), shards(3)
    seen = [
        number for reader in old for batch in islice(reader.next_epoch(4, last_batch=last_batch), 2)
        for number in numbers(batch)
    ]  # fmt: skip
    state = reshard([reader.get_state() for reader in old])
    for reader in new:
        reader.set_state(state)
    rest = [epochs(reader, 1, 2, last_batch)[0] for reader in new]
    assert len({len(batches) for batches in rest}) == 1 or last_batch == "partial"
    given_out = Counter([*seen, *(number for batches in rest for batch in batches for number in batch)])
    if last_batch == "partial":
        assert given_out == Counter(range(25))
    assert set(given_out) <= set(range(25))
    whole = [number for reader in new for batch in epochs(reader, 1, 2, last_batch)[0] for number in batch]
    assert len(whole) == {"partial": 25, "drop": 24, "pad": 30}[last_batch]


def test_an_epoch_that_was_left_is_gone_on_with(seven):
    reader = File(file_root=seven)
    epoch = reader.next_epoch(3, last_batch="partial")
    assert numbers(next(epoch)) == [0, 1, 2]
    epoch.close()
    with pytest.warns(UserWarning, match="continues where it stands"):
        assert epochs(reader, 2, 3, "partial") == [[[3, 4, 5], [6]], [[0, 1, 2], [3, 4, 5], [6]]]


def test_samples_that_cannot_be_read_do_not_reach_into_the_next_epoch(seven, tmp_path):
    for bad in (1, 5, 6):
        (tmp_path / "class" / f"{bad:03d}.jpg").unlink()
    files = [f"{seven}/class/{number:03d}.jpg" for number in range(7)]
    reader = File(files=files, on_error="skip")
    assert epochs(reader, 2, 3, "partial") == [[[0, 2, 3], [4]]] * 2
    assert [bad.index for bad in reader.errors] == [1, 5, 6] * 2
    assert epochs(File(files=files, on_error="skip"), 2, 3, "drop") == [[[0, 2, 3]]] * 2
    assert epochs(File(files=files, on_error="skip"), 2, 4, "pad") == [[[0, 0, 2, 3], [4, 4, 4, 4]]] * 2


def test_a_reader_keeps_its_last_batches(seven):
    reader = File(file_root=seven)
    next(reader.next_epoch(2, last_batch="partial"))
    with pytest.raises(ValueError, match="Cannot change last_batch from 'partial' to 'fill'; make a second reader"):
        reader.next_epoch(2)
    with pytest.raises(ValueError, match="last_batch is one of 'fill', 'partial', 'drop', 'pad', got 'cut'"):
        reader.next_epoch(2, last_batch="cut")
    with pytest.raises(RuntimeError, match='last_batch="drop" leaves nothing of 7 samples in batches of 8'):
        next(File(file_root=seven).next_epoch(8, last_batch="drop"))


def test_a_sampler_decides_what_an_epoch_is(seven):
    class Sampler:
        def set_epoch(self, epoch: int) -> None:
            self.epoch = epoch

        def __iter__(self) -> Any:
            return iter(range(self.epoch + 2))

    reader = File(file_root=seven, sampler=Sampler())
    assert len(reader) == 2
    assert epochs(reader, 3, 2, "partial") == [[[0, 1]], [[0, 1], [2]], [[0, 1], [2, 3]]]
    assert len(reader) == 5
    assert epochs(File(file_root=seven, sampler=Sampler()), 3, 3, "drop") == [[], [[0, 1, 2]], [[0, 1, 2]]]


def test_a_reader_says_how_much_there_is(seven):
    reader = File(file_root=seven, num_shards=2, shard_id=1, enable_checkpointing=True)
    assert (len(reader), bool(reader)) == (4, True)
    assert [reader.steps(3, last) for last in POLICIES] == [2, 2, 1, 2]
    assert (reader.steps(), File(file_root=seven, max_batch_size=3).steps()) == (4, 3)
    epoch = reader.next_epoch(3)
    assert (len(epoch), bool(epoch)) == (2, True)
    next(epoch)
    assert len(epoch) == 2
    state = reader.get_state()
    resumed = File(file_root=seven, num_shards=2, shard_id=1)
    resumed.set_state(state)
    assert len(resumed.next_epoch(3)) == 1
    assert len([*resumed.next_epoch(3)]) == 1
    assert (resumed.epoch, len(resumed)) == (1, 3)


def test_a_loop_over_a_reader_itself_is_told_of_epochs(seven):
    with pytest.raises(TypeError, match=r"for \.\.\. in reader\.next_epoch\(batch_size=\.\.\.\)"):
        for _ in File(file_root=seven):
            pass
