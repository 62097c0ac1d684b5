"""`readers.Parquet`: columns of all kinds, files and folders of all kinds."""

from __future__ import annotations

import json
import os
from pathlib import Path

import fsspec
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import penstock.dynamic as ndd
from penstock.readers import Parquet
from readers.parquet_files import FILE, NUMBERS, write_arrow, write_parquet
from readers.promises import check_resume, contents, values

COLUMNS = {
    "image": (pa.array([{"bytes": b"i" * n, "path": None} for n in range(25)], FILE), "u8"),
    "text": (pa.array([f"täxt {n}" for n in range(25)]), "u8"),
    "binary": (pa.array([b"%d" % n for n in range(25)], pa.large_binary()), "u8"),
    "view": (pa.array([f"text {n}" for n in range(25)], pa.string_view()), "u8"),
    "hash": (pa.array([b"%04d" % n for n in range(25)], pa.binary(4)), "u8"),
    "class": (pa.array([f"class {n % 3}" for n in range(25)]).dictionary_encode(), "u8"),
    "label": (pa.array(range(25), pa.int64()), "i64"),
    "small": (pa.array(range(25), pa.uint16()), "u16"),
    "half": (pa.array(np.arange(25, dtype=np.float16)), "f16"),
    "score": (pa.array(np.arange(25) / 4, pa.float32()), "f32"),
    "ok": (pa.array([n % 3 == 0 for n in range(25)]), "bool"),
    "ids": (pa.array([list(range(n % 5)) for n in range(25)], pa.list_(pa.int32())), "i32"),
    "flags": (pa.array([[True] * (n % 4) for n in range(25)], pa.large_list(pa.bool_())), "bool"),
    "vector": (pa.array([[n, n + 0.5] for n in range(25)], pa.list_(pa.float64(), 2)), "f64"),
    "matrix": (pa.array([[[n, 1, 2]] * 2 for n in range(25)], pa.list_(pa.list_(pa.int8(), 3), 2)), "i8"),
    "boxes": (pa.array([[[n] * 4] * (n % 3) for n in range(25)], pa.list_(pa.list_(pa.float32(), 4))), "f32"),
}
TABLE = pa.table({name: array for name, (array, _) in COLUMNS.items()})


def numbers(count=25, **arguments):
    return values(next(Parquet(columns=["number"], **arguments).next_epoch(batch_size=count))["number"])


def as_stored(value):
    if isinstance(value, dict):
        value = value["bytes"]
    return [*(value.encode() if isinstance(value, str) else value)] if isinstance(value, (str, bytes)) else value


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("write", [write_parquet, write_arrow])
def test_a_column(tmp_path, name, write):
    table = TABLE if write is write_parquet else TABLE.drop_columns(["class"])
    if name not in table.column_names:
        with pytest.raises(RuntimeError, match="a dictionary; only Parquet files may have them"):
            next(Parquet(path=write(tmp_path / "t", TABLE)).next_epoch())
        return
    reader = ndd.readers.Parquet(path=write(tmp_path / "t", table), columns=[name])
    rows = next(reader.next_epoch(batch_size=25))
    assert list(rows) == [name]
    assert str(rows[name].dtype) == COLUMNS[name][1]
    assert values(rows[name]) == [as_stored(value) for value in COLUMNS[name][0].to_pylist()]


def test_all_columns_in_their_order_and_some_in_another(tmp_path):
    path = write_parquet(tmp_path / "t.parquet")
    assert list(next(Parquet(path=path).next_epoch())) == ["number", "text"]
    assert list(next(Parquet(path=path, columns=["text", "number"]).next_epoch())) == ["text", "number"]
    assert list(next(Parquet(path=path, columns="text").next_epoch())) == ["text"]


@pytest.mark.parametrize("write", [write_parquet, write_arrow])
def test_fields_of_a_struct(tmp_path, write):
    objects = pa.array([{"id": n, "inner": {"box": [n] * n}} for n in range(25)])
    path = write(tmp_path / "t", pa.table({"objects": objects, "a.b": list(range(25))}))
    rows = next(Parquet(path=path, columns=["objects.inner.box", "objects.id", "a.b"]).next_epoch(batch_size=25))
    assert contents(rows) == [[[n] * n for n in range(25)], list(range(25)), list(range(25))]


def test_numbers_are_scalars_and_samples_know_their_rows(tmp_path):
    paths = [write_parquet(tmp_path / f"{name}.parquet") for name in "ab"]
    rows = ndd.readers.Parquet(path=paths).read([24, 49, 3, 30])
    assert rows["number"].shape == [()] * 4
    told = [bytes(np.asarray(text)).decode() for text in ndd.get_property(rows["text"], key="source_info")]
    assert told == [f"{paths[0]} row 24", f"{paths[1]} row 24", f"{paths[0]} row 3", f"{paths[1]} row 5"]
    assert values(rows["number"]) == [24, 24, 3, 5]


