"""penstock check."""

from __future__ import annotations

import json
from pathlib import Path

import messy_folder
import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.cli import check, main
from penstock.cli.checking.file_report import FileReport
from penstock.cli.checking.journal import Journal
from penstock.cli.checking.reports import report_data, report_file


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return messy_folder.make(tmp_path_factory.mktemp("messy") / "photos")


@pytest.fixture(scope="module")
def out(folder: Path) -> Path:
    out = folder.parent / "check"
    assert main(["check", str(folder), "--out", str(out), "--threads", "2"]) == 1
    return out


@pytest.fixture(scope="module")
def found(out: Path) -> dict:
    return json.loads((out / "report.json").read_text())


@pytest.mark.parametrize(("name", "problem"), messy_folder.BAD.items())
def test_bad_files_are_found(found: dict, name: str, problem: str) -> None:
    [told] = [each for each in found["bad"] if each["file"] == name]
    assert told["problem"] == problem
    assert told["reason"]


def test_nothing_else_is_bad(found: dict) -> None:
    assert {each["file"] for each in found["bad"]} == {*messy_folder.BAD}


@pytest.mark.parametrize(("name", "kinds"), messy_folder.ODD.items())
def test_odd_files_are_found(found: dict, name: str, kinds: tuple[str, ...]) -> None:
    assert tuple(kind for kind in found["odd"] if name in found["odd"][kind]) == kinds


def test_duplicates_and_their_classes_are_found(found: dict) -> None:
    [group] = found["duplicates"]
    assert sorted(group) == ["b/again.jpg", "b/first.jpg", "c/other.jpg"]
    assert found["duplicates_in_different_classes"] == [group]


def test_classes_and_sizes_are_counted(found: dict) -> None:
    assert found["classes"] == {"a": 1, "b": 12, "c": 1}
    assert sum(found["shorter_side"].values()) == 14
    assert found["shorter_side"]["< 32"] == 1
    assert found["ignored"] == 1


def test_readers_take_the_list(folder: Path, out: Path) -> None:
    reader = ndd.readers.File(file_root=str(folder), file_list=str(out / "good.txt"))
    decoded = 0
    labels = []
    for encoded, label in reader.next_epoch(batch_size=5, last_batch="partial"):
        decoded += len(ndd.decoders.image(encoded).shape)
        labels += label.numpy().ravel().tolist()
    assert decoded == 14
    assert [labels.count(k) for k in range(3)] == [1, 12, 1]
    assert sorted((out / "bad.txt").read_text().split()) == sorted(messy_folder.BAD)


def test_the_page_stands_alone_and_names_the_files(out: Path) -> None:
    page = (out / "report.html").read_text()
    for name in messy_folder.BAD:
        assert name in page
    assert "<script" not in page
    assert "http" not in page
    assert page.count("<img") >= 10


def test_a_second_run_looks_only_at_what_changed(folder: Path, out: Path, monkeypatch, capsys) -> None:
    looked_at: list[str] = []

    def spy(path: str, **_: object) -> FileReport:
        looked_at.append(Path(path).name)
        return report_file(path)

    monkeypatch.setattr(check, "report_file", spy)
    command = ["check", str(folder), "--out", str(out)]
    assert main(command) == 1
    assert looked_at == []
    assert "19 of 19 files are known" in capsys.readouterr().err
    (folder / "c/new.png").write_bytes((folder / "a/whole.png").read_bytes())
    assert main(command) == 1
    assert looked_at == ["new.png"]
    (folder / "c/new.png").unlink()
    main([*command, "--afresh"])
    assert len(looked_at) == 1 + 19


