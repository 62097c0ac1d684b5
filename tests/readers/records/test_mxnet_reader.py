"""`readers.MXNet`: images and labels, indices, records in parts, damaged files."""

from __future__ import annotations

import struct

import fsspec
import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.readers import MXNet
from readers.promises import check_resume, contents, values
from readers.record_files import MAGIC, packed_image, recordio_record, write_recordio

SEVEN = [packed_image(b"file" * n + b"+", float(n)) for n in range(7)]


@pytest.fixture
def files(tmp_path):
    return write_recordio(tmp_path / "seven.rec", SEVEN)


def read(count, **arguments):
    images, labels = next(MXNet(**arguments).next_epoch(batch_size=count))
    return [bytes(image) for image in values(images)], values(labels)


@pytest.mark.parametrize("indexed", [True, False])
def test_images_and_labels(files, indexed):
    images, labels = read(7, path=files[0], index_path=files[1] if indexed else None)
    assert images == [b"file" * n + b"+" for n in range(7)]
    assert labels == [[float(n)] for n in range(7)]


@pytest.mark.parametrize("indexed", [True, False])
def test_several_labels_and_records_in_parts(tmp_path, indexed):
    inside = b"1234" + MAGIC + b"5" * 8 + MAGIC + MAGIC + b"67"
    payloads = [
        packed_image(b"one", [1.0, 2.0, 3.0]),
        packed_image(inside, [4.0]),
        packed_image(b"", 5.0),
        packed_image(b"x" + MAGIC, []),
    ]
    path, index = write_recordio(tmp_path / "f.rec", payloads)
    images, labels = read(4, path=path, index_path=index if indexed else None)
    assert images == [b"one", inside, b"", b"x" + MAGIC]
    assert labels == [[1.0, 2.0, 3.0], [4.0], [5.0], [0.0]]


def test_a_sample_knows_its_file_and_offset(files):
    images, labels = next(ndd.readers.MXNet(path=files[0], index_path=files[1]).next_epoch(batch_size=2))
    assert (labels.dtype, labels.shape) == (ndd.float32, [(1,), (1,)])
    told = [bytes(np.asarray(text)).decode() for text in ndd.get_property(images, key="source_info")]
    assert told == [f"{files[0]} at index 0", f"{files[0]} at index {len(recordio_record(SEVEN[0]))}"]


def test_the_order_is_that_of_the_offsets_and_records_may_be_left_out(files, tmp_path):
    lines = files[1].read_text().splitlines()
    (tmp_path / "some.idx").write_text("\n".join([*lines[:2:-1], lines[0]]))
    assert read(5, path=files[0], index_path=str(tmp_path / "some.idx"))[1] == [[0.0], [3.0], [4.0], [5.0], [6.0]]


def test_several_files(files, tmp_path):
    other, other_index = write_recordio(tmp_path / "other.rec", [packed_image(b"", float(n)) for n in (10, 11)])
    shift = sum(len(recordio_record(payload)) for payload in SEVEN)
    rows = [line.split() for line in other_index.read_text().splitlines()]
    running = files[1].read_text() + "".join(f"{int(n) + 7}\t{int(at) + shift}\n" for n, at in rows)
    (tmp_path / "running.idx").write_text(running)
    expected = [[float(n)] for n in (*range(7), 10, 11)]
    for index in (None, [files[1], other_index], str(tmp_path / "running.idx")):
        assert read(9, path=[files[0], other], index_path=index)[1] == expected


def test_files_at_urls():
    fsspec.filesystem("memory").pipe_file("/seven.rec", b"".join(map(recordio_record, SEVEN)))
    assert read(7, path="memory://seven.rec")[1] == [[float(n)] for n in range(7)]


@pytest.mark.parametrize("order", [{}, {"random_shuffle": True, "seed": 4, "initial_fill": 3}])
@pytest.mark.parametrize("shards", [{}, {"num_shards": 2, "shard_id": 1}])
def test_resuming_is_exact(files, order, shards):
    check_resume(lambda: MXNet(path=files[0], index_path=files[1], enable_checkpointing=True, **order, **shards))


