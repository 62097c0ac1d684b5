"""`readers.TFRecord` and what it cannot read: errors name the file and the offset."""

from __future__ import annotations

from pathlib import Path

import pytest

import penstock.tfrecord as tfrec
from penstock.readers import TFRecord
from readers.promises import values
from readers.record_files import example, field, framed, ten_examples, write_tfrecord

IMAGE = tfrec.FixedLenFeature((), tfrec.string, "")
LABEL = tfrec.FixedLenFeature([1], tfrec.int64, -1)


@pytest.fixture
def files(tmp_path):
    return write_tfrecord(tmp_path / "ten.tfrecord", ten_examples())


def one_batch(path, features, index_path=None, **arguments):
    return next(TFRecord(path=path, index_path=index_path, features=features, **arguments).next_epoch(batch_size=10))


@pytest.mark.parametrize(
    ("name", "wanted", "why"),
    [
        ("nope", tfrec.FixedLenFeature((), tfrec.string), "it is missing and has no default_value"),
        ("label", tfrec.FixedLenFeature([1], tfrec.float32, 0.0), "it holds int64, not float32"),
        ("image", tfrec.VarLenFeature(tfrec.int64, 0), "it holds string, not int64"),
        ("box", tfrec.FixedLenFeature([3], tfrec.float32, 0.0), "it has 4 values, its shape asks for 3"),
        ("box", tfrec.FixedLenFeature([2, 4], tfrec.float32, 0.0), "it has 4 values, its shape asks for 8"),
        ("box", tfrec.VarLenFeature([3], tfrec.float32, 0.0), "its 4 values do not make whole parts of 3"),
    ],
)
def test_a_feature_that_is_not_as_asked_for(files, name, wanted, why):
    with pytest.raises(RuntimeError, match=rf"ten\.tfrecord at index 0: feature '{name}': {why}"):
        one_batch(files[0], {name: wanted}, files[1])


@pytest.mark.parametrize(
    ("make", "error", "why"),
    [
        (lambda: tfrec.FixedLenFeature(1, tfrec.int64, 0), TypeError, "sequence of numbers"),
        (lambda: tfrec.FixedLenFeature([1], 7, 0), RuntimeError, "unknown feature type 7"),
        (lambda: tfrec.FixedLenFeature([1], tfrec.int64, 0.5), RuntimeError, "expected int"),
        (lambda: tfrec.FixedLenFeature([], tfrec.string, 5), RuntimeError, "expected string"),
        (lambda: tfrec.FixedLenFeature([-1], tfrec.int64, 0), RuntimeError, "negative extent"),
        (lambda: tfrec.VarLenFeature([0], tfrec.int64, 0), RuntimeError, "no elements to count"),
        (lambda: tfrec.VarLenFeature(), TypeError, "missing"),
        (lambda: tfrec.VarLenFeature(1, tfrec.int64, 0), TypeError, "sequence of numbers"),
        (lambda: tfrec.VarLenFeature([1]), RuntimeError, "unknown feature type None"),
        (lambda: TFRecord(path="f", features={}), RuntimeError, "features is empty"),
        (lambda: TFRecord(path="f", features={"a": 5}), TypeError, "Expected .*Feature. for the 'a'"),
        (lambda: TFRecord(path="f", features={"a": tfrec.VarLenFeature(tfrec.string, "")}), RuntimeError, "of strings"),
        (lambda: TFRecord(path="f", features={"a": IMAGE}, use_o_direct=True), RuntimeError, "dont_use_mmap"),
        (lambda: TFRecord(features={"a": IMAGE}), TypeError, "path"),
    ],
)
def test_bad_arguments_fail_at_the_call(make, error, why):
    with pytest.raises(error, match=why):
        make()


@pytest.mark.parametrize(
    ("index", "why"),
    [
        ("0 10\nx y\n", "line 2: not offset and length"),
        ("0 10\n7\n", "line 2: not offset and length"),
        ("0 -3\n", "line 1: not offset and length"),
        (
            "0 99999999999999999999\n",
            "ten.tfrecord: the file has .* bytes, the sample ends at byte 9223372036854775807",
        ),
        ("1 9223372036854775807\n", "ten.tfrecord: the file has .* bytes, the sample ends at byte 9223372036854775808"),
        ("9223372036854775807 9223372036854775807\n", "the sample ends at byte 18446744073709551614"),
        ("", "Content of index files should not be empty"),
        ("0 999999\n", "ten.tfrecord: the file has"),
        ("0 5\n", "at index 0: the file ends within the header"),
        ("1 60\n", "at index 1: CRC mismatch of the length"),
        ("0 60\n", "the record has a payload of .* bytes, the index says 44"),
    ],
)
def test_a_wrong_index(files, tmp_path, index, why):
    (tmp_path / "wrong.idx").write_text(index)
    with pytest.raises(RuntimeError, match=why):
        one_batch(files[0], {"label": LABEL}, str(tmp_path / "wrong.idx"))


