"""`readers.Zip`: members, labels, filters, damage, URLs, saved state."""

from __future__ import annotations

import io
import os
import struct
import zipfile
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import penstock.dynamic as ndd
from penstock.readers import File, Zip
from readers.promises import check_resume, numbers, values
from readers.servers import FolderServer

METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]
TREE = {
    "cat/b.jpg": b"b" * 1000,
    "cat/a.jpg": b"",
    "ant/z.png": b"z" * 70_000,
    "dog/c.JPG": b"c",
    "dog/notes.txt": b"n",
}


def write_zip(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> str:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, contents in members.items():
            archive.writestr(name, contents)
    return str(path)


def numbered(path: Path, count: int) -> str:
    return write_zip(path, {f"class/{n:03d}.jpg": str(n).encode() for n in range(count)})


def rows(reader: Zip | File) -> list[tuple[bytes, int]]:
    return [(bytes(values(data)[0]), labels.array()[0, 0]) for data, labels in reader.next_epoch()]


@pytest.mark.parametrize("method", METHODS)
def test_an_archive_gives_what_its_folder_gives(tmp_path, method):
    archive = write_zip(tmp_path / "a.zip", TREE, method)
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(tmp_path / "tree")
    assert rows(Zip(paths=archive)) == rows(File(file_root=tmp_path / "tree"))


def test_sources_and_types(tmp_path):
    archive = write_zip(tmp_path / "a.zip", {"x/1.jpg": b"1", "x/2.jpg": b"22"}, zipfile.ZIP_STORED)
    ((data, labels),) = ndd.readers.Zip(paths=[archive]).next_epoch(batch_size=2)
    assert data.shape == [(1,), (2,)]
    assert (data.dtype, labels.dtype) == (ndd.uint8, ndd.int32)
    assert Zip(paths=archive).read([1])[0].sources == [f"{archive}:38:x/2.jpg"]


def test_classes_are_the_folders_of_all_archives(tmp_path):
    first = write_zip(tmp_path / "1.zip", {"b/1.jpg": b"1", "top.jpg": b"0"})
    second = write_zip(tmp_path / "2.zip", {"b/3.jpg": b"3", "a/deep/2.jpg": b"2", "__MACOSX/b/._3.jpg": b"no"})
    assert rows(Zip(paths=[first, second])) == [(b"0", 0), (b"1", 2), (b"2", 1), (b"3", 2)]


def test_names_that_are_no_text(tmp_path):
    archive = Path(write_zip(tmp_path / "a.zip", {"a/?.jpg": b"one"}))
    archive.write_bytes(archive.read_bytes().replace(b"?", b"\xff"))
    reader = Zip(paths=archive)
    assert rows(reader) == [(b"one", 0)]
    assert os.fsencode(reader.read([0])[0].sources[0]).endswith(b":0:a/\xff.jpg")


def test_filters(tmp_path):
    archive = write_zip(tmp_path / "a.zip", TREE)
    assert rows(Zip(paths=archive, file_filters="*.jpg", case_sensitive_filter=True)) == [(b"", 0), (b"b" * 1000, 0)]
    assert rows(Zip(paths=archive, file_filters=["*.txt", "c.*"], dir_filters="d*")) == [(b"c", 0), (b"n", 0)]
    with pytest.raises(RuntimeError, match="No files found"):
        rows(Zip(paths=archive, dir_filters="nope"))
    for wrong in ({"paths": []}, {"dir_filters": []}, {"file_filters": []}):
        with pytest.raises(RuntimeError, match="list cannot be empty"):
            rows(Zip(**({"paths": archive} | wrong)))


def test_the_last_of_several_members_with_one_name_counts(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a/1.jpg", b"old")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a/1.jpg", b"new")
    assert rows(Zip(paths=tmp_path / "a.zip")) == [(b"new", 0)]


def test_bytes_before_the_archive_and_a_comment_behind_it(tmp_path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a/1.jpg", b"one")
        archive.comment = b"PK\5\6 a comment"
    (tmp_path / "a.zip").write_bytes(b"#!/bin/sh\n" + buffer.getvalue())
    assert rows(Zip(paths=tmp_path / "a.zip")) == [(b"one", 0)]


def test_64_bit_numbers(tmp_path, monkeypatch):
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 3)
    archive = write_zip(tmp_path / "a.zip", {"a/1.jpg": b"one and more", "a/2.jpg": b"two and more"})
    assert b"PK\6\6" in Path(archive).read_bytes()
    assert rows(Zip(paths=archive)) == [(b"one and more", 0), (b"two and more", 0)]


def test_members_of_unknown_size_are_followed_by_it(tmp_path):
    class Pipe(io.RawIOBase):
        """Cannot go back to write a size."""

        def __init__(self) -> None:
            self.written = b""

        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            self.written += bytes(data)
            return len(bytes(data))

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/1.jpg", b"one")
        archive.writestr("a/2.jpg", b"two")
    (tmp_path / "a.zip").write_bytes(pipe.written)
    assert rows(Zip(paths=tmp_path / "a.zip")) == [(b"one", 0), (b"two", 0)]


@pytest.mark.parametrize("options", [{}, {"random_shuffle": True, "seed": 3}, {"num_shards": 2, "shard_id": 1}])
def test_resuming(tmp_path, options):
    archive = numbered(tmp_path / "a.zip", 8)
    check_resume(lambda: Zip(paths=archive, enable_checkpointing=True, **options))


def test_archives_at_urls(tmp_path):
    numbered(tmp_path / "a.zip", 6)
    with FolderServer(tmp_path).running() as server:
        reader = Zip(paths=f"{server.url}/a.zip")
        assert numbers(reader.read([5, 0, 3])) == [5, 0, 3]


def test_unknown_methods_and_encrypted_members(tmp_path):
    archive = Path(write_zip(tmp_path / "a.zip", {"a/1.jpg": b"one"}, zipfile.ZIP_BZIP2))
    with pytest.raises(RuntimeError, match=r"a\.zip:0:a/1\.jpg: the member is packed by method 12 \(bzip2\)"):
        rows(Zip(paths=archive))
    data = bytearray(archive.read_bytes())
    data[data.find(b"PK\1\2") + 8] |= 1
    archive.write_bytes(data)
    with pytest.raises(RuntimeError, match=r"a\.zip:0:a/1\.jpg: the member is encrypted"):
        rows(Zip(paths=archive))


@pytest.mark.parametrize("method", METHODS)
def test_a_damaged_member_is_a_policy(tmp_path, method):
    archive = Path(write_zip(tmp_path / "a.zip", {f"a/{n}.jpg": str(n).encode() * 50 for n in range(3)}, method))
    data = bytearray(archive.read_bytes())
    second = data.find(b"PK\3\4", 4)
    data[second + 30 + len("a/1.jpg") + 1] ^= 0xFF
    archive.write_bytes(data)
    reader = Zip(paths=archive, on_error="skip")
    assert rows(reader) == [(b"0" * 50, 0), (b"2" * 50, 0)]
    assert [bad.source for bad in reader.errors] == [f"{archive}:{second}:a/1.jpg"]
    with pytest.raises(RuntimeError, match=r"a/1\.jpg: the (checksum of the member is|member does not unpack to its)"):
        rows(Zip(paths=archive))


def test_a_truncated_archive(tmp_path):
    archive = Path(numbered(tmp_path / "a.zip", 3))
    whole = archive.read_bytes()
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        archive.write_bytes(whole[:length])
        with pytest.raises(RuntimeError, match=r"a\.zip: there is no end record in its \d+ bytes"):
            rows(Zip(paths=archive))
    archive.write_bytes(whole[60:])
    with pytest.raises(RuntimeError, match=r"a\.zip: at byte \d+: the directory of \d+ bytes at \d+ does not fit"):
        rows(Zip(paths=archive))


def test_a_directory_that_lies(tmp_path):
    archive = Path(write_zip(tmp_path / "a.zip", {"a/1.jpg": b"one"}, zipfile.ZIP_STORED))
    data = bytearray(archive.read_bytes())
    entry = data.find(b"PK\1\2")
    struct.pack_into("<L", data, entry + 20, 5000)
    archive.write_bytes(data)
    with pytest.raises(RuntimeError, match=rf"a\.zip: at byte {entry}: a/1\.jpg ends at byte 5037, behind the"):
        rows(Zip(paths=archive))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 4095), st.binary(min_size=1, max_size=12), st.sampled_from(METHODS))
def test_any_damage_is_an_error_or_harmless(tmp_path_factory, at, bytes_there, method):
    """Whatever is written over an archive, what is handed out is what was put in."""
    archive = tmp_path_factory.mktemp("damaged") / "a.zip"
    contents = {f"a/{n}.jpg": bytes([n]) * 40 * n for n in range(4)}
    data = bytearray(Path(write_zip(archive, contents, method)).read_bytes())
    at %= len(data)
    data[at : at + len(bytes_there)] = bytes_there
    archive.write_bytes(data)
    reader = Zip(paths=archive, file_filters="*")
    try:
        read = reader.read(range(reader.get_metadata()["epoch_size"]))
    except RuntimeError:
        return
    assert {bytes(data) for data in values(read[0])} <= set(contents.values())


def test_folders_are_classes_by_name(tmp_path):
    with zipfile.ZipFile(tmp_path / "of.zip", "w") as archive:
        for name in ("dog/1.jpg", "ant/2.jpg"):
            archive.writestr(name, "x")
    assert Zip(paths=tmp_path / "of.zip").classes == ["ant", "dog"]
    assert Zip(paths=tmp_path / "of.zip").class_to_idx == {"ant": 0, "dog": 1}
