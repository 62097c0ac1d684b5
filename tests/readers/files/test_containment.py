"""Names in data files lead no further than the program allows."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.readers.files.containment import check_names
from penstock.readers.sound.manifest import read_manifests
from penstock.readers.video.clips import ClipFiles
from penstock.storage import Names, Storage

OUTSIDE = "leads outside of .*; allow_outside=True reads it all the same"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one file of each kind in it, and others beside it."""
    for place in (tmp_path / "root", tmp_path / "root/sub", tmp_path / "beside"):
        place.mkdir()
        (place / "a.jpg").write_bytes(b"file")
        np.save(place / "a.npy", np.arange(3))
    os.symlink(tmp_path / "beside", tmp_path / "root/link")
    fsspec.filesystem("memory").pipe_file("/containment/a.jpg", b"file")
    return tmp_path / "root"


def from_coco(folder: Path, name: str, **arguments: Any) -> Any:
    image = {"id": 1, "file_name": name, "width": 4, "height": 4}
    (folder / "coco.json").write_text(json.dumps({"images": [image], "categories": [], "annotations": []}))
    return ndd.readers.COCO(file_root=folder, annotations_file=folder / "coco.json", **arguments)


def from_saved_coco(folder: Path, name: str, **arguments: Any) -> Any:
    source = from_coco(folder, name, allow_outside=True, save_preprocessed_annotations=True,
                       save_preprocessed_annotations_dir=str(folder))  # fmt: skip
    source.get_metadata()
    return ndd.readers.COCO(file_root=folder, preprocessed_annotations=folder, **arguments)


def from_list(folder: Path, name: str, **arguments: Any) -> Any:
    (folder / "list.txt").write_text(f"{name} 3\n")
    return ndd.readers.File(file_list=folder / "list.txt", **{"file_root": folder, **arguments})


def from_array_list(folder: Path, name: str, **arguments: Any) -> Any:
    (folder / "list.txt").write_text(f"{name.replace('.jpg', '.npy')}\n")
    return ndd.readers.Numpy(file_list=folder / "list.txt", **{"file_root": folder, **arguments})


SOURCES: list[Callable[..., Any]] = [from_coco, from_saved_coco, from_list, from_array_list]
INSIDE = ["a.jpg", "./a.jpg", "sub/a.jpg", "link/a.jpg", "sub//a.jpg", "{root}/a.jpg", "{root}/./sub/a.jpg"]
BEYOND = ["{root}/../beside/a.jpg", "../beside/a.jpg", "sub/../../beside/a.jpg", "link/../a.jpg", "sub/..", "..",
          "/etc/hostname", "{root}x/a.jpg", "memory://containment/a.jpg", "file:///etc/hostname",
          "cached::memory://containment/a.jpg", "zip://a.jpg::file:///x.zip", "https://example.org/a.jpg"]  # fmt: skip


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", INSIDE)
def test_names_below_the_root_are_read(folder, source, name):
    (output, *_) = next(source(folder, name.format(root=folder)).next_epoch(batch_size=1))
    assert len(output.tensors) == 1


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", BEYOND)
def test_names_that_leave_the_root_are_refused(folder, source, name):
    with pytest.raises(RuntimeError, match=OUTSIDE):
        next(source(folder, name.format(root=folder)).next_epoch(batch_size=1))


@pytest.mark.parametrize("name", ["../beside/a.jpg", "{root}/../beside/a.jpg"])
@pytest.mark.parametrize("source", SOURCES)
def test_a_program_may_allow_them(folder, source, name):
    reader = source(folder, name.format(root=folder), allow_outside=True)
    (output, *_) = next(reader.next_epoch(batch_size=1))
    assert len(output.tensors) == 1


def test_what_the_program_names_itself_is_trusted(folder):
    names = ["../beside/a.jpg", str(folder / "sub/a.jpg"), "memory://containment/a.jpg"]
    reader = ndd.readers.File(file_root=folder, files=names)
    assert [np.asarray(file).tobytes() for file, _ in reader.next_epoch()] == [b"file"] * 3
    chosen = from_coco(folder, "../beside/a.jpg", images=["../beside/a.jpg"])
    assert np.asarray(next(chosen.next_epoch())[0]).tobytes() == b"file"


@pytest.mark.parametrize("source", [from_list, from_array_list])
def test_without_a_root_a_list_of_this_machine_names_its_files_as_in_dali(folder, source):
    for name in ("../beside/a.jpg", f"{folder}/../beside/a.jpg", "a.jpg", str(folder.parent / "beside/a.jpg")):
        next(source(folder, name, file_root=None).next_epoch())
    with pytest.raises(RuntimeError, match="outside of this machine; allow_outside=True"):
        next(source(folder, "memory://containment/a.jpg", file_root=None).next_epoch())


