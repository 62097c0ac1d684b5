"""A stopped run goes on at exactly the next sample."""

from __future__ import annotations

import base64
import binascii
import json
import pickle
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from penstock.readers import File, Reader, ReaderState, reshard
from readers.promises import check_resume, epochs, numbered_files, numbers

SHUFFLES: list[dict[str, Any]] = [
    {},
    {"random_shuffle": True, "initial_fill": 4},
    {"random_shuffle": True},
    {"shuffle_after_epoch": True},
]
SHARDS: list[dict[str, Any]] = [
    {},
    {"shard_id": 1, "num_shards": 3},
    {"shard_id": 2, "num_shards": 3, "pad_last_batch": True},
    {"pad_last_batch": True},
]


@pytest.fixture
def seven(tmp_path: Path) -> str:
    return numbered_files(tmp_path, 7)


@pytest.mark.parametrize("batch_size", [None, 1, 3])
@pytest.mark.parametrize("sharding", SHARDS)
@pytest.mark.parametrize("shuffle", SHUFFLES)
def test_a_reader_resumes_at_every_step(seven, shuffle, sharding, batch_size):
    check_resume(lambda: File(file_root=seven, enable_checkpointing=True, **shuffle, **sharding), batch_size)


@pytest.mark.parametrize("shuffle", SHUFFLES[:3])
def test_a_reader_that_sticks_to_its_shard_resumes(seven, shuffle):
    arguments = {"shard_id": 2, "num_shards": 3, "stick_to_shard": True, **shuffle}
    check_resume(lambda: File(file_root=seven, enable_checkpointing=True, **arguments), batch_size=2)


def state_after(steps: int, batch_size: int | None, **arguments: Any) -> ReaderState:
    reader = File(enable_checkpointing=True, **arguments)
    for _ in range(steps):
        for _ in reader.next_epoch(batch_size=batch_size):
            steps -= 1
            if not steps:
                return reader.get_state()
    raise AssertionError


def resumed(state: ReaderState | str | bytes, **arguments: Any) -> Reader:
    reader = File(**arguments)
    reader.set_state(state)
    return reader


def test_the_state_is_what_the_program_was_given_not_what_was_read_ahead(seven):
    state = state_after(1, 2, file_root=seven, prefetch_queue_depth=3)
    assert epochs(resumed(state, file_root=seven), 2, 2) == [[[2, 3], [4, 5], [6, 0]], [[1, 2], [3, 4], [5, 6], [0, 1]]]


def test_the_next_epoch_is_the_rest_of_this_one_and_may_have_another_batch_size(seven):
    state = state_after(2, 2, file_root=seven)
    assert epochs(resumed(state, file_root=seven), 1, 2) == [[[4, 5], [6, 0]]]
    assert epochs(resumed(state, file_root=seven), 2, 3) == [[[4, 5, 6]], [[0, 1, 2], [3, 4, 5], [6, 0, 1]]]


def test_the_rest_of_a_padded_epoch_is_that_with_another_batch_size_too(seven):
    padded = {"file_root": seven, "pad_last_batch": True}
    state = state_after(2, 2, **padded)
    assert epochs(resumed(state, **padded), 1, 2) == [[[4, 5], [6, 6]]]
    assert epochs(resumed(state, **padded), 2, 5) == [[[4, 5, 6, 6, 6]], [[0, 1, 2, 3, 4], [5, 6, 6, 6, 6]]]


def test_a_state_of_a_version_that_did_not_save_what_is_left_begins_a_whole_epoch(seven):
    saved = json.loads(base64.b64decode(str(state_after(2, 2, file_root=seven))))
    assert (saved.pop("left"), saved.pop("batch_size")) == (3, 2)
    older = base64.b64encode(json.dumps(saved).encode())
    assert epochs(resumed(older, file_root=seven), 1, 2) == [[[4, 5], [6, 0], [1, 2], [3, 4]]]


def test_the_rotation_of_shards_is_restored(seven):
    state = state_after(4, None, file_root=seven, num_shards=3)
    assert epochs(resumed(state, file_root=seven, num_shards=3), 2) == [[[4], [5], [6]], [[0], [1]]]


