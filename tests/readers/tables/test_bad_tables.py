"""Tables that cannot be read: an error that names file, row and column."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from penstock.readers import Parquet
from readers.parquet_files import FILE, NUMBERS, write_arrow, write_parquet
from readers.promises import contents, values


@pytest.mark.parametrize("write", [write_parquet, write_arrow])
@pytest.mark.parametrize(
    "column",
    [
        pa.array([1, 2, None, 4]),
        pa.array([True, False, None, True]),
        pa.array(["a", "b", None, "d"]),
        pa.array([[1], [2, 3], None, []], pa.list_(pa.int32())),
        pa.array([[1], [2, 3], [4, None, 5], []], pa.list_(pa.int32())),
        pa.array([[1, 2], [2, 3], [None, 5], [6, 7]], pa.list_(pa.float32(), 2)),
        pa.array([[[1, 2]], [], [[3, None]], [[5, 6]]], pa.list_(pa.list_(pa.float32(), 2))),
        pa.array([{"bytes": b"x"}, {"bytes": b"y"}, {"path": "x.jpg"}, {"bytes": b"z"}], FILE),
        pa.array([{"bytes": b"x"}, {"bytes": b"y"}, None, {"bytes": b"z"}], FILE),
    ],
)
def test_a_null_is_a_sample_that_cannot_be_read(tmp_path, column, write):
    path = write(tmp_path / "t", pa.table({"first": [0, 1, 2, 3], "x": column}), 3)
    with pytest.raises(RuntimeError, match="t row 2: column 'x' is null or has a null in it"):
        next(Parquet(path=path).next_epoch(batch_size=4))
    reader = Parquet(path=path, on_error="skip")
    assert [n for rows in reader.next_epoch(batch_size=1) for n in values(rows["first"])] == [0, 1, 3]
    assert [bad.source for bad in reader.errors] == [f"{path} row 2"]


@pytest.mark.parametrize(
    ("column", "why"),
    [
        (pa.array([{"a": 1, "b": 2}]), "column 'x': it is a struct; name its fields: a, b"),
        (pa.array([["a", "b"]]), "column 'x': it is of type list<"),
        (pa.array([[[1], [2, 3]]]), "column 'x': it is of type list<"),
        (pa.array([[{"a": 1}]]), "column 'x': it is a struct"),
        (pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int32())), "column 'x': it is of type map<"),
        (pa.array([0], pa.timestamp("s")), "column 'x': it is of type timestamp"),
        (pa.array([None], pa.null()), "column 'x': it is of type null"),
    ],
)
def test_types_that_cannot_be_read(tmp_path, column, why):
    with pytest.raises(RuntimeError, match=rf"t\.parquet: {why}"):
        next(Parquet(path=write_parquet(tmp_path / "t.parquet", pa.table({"x": column}))).next_epoch())


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        (["nope"], r"t\.parquet has no column 'nope', but 'number', 'text'"),
        (["number.x"], r"t\.parquet: column 'number\.x': there is no field 'x' in int32"),
        (["nope.x"], r"t\.parquet has no column 'nope\.x'"),
    ],
)
def test_columns_that_are_not_there(tmp_path, columns, why):
    with pytest.raises(RuntimeError, match=why):
        next(Parquet(path=write_parquet(tmp_path / "t.parquet"), columns=columns).next_epoch())


def test_arguments_that_make_no_sense():
    for columns in ([], ["a", "a"]):
        with pytest.raises(ValueError, match="names at least one column, and none twice"):
            Parquet(path="t.parquet", columns=columns)
    with pytest.raises(TypeError, match="did you mean 'columns'"):
        Parquet(path="t.parquet", column="a")


def test_files_that_do_not_go_together(tmp_path):
    first = write_parquet(tmp_path / "a.parquet")
    other = write_parquet(tmp_path / "b.parquet", pa.table({"number": ["one"]}))
    with pytest.raises(RuntimeError, match=r"b\.parquet: column 'number' is string, in .*a\.parquet it is int32"):
        next(Parquet(path=[first, other], columns="number").next_epoch())
    with pytest.raises(RuntimeError, match=r"b\.parquet has no column 'text', .*a\.parquet has one"):
        next(Parquet(path=[first, other], columns="text").next_epoch())


def test_there_is_nothing_to_read(tmp_path):
    (tmp_path / "empty").mkdir()
    for path, why in (
        ([], "path is an empty list"),
        (tmp_path / "empty", "there are no Parquet or Arrow files at .*empty"),
        (f"{tmp_path}/a*.parquet", r"there are no Parquet or Arrow files at .*a\*\.parquet"),
        (tmp_path / "nope.parquet", r"Cannot open: .*nope\.parquet: No such file"),
        (write_parquet(tmp_path / "none.parquet", NUMBERS.slice(0, 0)), r"there are no rows in .*none\.parquet"),
    ):
        with pytest.raises(RuntimeError, match=why):
            next(Parquet(path=path).next_epoch())


@pytest.mark.parametrize(
    ("state", "why"),
    [("{", "state.json: "), ("[]", "not an object"), ('{"_data_files": [1]}', "no list of file names")],
)
def test_a_damaged_description_of_a_data_set(tmp_path, state, why):
    (tmp_path / "state.json").write_text(state)
    with pytest.raises(RuntimeError, match=why):
        next(Parquet(path=tmp_path).next_epoch())


@pytest.mark.parametrize("write", [write_parquet, write_arrow])
def test_files_that_are_cut_short(tmp_path, write):
    path = tmp_path / "t"
    whole = Path(write(path)).read_bytes()
    for left in (0, 3, 20, len(whole) // 2, len(whole) - 20):
        path.write_bytes(whole[:left])
        with pytest.raises(RuntimeError, match=f"{path}"):
            [contents(rows) for rows in Parquet(path=path).next_epoch(batch_size=25)]


def test_what_is_no_table(tmp_path):
    (tmp_path / "t.parquet").write_text("This is a text. " * 100)
    with pytest.raises(RuntimeError, match=r"t\.parquet: at byte 0: there is no message of Arrow"):
        next(Parquet(path=tmp_path / "t.parquet").next_epoch())


def test_a_damaged_row_group_can_be_skipped(tmp_path):
    table = pa.table({"number": np.arange(40), "noise": [random.Random(n).randbytes(200) for n in range(40)]})
    path = tmp_path / "t.parquet"
    parquet.write_table(table, path, row_group_size=10, compression="zstd", use_dictionary=False)
    chunk = parquet.ParquetFile(path).metadata.row_group(2).column(0)
    data = bytearray(path.read_bytes())
    data[chunk.data_page_offset : chunk.data_page_offset + 60] = b"\xff" * 60
    path.write_bytes(data)
    with pytest.raises(RuntimeError, match=r"t\.parquet: part 2 of 4"):
        [contents(rows) for rows in Parquet(path=path).next_epoch(batch_size=10)]
    reader = Parquet(path=path, on_error="skip", columns="number")
    seen = [n for rows in reader.next_epoch(batch_size=1) for n in values(rows["number"])]
    assert seen == [*range(20), *range(30, 40)]
    assert len(reader.errors) == 10


def test_flipped_bits_of_arrow_files_are_refused_or_go_unseen(tmp_path):
    table = pa.table({"text": [f"row {n}" * n for n in range(25)], "ids": [list(range(n)) for n in range(25)]})
    path = tmp_path / "t.arrow"
    whole = Path(write_arrow(path, table)).read_bytes()
    numbers = random.Random(0)
    refused = 0
    for _ in range(100):
        data = bytearray(whole)
        for _ in range(numbers.randint(1, 3)):
            data[numbers.randrange(len(data))] ^= 1 << numbers.randrange(8)
        path.write_bytes(data)
        try:
            for rows in Parquet(path=path).next_epoch(batch_size=25):
                contents(rows)
        except RuntimeError:
            refused += 1
    assert 0 < refused < 100


def test_pyarrow_is_asked_for_where_it_is_missing(tmp_path, monkeypatch):
    path = write_parquet(tmp_path / "t.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"readers\.Parquet needs pyarrow: pip install penstock\[parquet\]"):
        next(Parquet(path=path).next_epoch())


def test_columns_of_one_name_are_refused_where_they_are_wanted(tmp_path):
    given = pa.Table.from_arrays([pa.array([1]), pa.array([2]), pa.array([3])], names=["a", "a", "b"])
    with pa.ipc.new_file(tmp_path / "a.arrow", given.schema) as file:
        file.write_table(given)
    with pytest.raises(RuntimeError, match=r"a\.arrow has 2 columns 'a'"):
        Parquet(path=tmp_path / "a.arrow").get_metadata()
    assert Parquet(path=tmp_path / "a.arrow", columns="b").get_metadata()["epoch_size"] == 1


def test_a_name_that_is_no_text_is_refused(tmp_path):
    with pa.ipc.new_file(tmp_path / "a.arrow", pa.schema([("column", pa.int64())])) as file:
        file.write_table(pa.table({"column": [1]}))
    data = (tmp_path / "a.arrow").read_bytes()
    (tmp_path / "a.arrow").write_bytes(data.replace(b"column", b"colum\xa0"))
    with pytest.raises(RuntimeError, match=r"a\.arrow: 'utf-8' codec can't decode"):
        Parquet(path=tmp_path / "a.arrow").get_metadata()


def test_a_few_columns_of_a_row_group_beyond_the_limit_are_read(tmp_path):
    given = pa.table({"large": [bytes(1000)] * 3000, "small": list(range(3000))})
    parquet.write_table(given, tmp_path / "a.parquet", compression="none", use_dictionary=False)
    limit = {"path": tmp_path / "a.parquet", "max_bytes": 100_000}
    rows = Parquet(**limit, columns="small").read([0, 2999])
    assert rows["small"].array().ravel().tolist() == [0, 2999]
    with pytest.raises(
        RuntimeError, match=r"row group 0 would take \d+ bytes of memory, more than the limit of 100000"
    ):
        Parquet(**limit, columns="large").read([0])


@pytest.mark.parametrize("codec", ["lz4", "zstd"])
def test_a_record_batch_is_not_unpacked_beyond_the_limit(tmp_path, codec):
    given = pa.table({"zeros": [bytes(100_000)] * 2})
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with pa.ipc.new_file(tmp_path / "a.arrow", given.schema, options=options) as file:
        file.write_table(given)
    assert (tmp_path / "a.arrow").stat().st_size < 5000
    assert Parquet(path=tmp_path / "a.arrow", max_bytes=201_000).read([1])["zeros"].shape(0) == (100_000,)
    with pytest.raises(
        RuntimeError, match=r"record batch 0 would take 2000\d\d bytes of memory, more than the limit of 200000"
    ):
        Parquet(path=tmp_path / "a.arrow", max_bytes=200_000).read([1])


def test_a_part_of_fewer_than_no_rows_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"a": [1, 2, 3]}), path)
    data = bytearray(path.read_bytes())
    for at in range(len(data) - 1, 0, -1):  # the count of a row group is a 6 in its footer, -3 a 5
        if data[at] != 6:
            continue
        data[at] = 5
        path.write_bytes(data)
        if parquet.read_metadata(path).row_group(0).num_rows < 0:
            break
        data[at] = 6
    with pytest.raises(RuntimeError, match="it is damaged: a part of it has -3 rows"):
        Parquet(path=path).get_metadata()
