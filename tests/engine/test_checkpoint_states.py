"""The states in a checkpoint: as text, set by hand, given back to their objects."""

from __future__ import annotations

import json
import os

import pytest

import penstock.dynamic as ndd
from engine.stand_ins import Counter, Other, collected, loaded
from penstock.dynamic.checkpoint import Checkpoint


def test_the_text_of_a_checkpoint():
    checkpoint = Checkpoint()
    checkpoint.register(ndd.random.RNG(seed=1), "g")
    checkpoint.collect()
    state = "Philox_0000000000000001_0000000000000000:0000000000000000_0"
    assert checkpoint.serialize() == f'{{"version": 2, "states": {{"g": {{"state": "{state}", "type": "RNG"}}}}}}'


def test_an_empty_checkpoint_has_no_text(tmp_path):
    checkpoint = Checkpoint()
    checkpoint.register(Counter(), "a")
    with pytest.raises(RuntimeError, match="empty checkpoint"):
        checkpoint.serialize()
    with pytest.raises(RuntimeError, match="empty checkpoint"):
        checkpoint.save(tmp_path / "{seq}.json")
    assert os.listdir(tmp_path) == []


def test_a_loaded_state_is_applied_once_when_its_object_is_registered():
    checkpoint, op, later = loaded(), Counter(), Counter()
    assert (checkpoint.is_loaded, checkpoint.is_complete, len(checkpoint)) == (True, False, 0)
    checkpoint.register(op, "a")
    checkpoint.register(op, "a")
    checkpoint.register(later, "a")
    assert (op.given, later.given) == (["7"], [])
    assert checkpoint.get_state("a") == "7"
    checkpoint.collect()
    assert (checkpoint.is_loaded, checkpoint.is_complete) == (False, True)


def test_what_a_loaded_checkpoint_refuses():
    checkpoint = loaded()
    with pytest.raises(KeyError, match="no state for 'b'"):
        checkpoint.register(Counter(), "b")
    with pytest.raises(KeyError, match=r"no state for '__op_0'.*in the order in which it was saved"):
        checkpoint.register(Counter())
    with pytest.raises(TypeError, match=r"Type mismatch for operator 'a'.*'Counter'.*'Other'"):
        checkpoint.register(Other(), "a")
    op = Counter()
    checkpoint.register(op, "a")
    assert op.given == ["7"]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("nothing", json.JSONDecodeError, "Expecting value"),
        ("[]", ValueError, r"Invalid checkpoint payload\."),
        ('{"version": 2}', ValueError, r"Invalid checkpoint payload\."),
        ('{"states": {}}', ValueError, "version 0; expected 2"),
        ('{"version": 1, "states": {}}', ValueError, r"Unsupported checkpoint format version 1; expected 2\."),
        ('{"version": "2", "states": {}}', ValueError, "version '2'; expected 2"),
        ('{"version": 2, "states": []}', ValueError, "`states` is a list"),
        ('{"version": 2, "states": {"a": 1}}', ValueError, "Invalid checkpoint entry for 'a'"),
        ('{"version": 2, "states": {"a": {"type": "A"}}}', ValueError, "Invalid checkpoint entry for 'a'"),
        ('{"version": 2, "states": {"a": {"state": "", "type": 3}}}', ValueError, "Invalid `type` for entry 'a'"),
    ],
)
def test_text_that_is_no_checkpoint_changes_nothing(text, error, message):
    checkpoint = collected(a=Counter(1))
    with pytest.raises(error, match=message):
        checkpoint.deserialize(text)
    assert checkpoint.get_state("a") == 1
    assert checkpoint.is_complete


def test_a_state_set_by_hand_waits_for_register_or_restore():
    checkpoint, op = Checkpoint(), Counter()
    checkpoint.set_state("a", 1, Counter)
    checkpoint.register(op, "a")
    assert op.given == [1]
    checkpoint.set_state("a", 2)
    assert checkpoint.get_state("a") == 2
    assert op.given == [1]
    checkpoint.restore()
    checkpoint.restore()
    assert op.given == [1, 2]
    checkpoint.set_state("a", 3, "Counter")
    checkpoint.register(op)
    assert op.given == [1, 2, 3]


def test_states_that_cannot_be_set():
    checkpoint = collected(a=Counter())
    with pytest.raises(KeyError, match="No op registered under 'b'"):
        checkpoint.set_state("b", 1)
    with pytest.raises(TypeError, match="`op_type` must be a class or a string, got 5"):
        checkpoint.set_state("a", 1, 5)
    checkpoint.set_state("a", 1, Other)
    with pytest.raises(TypeError, match="Type mismatch"):
        checkpoint.restore()


def test_get_state_knows_registered_names_only():
    checkpoint = Checkpoint()
    checkpoint.set_state("a", 1)
    with pytest.raises(KeyError, match="No op registered under 'a'"):
        checkpoint.get_state("a")
    checkpoint.clear()
    checkpoint.register(Counter(), "a")
    assert checkpoint.get_state("a") is None


def test_restore_wants_a_state_for_every_object_and_an_object_for_every_state():
    checkpoint, op = Checkpoint(), Counter()
    checkpoint.register(op, "a")
    checkpoint.restore()
    checkpoint.register(Counter(), "b")
    checkpoint.set_state("a", 1)
    with pytest.raises(RuntimeError, match=r"missing entries for \['b'\]\."):
        checkpoint.restore()
    checkpoint.set_state("b", 1)
    checkpoint.set_state("c", 1)
    with pytest.raises(RuntimeError, match=r"no corresponding registered ops: \['c'\]\."):
        checkpoint.restore()
    assert op.given == []