REMOTE = "memory://containment/list.txt"


@pytest.mark.parametrize("name", ["a.jpg", "memory://containment/a.jpg"])
def test_a_list_at_a_url_names_what_is_below_it(folder, name):
    fsspec.filesystem("memory").pipe_file("/containment/list.txt", f"{name} 1\n".encode())
    assert np.asarray(next(ndd.readers.File(file_list=REMOTE).next_epoch())[0]).tobytes() == b"file"


@pytest.mark.parametrize("name", ["../a.jpg", "/etc/hostname", "memory://other/a.jpg", "file:///etc/hostname",
                                  "memory://containmentx/a", "a.jpg::file", "x::memory://containment/a"])  # fmt: skip
def test_a_list_at_a_url_names_nothing_else(folder, name):
    fsspec.filesystem("memory").pipe_file("/containment/list.txt", f"{name} 1\n".encode())
    with pytest.raises(RuntimeError, match=OUTSIDE):
        next(ndd.readers.File(file_list=REMOTE).next_epoch())


@pytest.mark.parametrize("name", ["%2e%2e/a.jpg", "a/.%2E/%2e./../a.jpg", "..?a.jpg", "b/..#a.jpg", "..%2Fa.jpg",
                                  "https://example.org/data/%2E%2E/a.jpg"])  # fmt: skip
def test_a_url_does_not_go_up_by_other_spellings(name):
    origin = "https://example.org/data/list.txt"
    with pytest.raises(RuntimeError, match=OUTSIDE):
        check_names(Names.of(["a.jpg", name]), origin, None, allow_outside=False)
    check_names(Names.of(["a%2e%2e/b", "..a?b", "%2e/a", "a..#b", "50%.jpg"]), origin, None, allow_outside=False)


def test_on_this_machine_no_other_spelling_goes_up(folder):
    check_names(Names.of(["%2e%2e/a.jpg", "..?a.jpg", "..#", "..%2Fa"]), "list.txt", str(folder), allow_outside=False)


@pytest.mark.parametrize("name", ["a.wav", "/data/a.wav", "../a.wav"])
def test_manifests_and_lists_of_videos_of_this_machine_name_its_files(tmp_path, name):
    (tmp_path / "m.json").write_text(json.dumps({"audio_filepath": name}))
    (tmp_path / "list.txt").write_text(f"{name} 1")
    assert read_manifests(Storage(), [str(tmp_path / "m.json")], 0, 0).paths[0] == name
    assert ClipFiles(file_list=str(tmp_path / "list.txt")).listed(Storage())[0].name == name


@pytest.mark.parametrize("origin", ["here", "memory://containment"])
@pytest.mark.parametrize("name", ["a.wav", "/data/a.wav", "../a.wav", "memory://other/a.wav"])
def test_manifests_and_lists_of_videos_from_elsewhere(tmp_path, origin, name):
    place = str(tmp_path) if origin == "here" else origin
    for file, text in {"m.json": json.dumps({"audio_filepath": name}), "list.txt": f"{name} 1"}.items():
        with fsspec.open(f"{place}/{file}", "w") as opened:
            opened.write(text)
    allowed = origin == "here" and "://" not in name
    for read in (
        lambda: read_manifests(Storage(), [f"{place}/m.json"], 0, 0),
        lambda: ClipFiles(file_list=f"{place}/list.txt").listed(Storage()),
    ):
        if allowed:
            read()
        else:
            with pytest.raises(RuntimeError, match=OUTSIDE):
                read()
    read_manifests(Storage(), [f"{place}/m.json"], 0, 0, allow_outside=True)
    ClipFiles(file_list=f"{place}/list.txt", allow_outside=True).listed(Storage())


def test_a_saved_hugging_face_data_set_stays_in_its_folder(folder):
    for name in ("../beside/a.arrow", "memory://containment/a.arrow", "/etc/a.arrow"):
        (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": name}]}))
        with pytest.raises(RuntimeError, match=OUTSIDE):
            next(ndd.readers.Parquet(path=folder).next_epoch())


def test_the_current_folder_is_a_root_too(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for root in ("", ".", "./", str(folder) + "//"):
        check_names(Names.of(["a.jpg", f"{folder}/a.jpg"]), "coco.json", root, allow_outside=False)
        with pytest.raises(RuntimeError, match=OUTSIDE):
            check_names(Names.of(["a.jpg", f"{folder}x/a.jpg"]), "coco.json", root, allow_outside=False)
    check_names(Names.of(["/etc/hostname", "a..jpg", "..a", "a/..b/c.."]), "list.txt", "/", allow_outside=False)