@pytest.mark.parametrize("row", ["0 9223372036854775807", "9223372036854775807 1", "5 99999999999999999999999",
                                 f"1{'0' * 400} {{length}}", f"{'9' * 5000} 60"])  # fmt: skip
@pytest.mark.parametrize("mapped", [True, False])
def test_a_record_that_no_file_can_hold_is_one_bad_sample(files, tmp_path, row, mapped):
    path, index = files
    rows = Path(index).read_text().splitlines()
    row = row.format(length=rows[0].split()[1])
    (tmp_path / "wrong.idx").write_text("\n".join([*rows[:3], row, *rows[4:]]))
    options = {"path": path, "index_path": str(tmp_path / "wrong.idx"), "features": {"label": LABEL}}
    reader = TFRecord(**options, on_error="skip", dont_use_mmap=not mapped)
    for number in (1, 2):
        labels = [label for batch in reader.next_epoch(batch_size=3) for (label,) in values(batch["label"])]
        assert labels == [0, 1, 2, 4, 5, 6, 7, 8, 9]
        assert [bad.index for bad in reader.errors] == [3] * number


def test_a_missing_index_and_too_few(files, tmp_path):
    with pytest.raises(RuntimeError, match=r"nope\.idx: No such file"):
        one_batch(files[0], {"label": LABEL}, str(tmp_path / "nope.idx"))
    with pytest.raises(RuntimeError, match=r"Number of index files needs to match .*: 1 for 2"):
        one_batch([files[0], files[0]], {"label": LABEL}, files[1])


@pytest.mark.parametrize("indexed", [True, False])
def test_the_checksum_of_the_length_is_checked(files, indexed):
    path, index = files
    damage(path, len(framed(ten_examples()[0])) + 9)
    with pytest.raises(RuntimeError, match=r"ten\.tfrecord.* at index \d+: CRC mismatch of the length"):
        one_batch(path, {"label": LABEL}, index if indexed else None)


def test_the_checksum_of_the_data_is_checked_and_the_rest_can_be_read(files):
    damage(files[0], len(framed(ten_examples()[0])) + 20)
    with pytest.raises(RuntimeError, match="CRC mismatch of the data"):
        one_batch(files[0], {"label": LABEL})
    reader = TFRecord(path=files[0], features={"label": LABEL}, on_error="skip")
    labels = [values(batch["label"])[0][0] for batch in reader.next_epoch(batch_size=1)]
    assert labels == [0, 2, 3, 4, 5, 6, 7, 8, 9]
    assert [bad.source for bad in reader.errors] == [f"{files[0]} at index {len(framed(ten_examples()[0]))}"]


def test_a_file_that_is_cut_off_or_compressed(files, tmp_path):
    whole = files[0].read_bytes()
    for name, written, why in (
        ("cut", whole[:-3], "the record takes .* bytes, the file has"),
        ("head", whole + b"12345", "the file ends within the header"),
        ("packed", b"\x1f\x8b" + whole, "the file is compressed; unpack it with gunzip"),
        ("text", b"these are words and no records", "CRC mismatch of the length"),
    ):
        (tmp_path / name).write_bytes(written)
        with pytest.raises(RuntimeError, match=f"{name}: at index .*{why}"):
            one_batch(str(tmp_path / name), {"label": LABEL})


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"\xff" * 12, "a number without an end"),
        (field(1, field(1, b"\x0a\x70x")), "a field of 112 bytes where 1 are left"),
        (b"\x00\x00", "a field without a number"),
        (b"\x0b", "unknown wire type 3"),
        (field(1, field(1, field(1, b"label") + field(2, field(3, b"") + field(2, b"")))), "more than one list"),
        (example({"label": [1]})[:-1] + b"\x80", "a number without an end"),
        (field(1, field(1, field(1, b"label") + field(2, field(3, field(1, b"\xff" * 11 + b"\1"))))), "without an end"),
    ],
)
def test_what_is_no_example(tmp_path, payload, why):
    path, _ = write_tfrecord(tmp_path / "f", [payload])
    with pytest.raises(RuntimeError, match=f"f at index 0: .*{why}"):
        one_batch(path, {"label": LABEL})


def damage(path, at):
    with open(path, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 1]))