def test_a_stopped_run_goes_on(folder: Path, tmp_path: Path, monkeypatch, capsys) -> None:
    looked_at: list[str] = []

    def stopped(path: str, **_: object) -> FileReport:
        looked_at.append(path)
        if len(looked_at) == 8:
            raise KeyboardInterrupt
        return report_file(path)

    command = ["check", str(folder), "--out", str(tmp_path), "--threads", "1"]
    monkeypatch.setattr(check, "report_file", stopped)
    assert main(command) == 130
    assert "goes on from here" in capsys.readouterr().err
    before = len(looked_at)
    monkeypatch.setattr(check, "report_file", lambda path, **_: looked_at.append(path) or report_file(path))
    assert main(command) == 1
    assert len(looked_at) - before < 19
    assert len(json.loads((tmp_path / "report.json").read_text())["bad"]) == len(messy_folder.BAD)


def test_a_journal_that_was_cut_off_is_read_up_to_there(tmp_path: Path) -> None:
    file = tmp_path / "checked.jsonl"
    first, second = FileReport("a", 3, 4, odd=("grey",)), FileReport("b", 5, 6)
    with Journal(file) as journal:
        journal.note(first)
        journal.note(second)
    file.write_text(file.read_text()[:-9])
    with Journal(file) as journal:
        assert journal.known == {"a": first}
        assert journal.is_fresh("a", 3, 4)
        assert not journal.is_fresh("a", 3, 5)
        journal.note(second)
    assert Journal(file).known == {"a": first, "b": second}


def test_a_clean_folder_has_no_bad_files(tmp_path: Path, capsys) -> None:
    assert main(["check", str(messy_folder.ASSETS), "--out", str(tmp_path)]) == 0
    assert "12 files" in capsys.readouterr().out
    assert "Every file can be decoded." in (tmp_path / "report.html").read_text()


def test_files_are_checked_by_name(tmp_path: Path, capsys) -> None:
    photos = sorted(map(str, messy_folder.ASSETS.glob("*/*.jpg")))[:2]
    assert main(["check", *photos, "--out", str(tmp_path)]) == 0
    reader = ndd.readers.File(file_list=str(tmp_path / "good.txt"), allow_outside=True)
    assert len(reader) == 2


def test_duplicates_can_be_left_out(folder: Path, tmp_path: Path) -> None:
    main(["check", str(folder), "--out", str(tmp_path), "--drop-duplicates"])
    names = [line.split()[0] for line in (tmp_path / "good.txt").read_text().splitlines()]
    assert len({"b/first.jpg", "b/again.jpg", "c/other.jpg"} & {*names}) == 1


def test_links_to_folders_are_followed_once(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos/linked").symlink_to(messy_folder.ASSETS / "dunes")
    (tmp_path / "photos/round").symlink_to(tmp_path / "photos")
    assert main(["check", str(tmp_path / "photos"), "--out", str(tmp_path / "check")]) == 0
    names = (tmp_path / "check/good.txt").read_text().splitlines()
    assert [name.split("/")[0] for name in names] == ["linked"] * 3


@pytest.mark.parametrize(("path", "said"), [("nothing", "does not exist"), (".", "no images in")])
def test_what_is_not_there_is_said(path: str, said: str, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["check", path]) == 1
    assert said in capsys.readouterr().err


def test_whatever_decoders_refuse_is_reported() -> None:
    """Cut and scratched at many places: no file passes the check that could not be decoded in training."""
    data = np.fromfile(sorted(messy_folder.ASSETS.glob("*/*.jpg"))[0], np.uint8)
    rng = np.random.default_rng(5)
    blank = FileReport("x.jpg", len(data), 0)
    seen = 0
    for _ in range(60):
        bad = data[: rng.integers(1, len(data) - 2)] if rng.random() < 0.5 else data.copy()
        if len(bad) == len(data):
            bad[rng.integers(0, len(data), 4)] = rng.integers(0, 256, 4)
        try:
            ndd.decoders.image(ndd.tensor(bad)).evaluate()
        except RuntimeError:
            seen += 1
            assert report_data(blank, bad).problem
    assert seen > 20
    assert report_data(blank, data).problem == ""
