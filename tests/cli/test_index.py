"""penstock index: the files that readers find records by."""

from __future__ import annotations

import io
import sys
import tarfile
from importlib.metadata import entry_points
from pathlib import Path

import fsspec
import pytest

from penstock.cli import main
from penstock.cli.index import one_file
from readers.record_files import MAGIC, example, framed, packed_image, write_recordio, write_tfrecord

EXAMPLES = [example({"image": [bytes(n)], "label": [n]}) for n in (5, 300, 70_000)]
IMAGES = [packed_image(b"one", 1.0), packed_image(b"2" * 8 + MAGIC + b"2", 2.0), packed_image(b"", [3.0, 4.0])]


def test_an_index_of_every_kind_is_the_one_the_writers_of_such_files_make(tmp_path, capsys):
    tfrecord, its_index = write_tfrecord(tmp_path / "a.tfrecord", [b"", *EXAMPLES, b"", b""])
    recordio, other_index = write_recordio(tmp_path / "b.rec", IMAGES)
    expected = [its_index.read_text(), other_index.read_text()]
    its_index.unlink()
    other_index.unlink()
    assert main(["index", str(tfrecord), str(recordio)]) == 0
    assert [its_index.read_text(), other_index.read_text()] == expected
    assert capsys.readouterr().out == f"{its_index}\n{other_index}\n"


def test_an_index_of_a_tar_archive_lists_the_samples(tmp_path):
    for name in ("a.tar", "b"):
        with tarfile.open(tmp_path / name, "w") as archive:
            for member in ("x.jpg", "x.cls", "y.jpg"):
                archive.addfile(tarfile.TarInfo(member))
        assert main(["index", str(tmp_path / name)]) == 0
    lines = (tmp_path / "a.idx").read_text().splitlines()
    assert lines == ["v1.2 2", "jpg 512 0 x.jpg cls 1024 0 x.cls", "jpg 1536 0 y.jpg"]
    assert (tmp_path / "b.idx").read_text() == (tmp_path / "a.idx").read_text()


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_an_index_of_a_tar_archive_points_at_the_files_whatever_their_names(tmp_path, form):
    stems = ["a b", "é", "l" * 90 + "/" + "m" * 60, "d.x/y", "tab\t", "back\\"]
    with tarfile.open(tmp_path / "a.tar", "w", format=form) as archive:
        archive.addfile(tarfile.TarInfo("empty.jpg"))
        for number, name in enumerate(f"{stem}.{extension}" for stem in stems for extension in ("jpg", "x.png")):
            member = tarfile.TarInfo(name)
            member.size = 500 * number
            archive.addfile(member, io.BytesIO(bytes(member.size)))
    assert main(["index", str(tmp_path / "a.tar")]) == 0
    with tarfile.open(tmp_path / "a.tar") as archive:
        first, *rest = [f"{each.offset_data} {each.size} {each.name}" for each in archive]
    pairs = zip(rest[::2], rest[1::2], strict=True)
    expected = ["v1.2 7", f"jpg {first}", *(f"jpg {photo} x.png {mask}" for photo, mask in pairs)]
    assert (tmp_path / "a.idx").read_text().splitlines() == expected


def test_an_index_somewhere_else_of_files_anywhere(tmp_path):
    fsspec.filesystem("memory").pipe_file("/there/train-00000-of-00002", b"".join(map(framed, EXAMPLES)))
    assert main(["index", "memory://there/train-00000-of-00002", "--out", str(tmp_path / "new")]) == 0
    lines = (tmp_path / "new" / "train-00000-of-00002.idx").read_text().splitlines()
    assert lines[0] == f"0 {len(framed(EXAMPLES[0]))}"


def test_a_number_is_no_suffix(tmp_path):
    for number in range(2):
        (tmp_path / f"train.tfrecord-{number}").write_bytes(framed(EXAMPLES[number]))
    assert main(["index", *(str(tmp_path / f"train.tfrecord-{number}") for number in range(2))]) == 0
    assert sorted(path.name for path in tmp_path.glob("*.idx")) == ["train.tfrecord-0.idx", "train.tfrecord-1.idx"]


@pytest.mark.parametrize(
    ("contents", "why"),
    [
        (b"", "is empty"),
        (b"no records here", "a.rec: at index 0: CRC mismatch"),
        (MAGIC + bytes(3), "ends within"),
        (None, "No such file"),
    ],
)
def test_what_cannot_be_indexed_leaves_no_index(tmp_path, capsys, contents, why):
    path = tmp_path / "a.rec"
    if contents is not None:
        path.write_bytes(contents)
    assert main(["index", str(path)]) == 1
    assert why in capsys.readouterr().err
    assert not Path(tmp_path / "a.idx").exists()


def test_two_files_do_not_share_an_index_and_urls_need_a_folder(tmp_path, capsys):
    assert main(["index", str(tmp_path / "a.rec"), str(tmp_path / "a.tfrecord")]) == 1
    assert "a.idx would be the index of more than one file" in capsys.readouterr().err
    assert main(["index", "memory://a.rec"]) == 1
    assert "--out DIR" in capsys.readouterr().err


def test_the_programs_of_dali_for_one_file(tmp_path, monkeypatch, capsys):
    programs = entry_points(group="console_scripts").select(value="penstock.cli.index:one_file")
    assert set(programs.names) == {"rec2idx", "tfrecord2idx", "wds2idx"}
    tfrecord, its_index = write_tfrecord(tmp_path / "a.tfrecord", EXAMPLES)
    monkeypatch.setattr(sys, "argv", ["tfrecord2idx", str(tfrecord), str(tmp_path / "other.idx")])
    assert one_file() == 0
    assert (tmp_path / "other.idx").read_text() == its_index.read_text()
    its_index.unlink()
    monkeypatch.setattr(sys, "argv", ["wds2idx", str(tfrecord)])
    assert one_file() == 0
    assert its_index.exists()
    monkeypatch.setattr(sys, "argv", ["rec2idx", str(tmp_path / "missing.rec")])
    assert one_file() == 1
    assert "rec2idx: " in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["rec2idx", "memory://there/a.rec"])
    with pytest.raises(SystemExit, match="2"):
        one_file()
    assert "say where to write the index of memory://there/a.rec" in capsys.readouterr().err