@pytest.mark.parametrize(
    ("index", "why"),
    [
        ("0\tx\n", "line 1: not number and offset"),
        ("0\t0\n1\t0\n", "two records at offset 0"),
        ("0\t0\n1\t999999\n", "Incomplete or corrupted record files: .* a record at offset 999999, behind the"),
        ("0\t4\n", r"Invalid RecordIO: wrong magic number: .*seven\.rec at index 4"),
        ("", "RecordIO index file doesn't contain any indices"),
    ],
)
def test_a_wrong_index(files, tmp_path, index, why):
    (tmp_path / "wrong.idx").write_text(index)
    with pytest.raises(RuntimeError, match=why):
        read(1, path=files[0], index_path=str(tmp_path / "wrong.idx"))


def test_missing_files_and_an_index_too_many(files, tmp_path):
    for arguments in ({"path": str(tmp_path / "nope")}, {"path": files[0], "index_path": str(tmp_path / "nope")}):
        with pytest.raises(RuntimeError, match="nope: No such file"):
            read(1, **arguments)
    with pytest.raises(RuntimeError, match="2 index files for 1 data files"):
        read(1, path=files[0], index_path=[files[1]] * 2)


@pytest.mark.parametrize(
    ("contents", "why"),
    [
        (recordio_record(SEVEN[3])[:-4], "the record takes 48 bytes, the file has 44 more"),
        (recordio_record(SEVEN[3]) + b"1234", "at index 48: the file ends within the header"),
        (b"no records here", "at index 0: wrong magic number"),
        (MAGIC + struct.pack("<I", 5 << 29 | 4) + bytes(4), "a record has no part 5"),
        (recordio_record(bytes(24) + MAGIC)[:32], "the last record has no last part"),
        (recordio_record(bytes(24) + MAGIC)[32:], "the parts of a record do not follow each other"),
    ],
)
def test_a_damaged_file_without_an_index(tmp_path, contents, why):
    (tmp_path / "bad.rec").write_bytes(contents)
    with pytest.raises(RuntimeError, match=rf"bad\.rec: .*{why}"):
        read(1, path=str(tmp_path / "bad.rec"))


@pytest.mark.parametrize(
    ("contents", "why"),
    [
        (recordio_record(b"short"), "the record has 5 bytes, an image has at least 24"),
        (recordio_record(struct.pack("<IfQQ", 900, 0, 0, 0) + b"1234"), "900 labels in 4 bytes"),
        (recordio_record(SEVEN[3])[:-4], "the record has 37 bytes, only 36 are there"),
        (recordio_record(bytes(24) + MAGIC)[:32], "the file ends within the header"),
        (recordio_record(bytes(24) + MAGIC)[32:], "a later part of another"),
        (recordio_record(bytes(24) + MAGIC)[:32] + recordio_record(b"next"), "a record begins within the parts"),
    ],
)
def test_a_damaged_record(files, tmp_path, contents, why):
    (tmp_path / "bad.rec").write_bytes(contents)
    (tmp_path / "bad.idx").write_text("0\t0\n")
    with pytest.raises(RuntimeError, match=rf"Invalid RecordIO: .*{why}.*: .*bad\.rec at index 0"):
        read(1, path=str(tmp_path / "bad.rec"), index_path=str(tmp_path / "bad.idx"))
    arguments = {"path": [files[0], str(tmp_path / "bad.rec")], "index_path": [files[1], str(tmp_path / "bad.idx")]}
    assert read(7, **arguments)[1] == [[float(n)] for n in range(7)]


def test_damaged_records_can_be_skipped(files):
    with open(files[0], "r+b") as file:
        file.seek(len(recordio_record(SEVEN[0])))
        file.write(b"gone")
    reader = MXNet(path=files[0], index_path=files[1], on_error="skip")
    assert [contents(batch)[1][0] for batch in reader.next_epoch(batch_size=1)] == [
        [0.0],
        *([float(n)] for n in range(2, 7)),
    ]
    assert len(reader.errors) == 1
