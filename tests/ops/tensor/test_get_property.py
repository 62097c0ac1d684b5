"""get_property: the layout of samples and where they came from."""

import numpy as np
import pytest

import penstock.dynamic as ndd


def texts(batch):
    return [np.asarray(t).tobytes().decode() for t in batch]


def test_layouts():
    assert texts(ndd.get_property(ndd.batch([[[1]], [[2]]], layout="HW"), key="layout")) == ["HW", "HW"]
    assert texts([ndd.get_property(ndd.tensor([1]), key="layout")]) == [""]
    assert ndd.get_property(ndd.tensor([1]), key="layout").dtype == ndd.uint8


def test_sources_of_files(tmp_path):
    for name in ("a", "bcd"):
        (tmp_path / name).write_text(name)
    reader = ndd.readers.File(files=[str(tmp_path / name) for name in ("a", "bcd")])
    files, labels = next(reader.next_epoch(batch_size=2))
    wanted = [str(tmp_path / name) for name in ("a", "bcd")]
    assert texts(ndd.get_property(files, key="source_info")) == wanted
    assert texts(ndd.get_property(ndd.cast(files, dtype=ndd.int32), key="source_info")) == wanted
    assert texts(ndd.get_property(labels, key="source_info")) == ["", ""]


def test_what_was_not_read_has_no_source():
    assert ndd.get_property(ndd.batch([1, 2]), key="source_info").shape == [(0,), (0,)]
    assert ndd.get_property(ndd.batch([], dtype=ndd.uint8), key="source_info").batch_size == 0


def test_bad_keys():
    with pytest.raises(RuntimeError, match="choose from 'layout', 'source_info'"):
        ndd.get_property([1], key="size")
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'key'"):
        ndd.get_property([1])
