"""Tar archives and indexes that are damaged or do not belong together: the error names file and place."""

from __future__ import annotations

import tarfile
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import penstock.dynamic as ndd
from penstock.readers import Webdataset
from penstock.readers.archives.webdataset import write_tar_index
from readers.promises import numbers
from readers.tars import write_numbered, write_tar

INDEX = "v1.1 1\n{}\n"


def read_all(path: object, **options: object) -> list[list[int]]:
    reader = Webdataset(paths=path, ext=["txt", "cls"], **options)
    return [numbers(outputs) for outputs in reader.next_epoch(batch_size=1)]


@pytest.fixture
def archive(tmp_path):
    return Path(write_numbered(tmp_path / "a.tar", range(4)))


@pytest.mark.parametrize("length", [100, 700, 1024 + 511, 1024 + 512, 1024 + 513, 5 * 1024 - 1])
def test_a_truncated_archive(archive, length):
    archive.write_bytes(archive.read_bytes()[:length])
    with pytest.raises(RuntimeError, match=r"tar file .*a\.tar: at byte \d+: the archive is cut short"):
        read_all(archive)


def test_a_bad_checksum(archive):
    data = bytearray(archive.read_bytes())
    data[2 * 1024 + 3] ^= 1
    archive.write_bytes(data)
    with pytest.raises(RuntimeError, match=r"Corrupted tar file at .*a\.tar: at byte 2048: not a tar header"):
        read_all(archive)


def with_size(header: bytes, size: bytes) -> bytes:
    """A header with other bytes for the size, and the checksum of all of them."""
    blank = header[:124] + size + header[136:148] + b" " * 8 + header[156:]
    return blank[:148] + f"{sum(blank):06o}\0 ".encode() + blank[156:]


@pytest.mark.parametrize(
    "size",
    [b"\x80" + b"\xff" * 11, b"\x80\0\0\1" + bytes(8), b"\x80\0\0\0\x80" + bytes(7), b"\x80\0\0\0\x7f" + b"\xff" * 7],
)
def test_sizes_that_no_file_has(archive, size):
    data = archive.read_bytes()
    archive.write_bytes(with_size(data[:512], size) + data[512:])
    with pytest.raises(RuntimeError, match=r"a\.tar: at byte 0: the (header gives no size|archive is cut short)"):
        read_all(archive)


def test_a_checksum_that_is_too_large(archive):
    data = archive.read_bytes()
    archive.write_bytes(data[:148] + b"\x80" + b"\xff" * 7 + data[156:])
    with pytest.raises(RuntimeError, match=r"a\.tar: at byte 0: not a tar header"):
        read_all(archive)


@pytest.mark.parametrize("data", [b"", bytes(10240)])
def test_an_archive_without_samples(archive, data):
    archive.write_bytes(data)
    with pytest.raises(RuntimeError, match=r"No samples found in .*a\.tar"):
        read_all(archive)


def test_a_sparse_file(tmp_path):
    with tarfile.open(tmp_path / "a.tar", "w") as opened:
        member = tarfile.TarInfo("a.txt")
        member.type = tarfile.GNUTYPE_SPARSE
        opened.addfile(member)
    with pytest.raises(RuntimeError, match=r"at byte 0: a\.txt is a sparse file"):
        read_all(tmp_path / "a.tar")


def test_what_is_not_there(archive, tmp_path):
    with pytest.raises(RuntimeError, match=r"Cannot open: .*nope\.tar: No such file"):
        read_all(tmp_path / "nope.tar")
    with pytest.raises(RuntimeError, match=r"Cannot open: .*nope\.idx: No such file"):
        read_all(archive, index_paths=tmp_path / "nope.idx")


@pytest.mark.parametrize(
    ("index", "problem"),
    [
        ("", "line 1: .* no known version"),
        ("v2.0 1\ntxt 512 1\n", 'line 1: "v2.0" is no known version'),
        ("v1.1\n", "line 1: the number of samples"),
        ("v1.1 0\n", "line 1: the number of samples"),
        ("v1.1 2\ntxt 512 1\n", "line 1: 2 samples are announced, but 1 follow"),
        ("v1.1 1\ntxt 512 1\ntxt 2560 1\n", "line 1: 1 samples are announced, but 2 follow"),
        ("v1.1 2\n\ntxt 512 1\n", "line 2: a sample without components"),
        (INDEX.format("txt 512"), "line 2: .* should be <extension> <offset> <size>"),
        (INDEX.format("txt 512 one"), "line 2: .* should be <extension> <offset> <size>"),
        (INDEX.format("txt 99999999999999999999 1"), "line 2: .* should be <extension> <offset> <size>"),
        (INDEX.format("txt 513 1"), "line 2: txt at byte 513: .*multiples of 512"),
        (INDEX.format("txt -512 1"), "line 2: txt at byte -512"),
        (INDEX.format("txt 512 -1"), "line 2: txt at byte 512 has a negative size"),
        (INDEX.format("txt 9223372036854775296 9223372036854775296"), "line 2: .* outside of the archive"),
        ("v1.2 1\ntxt 512 1\n", "line 2: there is no name"),
    ],
)
def test_a_malformed_index(archive, tmp_path, index, problem):
    (tmp_path / "a.idx").write_text(index)
    with pytest.raises(RuntimeError, match=rf"Malformed index file at \".*a\.idx\" of .*a\.tar: {problem}"):
        read_all(archive, index_paths=tmp_path / "a.idx")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("txt 512 2", r"a\.tar:512:: the index gives 2 bytes here, but the header gives 1 bytes"),
        ("txt 1024 1", r"a\.tar:1024:: .* there is no tar header before it"),
    ],
)
def test_an_index_of_another_archive_is_noticed_by_the_headers(archive, tmp_path, line, problem):
    (tmp_path / "a.idx").write_text(INDEX.format(line))
    with pytest.raises(RuntimeError, match=problem):
        read_all(archive, index_paths=tmp_path / "a.idx")


