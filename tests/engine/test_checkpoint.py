"""Which objects a checkpoint takes, and when it takes their states."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

import penstock.dynamic as ndd
from engine.stand_ins import Broken, Counter, Other, collected, loaded
from penstock.dynamic.checkpoint import Checkpoint
from readers.promises import numbered_files


@pytest.fixture
def reader(tmp_path):
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "a.jpg").write_text("a")
    return ndd.readers.File(file_root=str(tmp_path))


def test_objects_without_a_name_are_numbered_by_the_order_of_registration():
    checkpoint, first = Checkpoint(), Counter()
    assert [checkpoint.register(op) for op in (first, Counter(), first)] == ["__op_0", "__op_1", "__op_0"]
    assert checkpoint.register(Counter(), "named") == "named"
    assert checkpoint.register(Counter()) == "__op_3"
    assert checkpoint.names == ("__op_0", "__op_1", "named", "__op_3")
    assert len(checkpoint) == 4
    assert "named" in checkpoint
    assert "other" not in checkpoint


def test_an_object_has_one_name():
    checkpoint, op = Checkpoint(), Counter()
    assert checkpoint.register(op, "a") == checkpoint.register(op, "a") == checkpoint.register(op) == "a"
    with pytest.raises(RuntimeError, match="'b' what is already registered under 'a'"):
        checkpoint.register(op, "b")


@pytest.mark.parametrize(("name", "error"), [("", ValueError), ("__op_7", ValueError), (5, AttributeError)])
def test_names_that_are_refused(name, error):
    checkpoint = Checkpoint()
    with pytest.raises(error):
        checkpoint.register(Counter(), name)
    assert checkpoint.names == ()


def test_a_name_passes_on_to_an_object_of_the_same_type():
    checkpoint = Checkpoint()
    checkpoint.register(Counter(1), "a")
    checkpoint.register(Counter(2), "a")
    with pytest.raises(TypeError, match="Cannot replace operator 'a' of type 'Counter' with one of type 'Other'"):
        checkpoint.register(Other(3), "a")
    checkpoint.collect()
    assert checkpoint.get_state("a") == 2


def test_what_has_no_state_fails_when_it_is_asked_for_one():
    checkpoint = Checkpoint()
    checkpoint.register(object(), "a")
    with pytest.raises(AttributeError):
        checkpoint.collect()


def test_registering_a_reader_enables_its_checkpointing(reader):
    checkpoint = Checkpoint()
    checkpoint.register(reader, "reader")
    with pytest.raises(RuntimeError, match="before its first iteration"):
        checkpoint.collect()
    assert not checkpoint.is_complete
    list(reader.next_epoch(batch_size=1))
    checkpoint.collect()
    assert checkpoint.get_state("reader") == reader.get_state()


def test_a_reader_goes_on_with_the_rest_of_its_epoch_and_then_whole_ones(tmp_path):
    files = {"file_root": numbered_files(tmp_path, 7)}

    def run(reader: ndd.readers.File, steps: int) -> list[list[list[int]]]:
        """The numbers of the batches of all epochs, until there were so many steps."""
        epochs: list[list[list[int]]] = []
        while sum(map(len, epochs)) < steps:
            epoch = reader.next_epoch(batch_size=2)
            epochs.append([np.ravel(batch.torch()).tolist() for batch, _ in islice(epoch, steps)])
        return epochs

    whole = run(ndd.readers.File(**files), 12)
    stopped, checkpoint = ndd.readers.File(**files), Checkpoint()
    checkpoint.register(stopped, "reader")
    epoch = stopped.next_epoch(batch_size=2)
    for _ in range(3):
        next(epoch)
    checkpoint.collect()
    checkpoint.save(tmp_path / "{seq}.json")
    resumed, loaded_again = ndd.readers.File(**files), Checkpoint()
    loaded_again.load(tmp_path / "{seq}.json")
    loaded_again.register(resumed, "reader")
    assert run(resumed, 9) == [whole[0][3:], *whole[1:]]


def test_a_reader_that_ran_without_checkpointing_is_refused(reader):
    checkpoint = Checkpoint()
    list(reader.next_epoch(batch_size=1))
    with pytest.raises(RuntimeError, match="checkpointing disabled"):
        checkpoint.register(reader)
    assert len(checkpoint) == 0


def test_a_complete_checkpoint_takes_only_the_names_it_knows():
    op = Counter(1)
    checkpoint = collected(a=op)
    assert (checkpoint.is_complete, checkpoint.is_loaded) == (True, False)
    with pytest.raises(RuntimeError, match=r"Cannot register a new op 'new' into a completed checkpoint\. Call"):
        checkpoint.register(Counter(), "new")
    with pytest.raises(RuntimeError, match="completed checkpoint"):
        checkpoint.register(Counter())
    assert checkpoint.register(op) == checkpoint.register(op, "a") == "a"
    op.value = 2
    checkpoint.collect()
    assert checkpoint.get_state("a") == 2


def test_a_state_that_cannot_be_had_leaves_the_checkpoint_as_it_was():
    checkpoint = Checkpoint()
    checkpoint.register(Counter(1), "a")
    checkpoint.register(Broken(), "b")
    with pytest.raises(OSError, match="no state"):
        checkpoint.collect()
    assert not checkpoint.is_complete
    assert checkpoint.get_state("a") is None


def test_states_without_an_object_are_not_collected_over():
    with pytest.raises(RuntimeError, match=r"no corresponding registered ops: \['a'\]"):
        loaded().collect()


def test_clear_forgets_everything(tmp_path):
    checkpoint = collected(a=Counter())
    checkpoint.save(tmp_path / "{seq}.json")
    checkpoint.clear()
    assert (checkpoint.names, checkpoint.is_complete, checkpoint.is_loaded) == ((), False, False)
    assert checkpoint.register(Other(), "a") == "a"
    checkpoint.collect()
    assert checkpoint.save(tmp_path / "elsewhere" / "{seq}.json").endswith("0.json")


def test_the_current_checkpoint_belongs_to_the_context():
    with ndd.EvalContext() as context:
        assert ndd.checkpoint.current() is context.checkpoint
    assert ndd.checkpoint.current() is ndd.EvalContext.default().checkpoint is not context.checkpoint
