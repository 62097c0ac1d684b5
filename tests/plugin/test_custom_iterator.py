"""Iterators that programs derive from what DALI calls `_DaliBaseIterator`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.plugin.custom_iterator import CustomIterator
from penstock.plugin.epochs import LastBatchPolicy
from plugin.pipelines import counted, of_files, of_source


class Digits(CustomIterator):
    """Hands out the numbers of a step as text."""

    def __init__(self, pipelines: Any, **options: Any) -> None:
        super().__init__(pipelines, **options)
        if self._prepare_first_batch:
            try:
                self._first_batch = Digits.__next__(self)
            except StopIteration:
                self._report_no_data_in_pipeline()

    def __next__(self) -> str:
        if self._first_batch is not None:
            batch, self._first_batch = self._first_batch, None
            return str(batch)
        outputs = self._get_outputs()
        self._schedule_runs()
        self._advance_and_check_drop_last()
        _, left = self._remove_padded()
        made = [np.ravel(batch[0].as_array())[:count] for batch, count in zip(outputs, left, strict=True)]
        return "/".join("".join(map(str, numbers)) for numbers in made)


def test_it_goes_on_at_the_batch_that_the_program_has_not_got(tmp_path: Path) -> None:
    batches = Digits(of_files(tmp_path, enable_checkpointing=True), reader_name="files")
    states = [batches.checkpoints()]
    seen = []
    for batch in batches:
        seen.append(batch)
        states.append(batches.checkpoints())
    assert seen == ["012", "345", "601"]
    for place, [state] in enumerate(states):
        restored = Digits(
            of_files(tmp_path, enable_checkpointing=True, checkpoint=state),
            reader_name="files",
            prepare_first_batch=place < len(seen),
        )
        assert [*restored] == (seen[place:] or ["234", "560"])  # iter() begins the next epoch


def test_an_epoch_of_one_batch_is_not_lost(tmp_path: Path) -> None:
    batches = Digits(of_files(tmp_path, count=2), reader_name="files", last_batch_policy=LastBatchPolicy.PARTIAL)
    assert [*batches] == ["01"]


def test_it_tells_that_there_is_nothing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="there is no data in the pipeline"):
        Digits(of_files(tmp_path, count=2), reader_name="files", last_batch_policy=LastBatchPolicy.DROP)


def test_a_source_ends_it_and_it_begins_anew() -> None:
    batches = Digits(of_source(counted(2), cycle="raise"), auto_reset=True)
    assert [[*batches] for _ in range(2)] == [["000", "111"], ["000", "111"]]
    with pytest.raises(StopIteration):
        batches._end_iteration()


def test_what_subclasses_read(tmp_path: Path) -> None:
    pipelines = [of_files(tmp_path, shard_id=shard, num_shards=2) for shard in range(2)]
    batches = Digits(pipelines, reader_name="files")
    assert (batches._num_gpus, batches._pipes, batches._reader_name) == (2, pipelines, "files")
    assert (batches._shards_num, batches._shards_id, batches._size_no_pad) == (2, [0, 1], 7)
    assert (batches._counter, batches._last_batch_policy) == (3, LastBatchPolicy.FILL)
    assert not batches._advance_and_check_drop_last(dry_run=True)
    by_size = Digits([of_files(tmp_path), of_files(tmp_path)], size=14)
    assert (by_size._counter, by_size._shards_num, by_size._reader_name) == (6, 1, None)
