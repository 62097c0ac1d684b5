"""penstock check of Parquet files, LMDBs and COCO annotations."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from test_check_media import CUT, OTHER, PHOTO, TONE, bad, checked

from penstock.cli import check, main
from penstock.cli.checking.archives import read_member
from penstock.cli.checking.reports import report_file
from readers.coco_files import annotation, image
from readers.lmdb_files import INT32, STRING, datum, lmdb_file, tensor, tensors, write_lmdb


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    """Images as Hugging Face stores them, sounds, plain bytes and a text, in row groups of two rows."""
    pa = pytest.importorskip("pyarrow")
    from readers.parquet_files import FILE, write_parquet

    images = [
        {"bytes": PHOTO, "path": "a.jpg"}, {"bytes": CUT, "path": None}, {"bytes": None, "path": "far/c.jpg"}, None,
    ]  # fmt: skip
    table = pa.table(
        {
            "image": pa.array(images, FILE),
            "audio": pa.array([{"bytes": TONE[:20000], "path": None}] + [{"bytes": TONE, "path": "t.wav"}] * 3, FILE),
            "thumbnail": pa.array([OTHER, OTHER, b"no picture", CUT], pa.binary()),
            "label": [3, 4, 3, 4],
            "caption": ["one", "two", "three", "four"],
        }
    )
    return Path(write_parquet(tmp_path / "data/train.parquet", table, rows=2))


def test_the_members_of_a_parquet_file(parquet: Path, tmp_path: Path, capsys) -> None:
    found = checked(parquet, tmp_path)
    reasons = {each["file"].removeprefix(f"{parquet}/"): each["reason"] for each in found["bad"]}
    assert {name.removeprefix(f"{parquet}/"): problem for name, problem in bad(found).items()} == {
        "1/image": "truncated", "2/image": "corrupt", "3/image": "corrupt", "0/audio.wav": "truncated",
        "3/thumbnail": "truncated",
    }  # fmt: skip
    assert reasons["2/image"] == "there are no bytes, only the path 'far/c.jpg'"
    assert reasons["3/image"] == "it is null"
    assert found["files"] == 4 + 4 + 3
    assert found["classes"] == {"3": 3, "4": 3}
    assert f"ndd.readers.Parquet(path={str(parquet)!r}" in capsys.readouterr().out
    assert (tmp_path / "out/good.txt").read_text() == ""
    assert f"{parquet}/1/image\n" in (tmp_path / "out/bad.txt").read_text()


def test_members_of_parquet_files_are_read_again(parquet: Path) -> None:
    for member in report_file(str(parquet)).members:
        data = read_member(str(parquet), member.path, member.offset, member.size)
        assert data is not None
        assert len(data) == member.size
    cut = read_member(str(parquet), "3/thumbnail", 3, len(CUT))
    assert cut is not None
    assert cut.tobytes() == CUT


def test_a_row_group_that_is_damaged_is_one_bad_member(parquet: Path) -> None:
    damaged = bytearray(parquet.read_bytes())
    damaged[4:24] = b"\xff" * 20  # the header of the first page
    parquet.write_bytes(damaged)
    report = report_file(str(parquet))
    assert report.problem == ""
    assert report.members[0].path == "row group 0"
    assert report.members[0].problem
    assert "3/thumbnail" in [member.path for member in report.members]
    parquet.write_bytes(damaged[:-100])
    assert report_file(str(parquet)).problem


def test_without_pyarrow_a_parquet_file_is_reported_and_others_are_checked(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "a.jpg").write_bytes(PHOTO)
    (tmp_path / "train.parquet").write_bytes(b"PAR1 whatever")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "pyarrow", None)
        found = checked(tmp_path, tmp_path)
    [told] = found["bad"]
    assert told["file"] == "train.parquet"
    assert "pip install penstock[parquet]" in told["reason"]
    assert (tmp_path / "out/good.txt").read_text() == "a.jpg 0\n"
    pytest.importorskip("pyarrow")  # which is there again: what was missing is not remembered
    [told] = checked(tmp_path, tmp_path)["bad"]
    assert "pip install" not in told["reason"]


def test_the_images_of_an_lmdb_of_caffe(tmp_path: Path, capsys) -> None:
    folder = tmp_path / "train_lmdb"
    folder.mkdir()
    messages = [
        datum(PHOTO, 3, encoded=True),
        datum(CUT, 4, encoded=True),
        datum(bytes(12), 4, (3, 2, 2), encoded=False),
        b"\xff\xff junk",
        datum(OTHER, 3, encoded=True),
    ]
    entries = [(b"%08d_cat/%d.JPEG" % (at, at), message) for at, message in enumerate(messages)]
    (folder / "data.mdb").write_bytes(lmdb_file(entries))
    (folder / "lock.mdb").write_bytes(bytes(8192))
    found = checked(folder, tmp_path)
    name = "data.mdb/"
    assert bad(found) == {f"{name}00000001_cat/1.JPEG": "truncated", f"{name}00000003_cat/3.JPEG": "corrupt"}
    assert found["files"] == 4  # the pixels have nothing to decode
    assert found["ignored"] == 1
    assert found["classes"] == {"3": 2, "4": 0}
    assert "ndd.readers.Caffe(path=" in capsys.readouterr().out
    cut = read_member(str(folder / "data.mdb"), f"{name}00000001_cat/1.JPEG", 1, len(CUT))
    assert cut is not None
    assert cut.tobytes() == CUT


def test_an_lmdb_of_caffe2_with_damage_and_cut_off(tmp_path: Path) -> None:
    pairs = [tensors(tensor(STRING, file), tensor(INT32, [at])) for at, file in enumerate([PHOTO, CUT] * 40)]
    pairs[0] = tensors(tensor(STRING, PHOTO))
    file = Path(write_lmdb(tmp_path / "train_lmdb", pairs)) / "data.mdb"
    report = report_file(str(file))
    assert [(member.path, member.problem, member.label) for member in report.members[:2]] == [
        ("00000000", "", ""), ("00000001", "truncated", "1"),
    ]  # fmt: skip
    assert len(report.members) == 80
    damaged = bytearray(file.read_bytes())
    page = damaged.index(PHOTO[:64]) // 4096 * 4096
    damaged[page : page + 16] = bytes(16)  # the head of the pages that the first value is on
    file.write_bytes(damaged)
    report = report_file(str(file))
    assert [(member.path, member.problem) for member in report.members[:2]] == [
        ("0", "corrupt"), ("00000001", "truncated"),
    ]  # fmt: skip
    assert (report.problem, len(report.members)) == ("", 80)
    file.write_bytes(damaged[:9000])
    report = report_file(str(file))
    assert "cut short" in report.reason
    assert report.problem


def write_annotations(file: Path, images: list[Any], annotations: list[Any], **more: Any) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    listed = [{"id": number} for number in (1, 5)]
    file.write_text(json.dumps({"images": images, "annotations": annotations, "categories": listed, **more}))
    return str(file)


@pytest.fixture
def coco(tmp_path: Path) -> Path:
    """A data set as COCO's archives unpack: images and annotations in folders beside each other."""
    (tmp_path / "coco/val").mkdir(parents=True)
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / "coco/val" / name).write_bytes(PHOTO if name == "a.jpg" else OTHER)
    return tmp_path / "coco"


