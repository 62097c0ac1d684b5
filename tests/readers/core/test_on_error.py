"""Samples that cannot be read, and the three ways of going on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from penstock._native import Samples
from penstock.readers import File, Reader
from penstock.readers.core.order import Indices, Order, OrderOptions
from penstock.readers.core.sample_source import UnreadableError
from penstock.readers.core.shards import Shards
from readers.promises import check_resume, epochs, numbered_files, values


class Holed(Reader):
    """Samples that are their own index, some of which cannot be read."""

    def __init__(self, *arguments: Any, size: int = 10, bad: frozenset[int] = frozenset(), **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.holes = HoledSource(size, bad)

    def _open_source(self) -> HoledSource:
        return self.holes


class HoledSource:
    def __init__(self, size: int, bad: frozenset[int]) -> None:
        self.size, self.bad = size, bad

    def __len__(self) -> int:
        return self.size

    def read(self, indices: Indices) -> tuple[Samples, ...]:
        failed = [at for at, index in enumerate(indices) if int(index) in self.bad]
        if failed:
            raise UnreadableError(
                {at: f"hole {indices[at]}" for at in failed}, {at: f"at {indices[at]}" for at in failed}
            )
        return (Samples.wrap(indices.copy()),)


def epoch(reader: Reader, batch_size: int | None = 3) -> list[list[int]]:
    return [values(batch) for (batch,) in reader.next_epoch(batch_size=batch_size)]


def test_raise_is_the_default_and_speaks_of_the_first_sample():
    with pytest.raises(RuntimeError, match=r"^hole 4$"):
        epoch(Holed(bad=frozenset({4, 5})))


def test_skip_goes_on_without_them_and_fills_the_batch():
    reader = Holed(bad=frozenset({1, 4, 5}), on_error="skip")
    assert epoch(reader) == [[0, 2, 3], [6, 7, 8], [9, 0, 2]]
    assert [(each.index, each.source, str(each.error)) for each in reader.errors[:3]] == [
        (1, "at 1", "hole 1"), (4, "at 4", "hole 4"), (5, "at 5", "hole 5"),
    ]  # fmt: skip


def test_the_epoch_ends_where_the_data_set_does():
    reader = Holed(size=6, bad=frozenset({1, 2}), on_error="skip")
    assert epoch(reader, 2) == [[0, 3], [4, 5]]
    assert epoch(reader, 2) == [[0, 3], [4, 5]]
    assert [each.index for each in reader.errors] == [1, 2, 1, 2]


def test_an_epoch_that_ends_in_samples_that_cannot_be_read_is_shorter():
    reader = Holed(size=5, bad=frozenset({0, 3, 4}), on_error="skip")
    assert [epoch(reader, None) for _ in range(2)] == [[[1], [2]]] * 2
    assert [each.index for each in reader.errors] == [0, 3, 4, 0, 3, 4]
    calls = Holed(size=3, bad=frozenset({2}), on_error="skip")
    assert [values(calls()) for _ in range(3)] == [[0], [1], [0]]


def test_padded_shards_keep_their_number_of_batches():
    shards = [
        Holed(bad=frozenset({4, 9}), on_error="skip", pad_last_batch=True, num_shards=2, shard_id=k) for k in (0, 1)
    ]
    assert [epoch(shard) for shard in shards] == [[[0, 1, 2], [3, 3, 3]], [[5, 6, 7], [8, 8, 8]]]


def test_replace_takes_the_next_sample_that_can_be_read():
    reader = Holed(bad=frozenset({4, 5, 9}), on_error="replace")
    assert epoch(reader, 5) == [[0, 1, 2, 3, 6], [6, 6, 7, 8, 0]]
    assert [each.index for each in reader.errors] == [4, 5, 9]  # 5 once, though it was met in place of 4, too


def test_a_function_decides():
    asked = []

    def decide(bad: Any) -> int | None:
        asked.append(bad.index)
        return None if bad.index == 4 else 0

    assert epoch(Holed(bad=frozenset({1, 4}), on_error=decide), 5) == [[0, 0, 2, 3, 5], [6, 7, 8, 9, 0]]
    assert asked[:2] == [1, 4]


def test_a_function_that_asks_for_the_same_bad_sample_for_ever_is_stopped():
    message = r"on_error gave 11 samples in place of sample 1, none of which can be read; the last: hole [14]"
    for decide in (lambda bad: bad.index, lambda bad: 5 - bad.index):
        with pytest.raises(RuntimeError, match=message):
            epoch(Holed(bad=frozenset({1, 4}), on_error=decide), 2)


def test_a_function_that_raises_or_errs_is_heard():
    def refuse(bad: Any) -> int | None:
        raise LookupError(f"no substitute for {bad.source}")

    with pytest.raises(LookupError, match="no substitute for at 1"):
        epoch(Holed(bad=frozenset({1}), on_error=refuse))
    with pytest.raises(IndexError, match="asked for sample 10 of 10 in place of sample 1"):
        epoch(Holed(bad=frozenset({1}), on_error=lambda bad: 10))


@pytest.mark.parametrize("on_error", ["skip", "replace"])
@pytest.mark.parametrize("padded", [False, True])
def test_when_nothing_can_be_read_it_says_so(on_error, padded):
    reader = Holed(size=5, bad=frozenset(range(5)), on_error=on_error, pad_last_batch=padded)
    with pytest.raises(RuntimeError, match="none of 5 samples can be read; the last: hole"):
        epoch(reader)


@pytest.mark.parametrize("wrong", ["ignore", 3])
def test_an_unknown_policy_is_refused(wrong):
    with pytest.raises(ValueError, match="on_error is 'raise', 'skip', 'replace' or a function, got"):
        Holed(on_error=wrong)


def test_files_that_vanish_are_skipped_and_listed(tmp_path: Path):
    root = numbered_files(tmp_path, 7)
    reader = File(file_root=root, on_error="skip")
    reader.get_metadata()
    os.remove(os.path.join(root, "class", "003.jpg"))
    assert epochs(reader, 1, 2) == [[[0, 1], [2, 4], [5, 6]]]
    (bad,) = reader.errors
    assert bad.index == 3
    assert bad.source == "class/003.jpg"
    assert "No such file or directory" in str(bad.error)


def test_a_batch_of_the_next_epoch_waits_for_it():
    reader = Holed(size=7, bad=frozenset({6}), on_error="skip", enable_checkpointing=True)
    assert epoch(reader) == [[0, 1, 2], [3, 4, 5]]
    state = reader.get_state()
    assert [each.index for each in reader.errors] == [6]
    assert [epoch(reader), epoch(reader)] == [[[0, 1, 2], [3, 4, 5]]] * 2
    resumed = Holed(size=7, on_error="skip")
    resumed.set_state(state)
    assert epoch(resumed) == [[0, 1, 2], [3, 4, 5], [6, 0, 1]]


def test_a_shard_that_cannot_be_read_is_an_epoch_without_batches():
    reader = Holed(size=6, bad=frozenset({2, 3}), on_error="skip", num_shards=3, shard_id=1)
    assert [epoch(reader, 2) for _ in range(3)] == [[], [[4, 5]], [[0, 1]]]
    stuck = {"bad": frozenset({2, 3}), "on_error": "skip", "num_shards": 3, "shard_id": 1, "stick_to_shard": True}
    assert epoch(Holed(size=6, **stuck)) == []
    with pytest.raises(RuntimeError, match="none of the samples can be read; the last: hole"):
        Holed(size=6, **stuck)()


def test_an_epoch_ends_inside_a_shard_that_cannot_be_read():
    reader = Holed(size=12, bad=frozenset({3, 6, 8, 9, 10, 11}), on_error="skip", num_shards=3)
    assert [epoch(reader, 2) for _ in range(3)] == [[[0, 1], [2, 4]], [[5, 7]], [[0, 1]]]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:os.fork")  # of JAX, where a test before this one has imported it
def test_a_batch_that_waits_comes_once_in_a_forked_child():
    reader = Holed(size=7, bad=frozenset({6}), on_error="skip")
    epoch(reader)
    child = os.fork()
    if not child:
        os._exit(0 if epoch(reader) == [[0, 1, 2], [3, 4, 5]] else 1)
    assert os.waitpid(child, 0)[1] == 0


def expected_epochs(size: int, bad: frozenset[int], batch_size: int, **options: Any) -> list[list[list[int]]]:
    """Three epochs, found by walking through the order a sample at a time."""
    order, made = Order(Shards(size, OrderOptions(**options))), []
    ahead: list[int] = []

    def look(count: int) -> list[int]:
        while len(ahead) < count:
            ahead.append(int(order.take(1)[0]))
        return ahead[:count]

    for number in range(3):
        batches, left = [], order.epoch_length(number)
        while left > 0 and not bad.issuperset(look(left)):
            batch: list[int] = []
            while len(batch) < batch_size:
                sample = look(1)[0]
                ahead.pop(0)
                left -= 1
                batch += [sample] * (sample not in bad)
            batches.append(batch)
        del ahead[: max(left, 0)]
        made.append(batches)
    return made


@st.composite
def holes(draw: st.DrawFn) -> dict[str, Any]:
    size = draw(st.integers(1, 12))
    shards = draw(st.integers(1, min(3, size)))
    bad = draw(st.frozensets(st.integers(0, size - 1), max_size=size - 1))
    order = draw(st.sampled_from([{}, {"random_shuffle": True, "initial_fill": 4}, {"shuffle_after_epoch": True}]))
    return {
        "size": size, "bad": bad, "batch_size": draw(st.integers(1, 5)), "num_shards": shards,
        "shard_id": draw(st.integers(0, shards - 1)), **order,
    }  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(holes())
def test_epochs_of_what_can_be_read_end_where_the_order_does(drawn):
    batch_size = drawn.pop("batch_size")
    reader = Holed(on_error="skip", **drawn)
    assert [epoch(reader, batch_size) for _ in range(3)] == expected_epochs(batch_size=batch_size, **drawn)


class TwiceHoledSource(HoledSource):
    """Of its bad samples every other one is found only when the rest of the batch could be read, as in a check."""

    def read(self, indices: Indices) -> tuple[Samples, ...]:
        missing = frozenset(index for index in self.bad if index % 2)
        HoledSource(self.size, missing).read(indices)
        return super().read(indices)


class TwiceHoled(Holed):
    def _open_source(self) -> HoledSource:
        return TwiceHoledSource(self.holes.size, self.holes.bad)


def expected_errors(size: int, bad: frozenset[int], handed: list[int], **options: Any) -> list[int]:
    """The bad samples of the first epoch, found by walking through the order a sample at a time."""
    order = Order(Shards(size, OrderOptions(**options)))
    met: list[int] = []
    for sample in handed:
        met.append(int(order.take(1)[0]))
        while met[-1] in bad:
            met.append(int(order.take(1)[0]))
        assert met[-1] == sample
    while len(met) < order.epoch_length(0):  # none of these can be read
        met.append(int(order.take(1)[0]))
    return [index for index in met if index in bad]


@settings(max_examples=200, deadline=None)
@given(holes())
def test_errors_tell_each_bad_sample_once_an_epoch_in_order(drawn):
    batch_size = drawn.pop("batch_size")
    reader = TwiceHoled(on_error="skip", **drawn)
    handed = [sample for batch in epoch(reader, batch_size) for sample in batch]
    assert [each.index for each in reader.errors] == expected_errors(handed=handed, **drawn)


@settings(max_examples=50, deadline=None)
@given(holes())
def test_padding_and_substitutes_tell_each_bad_sample_once_an_epoch(drawn):
    batch_size = drawn.pop("batch_size")
    assume("shuffle_after_epoch" not in drawn)
    for policy in ("skip", "replace"):
        reader = TwiceHoled(on_error=policy, pad_last_batch=True, **drawn)
        epoch(reader, batch_size)
        shown = [each.index for each in reader.errors]
        assert len(shown) == len(set(shown))
        members = set(np.asarray(Shards(drawn["size"], reader._options).members(0)).tolist())
        assert members & drawn["bad"] <= set(shown) <= drawn["bad"]


def test_errors_at_the_end_of_an_epoch_are_those_before_it(tmp_path: Path):
    """Missing files are known before those that cannot be decoded; they are listed in their order all the same."""
    names = [str(tmp_path / f"{k}.jpg") for k in range(9)]
    for k in {*range(9)} - {1, 6, 8}:
        Path(names[k]).write_bytes(b"bad" if k in (5, 7) else b"good")

    def check(files: Any) -> None:
        if any(bytes(np.asarray(file)) == b"bad" for file in files):
            raise RuntimeError("no image")

    reader = ndd.readers.File(files=names, check=check, on_error="skip")
    for number in (1, 2):
        batches = [labels for _, labels in reader.next_epoch(batch_size=4)]
        assert [np.ravel(ndd.as_tensor(each)).tolist() for each in batches] == [[0, 2, 3, 4]]
        assert [each.index for each in reader.errors] == [1, 5, 6, 7, 8] * number


@settings(max_examples=30, deadline=None)
@given(holes())
def test_across_shards_every_sample_that_can_be_read_comes_once(drawn):
    size, bad, shards = drawn["size"], drawn["bad"], drawn["num_shards"]
    del drawn["batch_size"]
    handed = []
    for shard in range(shards):
        reader = Holed(**drawn | {"shard_id": shard, "on_error": "skip"})
        handed += [sample for batch in epoch(reader, 1) for sample in batch]
    assert sorted(handed) == sorted(set(range(size)) - bad)


@settings(max_examples=30, deadline=None)
@given(holes())
def test_any_reader_that_left_samples_out_resumes_exactly(drawn):
    batch_size, shards = drawn.pop("batch_size"), drawn["num_shards"]
    assume(shards == 1 or "shuffle_after_epoch" not in drawn)  # such shards may stay unreadable for many epochs
    rounds = 2 + 2 * batch_size // (drawn["size"] - len(drawn["bad"]))  # enough for two batches
    check_resume(lambda: Holed(on_error="skip", enable_checkpointing=True, **drawn), batch_size, rounds * shards)


@pytest.mark.parametrize("on_error", ["skip", "replace"])
@pytest.mark.parametrize("options", [{}, {"random_shuffle": True}, {"pad_last_batch": True, "num_shards": 2}])
def test_a_reader_that_left_samples_out_resumes_exactly(on_error, options):
    check_resume(lambda: Holed(bad=frozenset({1, 4, 5}), on_error=on_error, enable_checkpointing=True, **options))