def test_an_index_of_another_archive_is_noticed_by_the_names(archive, tmp_path):
    other = write_numbered(tmp_path / "b.tar", range(1, 5))
    write_tar_index(other, tmp_path / "b.idx")
    with pytest.raises(RuntimeError, match=r"a\.tar:512:0001\.txt: .* it belongs to 0000\.txt; the index may be that"):
        read_all(archive, index_paths=tmp_path / "b.idx")


def test_an_index_that_reaches_beyond_the_archive(archive, tmp_path):
    write_tar_index(write_numbered(tmp_path / "b.tar", range(30)), tmp_path / "b.idx")
    with pytest.raises(
        RuntimeError, match=r"b\.idx\" of .*a\.tar: line 7: txt at byte 10752 with 1 bytes ends outside"
    ):
        read_all(archive, index_paths=tmp_path / "b.idx")


def test_samples_that_cannot_be_read_are_a_policy(archive, tmp_path):
    (tmp_path / "a.idx").write_text("v1.1 3\ntxt 512 1 cls 1536 1\ntxt 2560 7 cls 3584 1\ntxt 4608 1 cls 5632 1\n")
    reader = Webdataset(paths=archive, ext=["txt", "cls"], index_paths=tmp_path / "a.idx", on_error="skip")
    assert [numbers(outputs) for outputs in reader.next_epoch()] == [[0], [2]]
    assert [(bad.index, bad.source) for bad in reader.errors] == [(1, f"{archive}:2560:")]


def test_an_archive_that_shrinks_while_it_is_read(archive):
    reader = Webdataset(paths=archive, ext=["txt", "cls"], on_error="skip")
    reader.get_metadata()
    archive.write_bytes(archive.read_bytes()[:5000])
    assert [numbers(outputs) for outputs in reader.next_epoch()] == [[0], [1]]
    assert str(reader.errors[0].error).startswith(f"File mapping failed: {archive}: the file has 5000 bytes")


def test_a_component_of_the_wrong_size_for_its_type(archive):
    with pytest.raises(RuntimeError, match=r"a\.tar:1536:0000\.cls: 1 bytes are no whole number of elements of 4"):
        read_all(archive, dtypes=[ndd.uint8, ndd.int32])


def test_the_first_of_several_fitting_components_counts(tmp_path):
    path = write_tar(tmp_path / "a.tar", [("a.txt", b"1"), ("a.txt", b"2"), ("a.cls", b"3")])
    with pytest.warns(UserWarning, match=r"1 components are passed over .* the first is a\.txt at byte 1536"):
        assert read_all(path) == [[1]]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"paths": []}, "``paths`` is empty"),
        ({"ext": []}, "``ext`` is empty"),
        ({"index_paths": ["a", "b"]}, "got 2 and 1"),
        ({"missing_component_behavior": "bogus"}, "possible values are: skip, error, empty"),
        ({"dtypes": [ndd.int32, ndd.int32]}, "does not match the number of provided types: 1 and 2"),
        ({"dtypes": [ndd.bool]}, "Unsupported output dtype bool"),
    ],
)
def test_bad_arguments(archive, options, problem):
    with pytest.raises(RuntimeError, match=problem):
        next(Webdataset(**({"paths": archive, "ext": "txt"} | options)).next_epoch())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 4095), st.binary(min_size=1, max_size=24), st.booleans())
def test_any_damage_is_an_error_or_harmless(tmp_path_factory, at, bytes_there, indexed):
    """Whatever is written over an archive or its index, reading ends in samples or in a RuntimeError."""
    folder = tmp_path_factory.mktemp("damaged")
    archive = Path(write_numbered(folder / "a.tar", range(2)))
    write_tar_index(archive, folder / "a.idx")
    damaged = folder / "a.idx" if indexed else archive
    data = bytearray(damaged.read_bytes())
    data[at % len(data) : at % len(data) + len(bytes_there)] = bytes_there
    damaged.write_bytes(data)
    reader = Webdataset(paths=archive, ext=["txt", "cls"], index_paths=folder / "a.idx" if indexed else None)
    try:
        outputs = reader.read(range(reader.get_metadata()["epoch_size"]))
    except RuntimeError:
        return
    assert len(outputs) == 2


def test_words_that_programs_look_for(tmp_path):
    archive = write_tar(tmp_path / "a.tar", [("0.jpg", b"abc"), ("0.cls", b"1"), ("1.jpg", b"defg")])
    with pytest.raises(RuntimeError, match="Underful sample detected"):
        next(Webdataset(paths=archive, ext=["jpg", "cls"], missing_component_behavior="error").next_epoch())
    with pytest.raises(RuntimeError, match="component size and dtype incompatible"):
        next(Webdataset(paths=archive, ext=["jpg"], dtypes=[ndd.int32]).next_epoch())
