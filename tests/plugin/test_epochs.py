"""Which batches an epoch has, for every policy, padding and sharding."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from penstock.plugin.epochs import Epochs
from penstock.plugin.pytorch import DALIGenericIterator, LastBatchPolicy
from plugin.pipelines import OF_PIPELINE, digits, epoch, of_files

# What DALI 2.4.0 hands out of seven samples in batches of three: epochs of batches, "/" between pipelines, "-" for an
# empty batch.
OBSERVED = json.loads((Path(__file__).parent / "observed_epochs.json").read_text())


def iterator(root: Path, row: dict[str, Any], **options: Any) -> DALIGenericIterator:
    sharding = {"pad_last_batch": row["pad"], "stick_to_shard": row["stick"], "num_shards": row["shards"]}
    of_pipeline = {name: options.pop(name) for name in OF_PIPELINE if name in options}
    pipelines = [of_files(root, shard_id=shard, **sharding, **of_pipeline) for shard in row["of"]]
    if "size" in row:
        options |= {"size": row["size"], "last_batch_padded": row["padded"]}
    else:
        options |= {"reader_name": "files"}
    policy = LastBatchPolicy[row["policy"]]
    return DALIGenericIterator(pipelines, ["number", "drawn"], last_batch_policy=policy, **options)


def hands_out_padding(row: dict[str, Any]) -> bool:
    """Where DALI does not drop the last batch of a padded shard, and an epoch of nothing but padding follows."""
    by_reader = "size" not in row and row["policy"] == "DROP" and row["pad"]
    return by_reader and row["shards"] == 2


def described(row: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in row.items() if name != "epochs").replace(", ", "+")


@pytest.mark.parametrize("row", [row for row in OBSERVED if not hands_out_padding(row)], ids=described)
def test_epochs_are_those_of_the_real_library(tmp_path, row):
    if row["epochs"].startswith("RuntimeError"):
        with pytest.raises(RuntimeError, match="It seems that there is no data in the pipeline"):
            iterator(tmp_path, row)
        unprepared = iterator(tmp_path, row, prepare_first_batch=False)
        assert [epoch(unprepared), epoch(unprepared)] == ["", ""]
        return
    wanted = row["epochs"].split(" | ")
    batches, made = iterator(tmp_path, row), []
    for _ in wanted:
        iter(batches)
        length = len(batches)
        made.append(epoch(batches))
        assert length == len(made[-1].split())
        with pytest.raises(StopIteration):
            next(batches)
    assert made == wanted
    again = iterator(tmp_path, row, auto_reset="yes")
    assert [epoch(again) for _ in wanted] == wanted


@pytest.mark.parametrize("stick", [False, True])
def test_dropped_padding_is_not_the_next_epoch(tmp_path, stick):
    batches = iterator(tmp_path, {"policy": "DROP", "pad": True, "stick": stick, "shards": 2, "of": [0, 1]})
    assert [epoch(batches) for _ in range(3)] == ["012/345", "012/345" if stick else "345/012", "012/345"]


def test_every_process_makes_as_many_steps():
    for size in range(1, 13):
        for shards in range(1, min(size, 4) + 1):
            parts = [size * (k + 1) // shards - size * k // shards for k in range(shards)]
            for batch_size in (1, 2, 5):
                epochs = Epochs(parts, batch_size, LastBatchPolicy.FILL, padded=False, rotating=True)
                taken = 0
                for number in range(1, 6):
                    taken += epochs.length * batch_size
                    assert epochs.length >= 1
                    assert taken * shards >= number * (size - size % shards)
                    epochs.next()


def test_sizes_are_told(tmp_path):
    row = {"policy": "FILL", "pad": False, "stick": False, "shards": 1, "of": [0]}
    batches = iterator(tmp_path, row)
    assert (batches.size, len(batches)) == (9, 3)
    epoch(batches)
    batches.reset()
    assert (batches.size, len(batches)) == (6, 2)
    assert iterator(tmp_path, {**row, "pad": True, "shards": 2}).size == 4
    assert iterator(tmp_path, {**row, "policy": "DROP", "shards": 2}).size == 3
    assert iterator(tmp_path, {**row, "size": 5, "padded": False}).size == 5
    endless = DALIGenericIterator(of_files(tmp_path), ["number", "drawn"])
    assert (endless.size, len(endless)) == (-1, 0)
    assert [digits(next(endless)) for _ in range(4)] == ["012", "345", "601", "234"]


RESUMED = [row for row in OBSERVED if "size" not in row and row["of"] in ([0], [0, 1]) and ":" not in row["epochs"]]


def steps(batches: DALIGenericIterator, count: int) -> list[Any]:
    made: list[Any] = []
    while len(made) < count:
        try:
            step = next(batches)
            made.append((digits(step), [pipeline["drawn"].tolist() for pipeline in step]))
        except StopIteration:
            made.append("over")
            batches.reset()
    return made


@pytest.mark.parametrize("row", RESUMED, ids=described)
@pytest.mark.parametrize("prepared", [False, True])
def test_a_checkpoint_resumes_at_the_next_batch(tmp_path, row, prepared):
    options = {"enable_checkpointing": True, "seed": 7, "prepare_first_batch": prepared}
    whole = steps(iterator(tmp_path, row, **options), 10)
    saving = iterator(tmp_path, row, **options)
    for stop in range(6):
        saved = saving.checkpoints()
        resumed = [
            of_files(
                tmp_path, checkpoint=checkpoint, shard_id=shard, enable_checkpointing=True, num_shards=row["shards"],
                pad_last_batch=row["pad"], stick_to_shard=row["stick"],
            )
            for shard, checkpoint in zip(row["of"], saved, strict=True)
        ]  # fmt: skip
        policy = LastBatchPolicy[row["policy"]]
        batches = DALIGenericIterator(resumed, ["number", "drawn"], reader_name="files", last_batch_policy=policy)
        assert steps(batches, 4) == whole[stop : stop + 4]
        assert steps(saving, 1) == whole[stop : stop + 1]


@pytest.mark.parametrize("row", RESUMED, ids=described)
@pytest.mark.parametrize("prepared", [False, True])
def test_a_state_dict_is_gone_on_from_by_an_iterator_that_is_running_or_new(tmp_path, row, prepared):
    options = {"enable_checkpointing": True, "prepare_first_batch": prepared}
    whole = iterator(tmp_path, row, seed=7, **options)
    states, made = [], []
    for _ in range(8):
        states.append(json.loads(json.dumps(whole.state_dict())))
        made += steps(whole, 1)
    for stop in (5, 2, 0):
        whole.load_state_dict(states[stop])
        assert whole.state_dict() == states[stop]
        assert steps(whole, 3) == made[stop : stop + 3]
        new = iterator(tmp_path, row, seed=8, **options)
        new.load_state_dict(states[stop])
        assert steps(new, 3) == made[stop : stop + 3]


def test_a_state_dict_of_another_number_of_pipelines_is_refused(tmp_path):
    batches = DALIGenericIterator(
        of_files(tmp_path, enable_checkpointing=True), ["number", "drawn"], reader_name="files"
    )
    state = batches.state_dict()
    with pytest.raises(ValueError, match="the state is that of 2 pipelines, there are 1"):
        batches.load_state_dict({"pipelines": state["pipelines"] * 2})
    with pytest.raises(RuntimeError, match="checkpoint"):
        batches.load_state_dict({"pipelines": ["{}"]})
    assert epoch(batches) == "012 345 601"


def test_a_checkpoint_of_a_pipeline_alone(tmp_path, caplog):
    pipeline = of_files(tmp_path, enable_checkpointing=True)
    pipeline.run()
    resumed = of_files(tmp_path, enable_checkpointing=True, checkpoint=pipeline.checkpoint())
    batches = DALIGenericIterator(resumed, ["number", "drawn"], reader_name="files")
    assert "Iterator data was not saved in the checkpoint" in caplog.text
    assert epoch(batches) == "345 601 234"
    with pytest.raises(ValueError, match="Cannot access checkpoints with checkpointing disabled"):
        DALIGenericIterator(of_files(tmp_path), ["number", "drawn"], reader_name="files").checkpoints()
