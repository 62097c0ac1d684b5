"""Attributes of iterators that training scripts read."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugin.pipelines import counted, of_files, of_source

pytest.importorskip("torch")
pytest.importorskip("jax")

from penstock.plugin import jax as of_jax
from penstock.plugin.jax.clu import DALIGenericPeekableIterator
from penstock.plugin.pytorch import (
    DALIClassificationIterator,
    DALIGenericIterator,
    DALIRaggedIterator,
    LastBatchPolicy,
)

GENERIC = [DALIGenericIterator, DALIRaggedIterator, of_jax.DALIGenericIterator, DALIGenericPeekableIterator]


@pytest.mark.parametrize("kind", GENERIC)
def test_names_batch_size_and_the_size_that_was_found(kind: type, tmp_path: Path) -> None:
    names = ("number", "drawn")
    batches = kind(of_files(tmp_path), names, reader_name="files")
    assert batches.output_map is names
    assert (batches.batch_size, batches._size) == (3, 9)


def test_a_classification_has_two_names(tmp_path: Path) -> None:
    batches = DALIClassificationIterator(of_files(tmp_path), size=7)
    assert (batches.output_map, batches._size) == (["data", "label"], 7)


def test_the_size_is_that_of_the_current_epoch(tmp_path: Path) -> None:
    batches = DALIGenericIterator(of_files(tmp_path, count=10), ["number", "drawn"], reader_name="files")
    sizes = []
    for _ in range(3):
        steps = sum(1 for _ in batches)
        sizes.append((batches._size, steps))
        batches.reset()
    assert sizes == [(12, 4), (9, 3), (9, 3)]  # as DALI's
    dropping = DALIGenericIterator(
        of_files(tmp_path, count=10), ["number", "drawn"], reader_name="files", last_batch_policy=LastBatchPolicy.DROP
    )
    assert dropping._size == 10
    assert DALIGenericIterator(of_source(counted(2)), ["number"])._size == -1
