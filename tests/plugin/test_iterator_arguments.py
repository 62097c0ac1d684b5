"""What iterators refuse, and what they say then."""

from __future__ import annotations

import importlib
import sys

import pytest

from penstock.plugin.pytorch import DALIGenericIterator
from plugin.pipelines import epoch, of_files


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"size": 7, "reader_name": "files"}, AssertionError, "size should not be set"),
        ({"reader_name": "files", "last_batch_padded": True}, AssertionError, "last_batch_padded should not be set"),
        ({"reader_name": "nobody"}, RuntimeError, "Operator nobody not found"),
        ({"size": 0}, AssertionError, "Size cannot be 0"),
        ({"reader_name": "files", "auto_reset": "maybe"}, ValueError, "Unsupported value for `auto_reset` 'maybe'"),
        ({"reader_name": "files", "auto_reset": 1}, ValueError, "Unsupported value for `auto_reset` 1"),
        ({"reader_name": "files", "last_batch_policy": "DROP"}, ValueError, "Wrong type for `last_batch_policy`"),
        ({"reader_name": "files", "output_map": ["a", "a"]}, AssertionError, "should be distinct"),
        ({"reader_name": "files", "output_map": ["a"]}, IndexError, "has 2 outputs, output_map names 1"),
        ({"reader_name": "files", "output_map": ["a", "b", "c"]}, KeyError, "c"),
        ({"pipelines": None}, AssertionError, "at least 1"),
        ({"pipelines": []}, AssertionError, "at least 1"),
    ],
)  # fmt: skip
def test_what_an_iterator_may_not_be_told(tmp_path, options, error, message):
    with pytest.raises(error, match=message):
        DALIGenericIterator(**{"pipelines": of_files(tmp_path), "output_map": ["number", "drawn"], **options})


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ({}, {"batch_size": 2}, "same batch size"),
        ({}, {"count": 5}, "same size value"),
        ({}, {"pad_last_batch": True}, "same `pad_last_batch`"),
        ({}, {"stick_to_shard": True}, "same `stick_to_shard`"),
        ({"num_shards": 2}, {"num_shards": 3, "shard_id": 1}, "same `num_shards`"),
    ],
)
def test_pipelines_must_agree(tmp_path, first, second, message):
    pipelines = [of_files(tmp_path, **first), of_files(tmp_path, **second)]
    with pytest.raises(AssertionError, match=message):
        DALIGenericIterator(pipelines, ["number", "drawn"], reader_name="files")
    with pytest.raises(AssertionError):
        DALIGenericIterator(pipelines, ["number", "drawn"])


def test_an_older_way_to_say_the_policy(tmp_path):
    for fill, last in ((True, "601"), (False, "6")):
        with pytest.warns(DeprecationWarning, match="last_batch_policy"):
            batches = DALIGenericIterator(
                of_files(tmp_path), ["number", "drawn"], reader_name="files", fill_last_batch=fill
            )
        assert epoch(batches) == f"012 345 {last}"


def test_a_pipeline_is_run_in_one_way(tmp_path):
    pipeline = of_files(tmp_path)
    DALIGenericIterator(pipeline, ["number", "drawn"], reader_name="files")
    with pytest.raises(RuntimeError, match=r"Mixing pipeline API type.*ITERATOR.*BASIC"):
        pipeline.run()


def test_without_torch_the_extra_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("penstock.plugin.pytorch")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"pip install penstock\[torch\]"):
        importlib.import_module("penstock.plugin.pytorch")