IMAGES = [image(1, "a.jpg", 64, 48), image(2, "b.jpg", 64, 48)]


def test_what_is_wrong_in_annotations(coco: Path, tmp_path: Path, capsys) -> None:
    images = [*IMAGES, image(3, "gone.jpg", 64, 48), image(1, "b.jpg", 64, 48), {"id": 4}, "no object"]
    annotations = [
        {**annotation(1), "id": 7},
        {**annotation(1, box=(0, 0, 64.3, 48)), "id": 8},  # rounded
        annotation(99),
        annotation(1, category=2),
        annotation(1, box=(60, 4, 10, 10)),
        annotation(1, box=(-3, 4, 10, 10)),
        annotation(1, box=(3, 4, 0, 10)),
        annotation(1, box=(3, 4, float("nan"), 10)),
        annotation(1, box=(3, 4, 5)),
        {**annotation(2), "id": 7},
        annotation(99, category=2),
        annotation(1, box=(3, 4, 10**400, 10)),
    ]
    write_annotations(coco / "annotations/val.json", images, annotations)
    (coco / "annotations/other.json").write_text('{"images": 3}')
    found = checked(coco, tmp_path)
    name = "annotations/val.json/"
    assert {file.removeprefix(name): problem for file, problem in bad(found).items()} == {
        "images[2]": "missing", "images[3]": "duplicate id", "images[4]": "corrupt", "images[5]": "corrupt",
        "annotations[2]": "unknown id", "annotations[3]": "unknown id", "annotations[4]": "bad box",
        "annotations[5]": "bad box", "annotations[6]": "bad box", "annotations[7]": "bad box",
        "annotations[8]": "bad box", "annotations[9]": "duplicate id", "annotations[10]": "unknown id",
        "annotations[11]": "bad box",
    }  # fmt: skip
    reasons = {each["file"].removeprefix(name): each["reason"] for each in found["bad"]}
    assert reasons["images[2]"] == f"gone.jpg is not in {coco / 'val'}"
    assert reasons["annotations[4]"] == "its box reaches outside of the image of 64x48: 60, 4, 10, 10"
    assert reasons["annotations[9]"] == "its id is 7, as that of annotations[0]"
    assert reasons["annotations[10]"].count("99") == reasons["annotations[10]"].count("category_id is 2") == 1
    assert found["ignored"] == 1
    assert (tmp_path / "out/good.txt").read_text().split()[::2] == ["val/a.jpg", "val/b.jpg"]
    assert f"annotations_file={str(coco / 'annotations/val.json')!r}" in capsys.readouterr().out