@pytest.mark.parametrize(
    ("shuffle", "other"),
    [
        ({"random_shuffle": True, "seed": 1, "initial_fill": 3}, {"random_shuffle": True, "seed": 2}),
        (
            {"shuffle_after_epoch": True, "shuffle_after_epoch_seed": 1},
            {"shuffle_after_epoch": True, "shuffle_after_epoch_seed": 2},
        ),
    ],
)
def test_the_shuffled_order_goes_on_in_a_reader_with_another_seed(seven, shuffle, other):
    state = state_after(2, None, file_root=seven, **shuffle)
    same, different = (resumed(state, file_root=seven, **arguments) for arguments in (shuffle, other))
    assert epochs(different, 3) == epochs(same, 3)


def test_a_state_serves_the_other_shards_too(seven):
    state = state_after(2, None, file_root=seven, shard_id=0, num_shards=3)
    assert epochs(resumed(state, file_root=seven, shard_id=1, num_shards=3), 1) == [[[4], [5], [6]]]


def test_a_state_is_its_text(seven):
    state = state_after(1, 2, file_root=seven)
    assert base64.b64decode(str(state), validate=True)
    assert repr(state) == f"ReaderState('{state}')"
    assert state == str(state)
    assert hash(state) == hash(str(state))
    assert state == state_after(1, 2, file_root=seven)
    assert state != state_after(2, 2, file_root=seven)
    assert state != 5
    assert len(str(state_after(1, 2, file_root=seven, random_shuffle=True))) < 600


def test_a_pickled_state_does_not_depend_on_where_its_class_is_defined():
    state = ReaderState(None, b"x")
    pickled = pickle.dumps(state, protocol=0)
    assert b"cpenstock.readers\nReaderState\n" in pickled
    assert pickle.loads(pickled) == state
    assert pickle.loads(pickled.replace(b"cpenstock.readers\n", b"cpenstock.readers.state\n")) == state


@pytest.mark.parametrize("form", [lambda s: s, str, lambda s: str(s).encode()])
def test_set_state_takes_a_state_its_text_or_the_bytes_of_it(seven, form):
    state = state_after(1, 2, file_root=seven)
    assert numbers(next(resumed(form(state), file_root=seven).next_epoch(batch_size=2))) == [2, 3]


@pytest.mark.parametrize("state", [5, None])
def test_set_state_takes_nothing_else(state):
    with pytest.raises(TypeError, match="state must be a ReaderState, str or bytes, got"):
        File(file_root="nope").set_state(state)


@pytest.mark.parametrize("state", ["!!", "abc"])
def test_set_state_takes_base64(state):
    with pytest.raises(binascii.Error):
        File(file_root="nope").set_state(state)


def edited(state: ReaderState, **changes: Any) -> bytes:
    return base64.b64encode(json.dumps(json.loads(base64.b64decode(str(state))) | changes).encode())


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 2},
        {"epoch": -1},
        {"position": [0, 0]},
        {"position": [0, 1, 0]},
        {"options": {"a": 1}},
        {"size": "7"},
    ],
)
def test_a_state_that_cannot_be_is_refused_at_the_first_step(seven, changes):
    reader = resumed(edited(state_after(1, 2, file_root=seven), **changes), file_root=seven)
    with pytest.raises(RuntimeError, match="was not saved by this release"):
        next(reader.next_epoch())


@pytest.mark.parametrize("payload", [b"", b"\xff\xfe", b"[]", b"{}", b"null"])
def test_a_state_of_something_else_is_refused_at_the_first_step(seven, payload):
    reader = resumed(base64.b64encode(payload), file_root=seven)
    with pytest.raises(RuntimeError, match="was not saved by this release"):
        next(reader.next_epoch())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_shards": 2}, "saved with num_shards=1, this reader has 2"),
        ({"random_shuffle": True}, "saved with random_shuffle=False, this reader has True"),
        ({"file_filters": ["*0.jpg"]}, "saved with number of samples=7, this reader has 1"),
    ],
)
def test_a_state_of_another_data_set_or_order_is_refused(seven, arguments, message):
    reader = resumed(state_after(1, 2, file_root=seven), file_root=seven, **arguments)
    with pytest.raises(RuntimeError, match=message):
        next(reader.next_epoch())