@pytest.mark.parametrize("write", [write_parquet, write_arrow, lambda p: write_arrow(p, new=pa.ipc.new_file)])
@pytest.mark.parametrize("order", [{}, {"random_shuffle": True, "seed": 4, "initial_fill": 9}])
@pytest.mark.parametrize("shards", [{}, {"num_shards": 2, "shard_id": 1}])
def test_resuming_is_exact(tmp_path, write, order, shards):
    path = write(tmp_path / "t")
    check_resume(lambda: Parquet(path=path, enable_checkpointing=True, **order, **shards), batch_size=9)


def test_an_epoch_has_every_row_once_however_little_is_kept(tmp_path):
    path = write_parquet(tmp_path / "t.parquet", rows=2)
    for order in ({}, {"random_shuffle": True}, {"shuffle_after_epoch": True}, {"sampler": range(24, -1, -1)}):
        reader = Parquet(path=path, columns="number", cache_bytes=0, **order)
        for _ in range(2):
            seen = [n for rows in reader.next_epoch(batch_size=5) for n in values(rows["number"])]
            assert sorted(seen) == list(range(25))


def test_row_groups_are_read_once_while_they_are_kept(tmp_path, monkeypatch):
    path = write_parquet(tmp_path / "t.parquet", rows=5)
    loaded = []
    load = parquet.ParquetFile.read_row_group

    def note(file, part, **rest):
        if file.num_row_groups == 5:  # not the file of another test, whose reader may still be reading ahead
            loaded.append(part)
        return load(file, part, **rest)

    monkeypatch.setattr(parquet.ParquetFile, "read_row_group", note)
    reader = Parquet(path=path, columns="number", random_shuffle=True, initial_fill=12)
    assert len(list(reader.next_epoch(batch_size=4))) == 7
    assert sorted(loaded) == [0, 1, 2, 3, 4]


def test_files_by_pattern_and_folder(tmp_path):
    for year in (2024, 2025):
        write_parquet(tmp_path / f"year={year}" / "part-0.parquet", NUMBERS.slice(year - 2024, 1))
    write_parquet(tmp_path / "_temporary" / "left.parquet")
    (tmp_path / "_SUCCESS").write_text("")
    assert numbers(2, path=tmp_path) == [0, 1]
    assert numbers(1, path=f"{tmp_path}/year=2025/*.parquet") == [1]
    assert numbers(1, path=f"{tmp_path}/**/part-?.parquet") == [0]
    assert numbers(3, path=[f"{tmp_path}/year=2025", tmp_path]) == [1, 0, 1]


def test_a_folder_of_hugging_face_has_one_split_or_is_told_which(tmp_path):
    for at, split in enumerate(("train", "test", "train")):
        write_parquet(tmp_path / "data" / f"{split}-0000{at}-of-00003.parquet", NUMBERS.slice(at, 1))
    assert numbers(2, path=f"{tmp_path}/data/train-*.parquet") == [0, 2]
    with pytest.raises(RuntimeError, match=r"has files of the splits test, train; .* path='.*/data/train-\*\.parquet'"):
        numbers(path=tmp_path)


def test_a_data_set_that_hugging_face_saved(tmp_path):
    folder = tmp_path / "saved" / "train"
    files = ["data-00000-of-00002.arrow", "data-00001-of-00002.arrow"]
    for at, name in enumerate(files):
        write_arrow(folder / name, NUMBERS.slice(at, 1))
    (folder / "dataset_info.json").write_text("{}")
    (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": name} for name in files[::-1]]}))
    (folder.parent / "dataset_dict.json").write_text(json.dumps({"splits": ["train", "test"]}))
    assert numbers(2, path=folder) == [1, 0]
    with pytest.raises(RuntimeError, match=r"has several splits; path is one of '.*/saved/train', '.*/saved/test'"):
        numbers(path=folder.parent)


def test_tables_at_urls(tmp_path):
    system = fsspec.filesystem("memory")
    system.pipe_file("/tables/a.parquet", Path(write_parquet(tmp_path / "a.parquet")).read_bytes())
    system.pipe_file("/tables/b.parquet", Path(write_parquet(tmp_path / "b.parquet")).read_bytes())
    system.pipe_file("/arrow/c.arrow", Path(write_arrow(tmp_path / "c.arrow")).read_bytes())
    for path in ("memory://tables/*.parquet", "memory://tables", ["memory://arrow", "memory://tables/b.parquet"]):
        assert numbers(50, path=path) == [*range(25), *range(25)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_forked_child_reads_on(tmp_path):
    reader = Parquet(path=write_parquet(tmp_path / "t.parquet", rows=2), columns="number")
    epoch = reader.next_epoch(batch_size=5)
    next(epoch)
    child = os.fork()
    if child == 0:
        os._exit(0 if values(reader.read([24])["number"]) == [24] else 1)
    assert os.waitpid(child, 0)[1] == 0