def test_annotations_that_are_right(coco: Path, tmp_path: Path) -> None:
    """Beside the images, with names that go through a folder, and captions, which have neither boxes nor categories."""
    write_annotations(coco / "boxes.json", [image(1, "val/a.jpg"), image(2, "val/b.jpg")], [annotation(2)])
    captions = [{"image_id": 1, "id": 1, "caption": "dunes"}]
    (coco / "val/captions.json").write_text(json.dumps({"images": IMAGES, "annotations": captions}))
    assert main(["check", str(coco), "--out", str(tmp_path / "out")]) == 0
    assert json.loads((tmp_path / "out/report.json").read_text())["formats"] == {"JPEG": 2, "COCO": 2}


def test_annotations_without_any_of_their_images_and_broken_ones(tmp_path: Path) -> None:
    report = report_file(write_annotations(tmp_path / "far/away/val.json", IMAGES, [annotation(99)]))
    assert (report.problem, [member.path for member in report.members]) == ("missing", ["annotations[0]"])
    whole = (tmp_path / "far/away/val.json").read_bytes()
    broken = tmp_path / "broken.json"
    for content, problem in ((whole[:-20], "truncated"), (whole.replace(b":", b";", 3)[:-1] + b': "images": []', "")):
        broken.write_bytes(content)
        assert report_file(str(broken)).problem == (problem or "corrupt")
    broken.write_text('{"deeper": {"images": [], "annotations": []}}')
    assert report_file(str(broken)).reason == "it has no list of images and of annotations"


def test_images_that_came_later_are_noticed_and_tables_are_not_read_again(
    coco: Path, tmp_path: Path, monkeypatch
) -> None:
    write_annotations(coco / "val.json", [*IMAGES, image(3, "late.jpg")], [])
    write_lmdb(coco / "train_lmdb", [datum(PHOTO, 3, encoded=True)])
    assert bad(checked(coco, tmp_path)) == {"val.json/images[2]": "missing"}
    (coco / "val/late.jpg").write_bytes(PHOTO)
    looked_at: list[str] = []
    monkeypatch.setattr(check, "report_file", lambda path, **_: looked_at.append(Path(path).name) or report_file(path))
    assert bad(checked(coco, tmp_path)) == {}
    assert sorted(looked_at) == ["late.jpg", "val.json"]