def test_states_are_taken_and_set_at_the_right_time(seven):
    reader = File(file_root=seven, enable_checkpointing=True)
    reader.get_metadata()
    with pytest.raises(RuntimeError, match=r"Cannot get the reader's state before its first iteration\."):
        reader.get_state()
    next(reader.next_epoch())
    state = reader.get_state()
    with pytest.raises(RuntimeError, match=r"Cannot set the reader's state after iteration has begun\."):
        reader.set_state(state)


def test_checkpointing_is_asked_for(seven):
    reader = File(file_root=seven)
    next(reader.next_epoch())
    with pytest.raises(RuntimeError, match="initialized with checkpointing disabled"):
        reader.get_state()
    with pytest.raises(RuntimeError, match="has already run with checkpointing disabled"):
        reader.enable_checkpointing()
    asked = File(file_root=seven)
    asked.enable_checkpointing()
    next(asked.next_epoch())
    restored = resumed(asked.get_state(), file_root=seven)
    next(restored.next_epoch())
    assert isinstance(restored.get_state(), ReaderState)


HUGE = 10**9
FORGED: list[dict[str, Any]] = [
    {"size": 2**62}, {"size": 10**30}, {"size": -1}, {"size": 7.0}, {"size": True}, {"size": "7"}, {"size": [7]},
    {"epoch": 2**62}, {"epoch": None}, {"position": [2**62, 0, 1]}, {"position": [0, 2**62, 1]},
    {"position": [0, 10**30, 1]}, {"position": [0, 0, 2**62]}, {"position": [0, 0]}, {"position": 3},
    {"position": [0, 0, 1, 1]}, {"position": {"visit": 0}}, {"options": {"num_shards": 2**62}},
    {"options": {"num_shards": 0}}, {"options": {"shard_id": 9}}, {"options": {"num_shards": 1.5}},
    {"options": {"seed": 10**30}}, {"options": {"initial_fill": 10**30}}, {"options": {"initial_fill": "many"}},
    {"options": {"random_shuffle": 1}}, {"options": {"shuffle_after_epoch_seed": "x"}}, {"options": {"unknown": 1}},
    {"options": {"shuffle_after_epoch": True}, "position": [HUGE, 0, 1], "size": HUGE}, {"left": 2**62},
    {"left": -1}, {"left": "all"}, {"left": None}, {"batch_size": 2**62}, {"batch_size": 1.5},
]  # fmt: skip


def forged(state: ReaderState, changes: dict[str, Any]) -> bytes:
    saved = json.loads(base64.b64decode(str(state)))
    options = {**saved["options"], **changes.get("options", {})}
    return base64.b64encode(json.dumps({**saved, **changes, "options": options}).encode())


@contextmanager
def little_memory() -> Iterator[None]:
    """Fails where a state had something made for as many samples as it speaks of."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("changes", FORGED)
def test_a_forged_state_is_refused_before_anything_is_made_of_it(seven, changes):
    state = forged(state_after(1, 2, file_root=seven), changes)
    with little_memory(), pytest.raises(RuntimeError, match="was not saved by this release"):
        next(resumed(state, file_root=seven).next_epoch())
    with little_memory(), pytest.raises(RuntimeError, match="was not saved by this release"):
        reshard([state])


def test_a_state_of_very_many_samples_takes_no_memory_for_them(seven):
    with little_memory():
        shared = reshard([forged(state_after(1, 2, file_root=seven), {"size": HUGE})])
        again = json.loads(base64.b64decode(str(shared)))
        again["rest"]["rest"] = dict(again["rest"])
        for state in (shared, base64.b64encode(json.dumps(again).encode())):
            with pytest.raises(RuntimeError, match=f"was saved with number of samples={HUGE}, this reader has 7"):
                next(resumed(state, file_root=seven).next_epoch())


def test_a_state_that_is_nested_very_deep_is_refused(seven):
    text = '{"version":1,"rest":' * 100000 + "1" + "}" * 100000
    with pytest.raises(RuntimeError, match="was not saved by this release"):
        next(resumed(base64.b64encode(text.encode()), file_root=seven).next_epoch())
