"""Which files a `File` reader finds, in which order and with which labels."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from penstock.readers import File
from penstock.storage import Names
from readers.promises import values


def found(**arguments: Any) -> list[tuple[str, int]]:
    """Source and label of every sample, in order."""
    samples = File(**arguments).next_epoch()
    return [(data.sources[0], values(label)[0][0]) for data, label in samples]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ["b/2.jpg", "b/10.jpg", "b/A.JPG", "b/a.jpg", "b/notes.txt", "b/noext", "B/z.png", "a/x.jpg",
                 "a-b/k.jpeg", ".hidden/h.jpg", "root.jpg", "b/nested/deep.jpg", "b/folder.jpg/in.jpg"]:  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "empty").mkdir()
    return tmp_path


def test_folders_are_classes_in_the_order_of_their_bytes(tree):
    assert found(file_root=tree) == [
        (".hidden/h.jpg", 0), ("B/z.png", 1), ("a/x.jpg", 2), ("a-b/k.jpeg", 3),
        ("b/10.jpg", 4), ("b/2.jpg", 4), ("b/A.JPG", 4), ("b/a.jpg", 4),
    ]  # fmt: skip


def test_a_folder_without_files_still_takes_a_label(tree):
    (tree / "zz").mkdir()
    (tree / "zz" / "last.jpg").touch()
    assert found(file_root=tree)[-1] == ("zz/last.jpg", 6)


def test_links_are_followed(tree):
    (tree / "c").symlink_to("a")
    (tree / "b" / "link.jpg").symlink_to("2.jpg")
    names = [name for name, _ in found(file_root=tree)]
    assert "c/x.jpg" in names
    assert "b/link.jpg" in names


def test_only_what_can_be_read_counts_as_a_file(tree):
    os.mkfifo(tree / "b" / "pipe.jpg")
    assert "b/pipe.jpg" not in [name for name, _ in found(file_root=tree)]


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["*.JPG"], ["10.jpg", "2.jpg", "A.JPG", "a.jpg"]),
        (["?.jpg"], ["2.jpg", "A.JPG", "a.jpg"]),
        (["[0-9]*.jpg"], ["10.jpg", "2.jpg"]),
        (["[!0-9].jpg"], ["A.JPG", "a.jpg"]),
        (["2*", "*.jpg", "2.*"], ["10.jpg", "2.jpg", "A.JPG", "a.jpg"]),
        (["*"], ["10.jpg", "2.jpg", "A.JPG", "a.jpg", "noext", "notes.txt"]),
        ("*.txt", ["notes.txt"]),
    ],
)
def test_file_filters_take_shell_patterns(tree, patterns, names):
    in_b = [name for name, _ in found(file_root=tree, file_filters=patterns) if name.startswith("b/")]
    assert in_b == [f"b/{name}" for name in names]


def test_case_sensitive_filter(tree):
    filters = {"dir_filters": ["b"], "file_filters": ["*.jpg", "A*"], "case_sensitive_filter": True}
    assert found(file_root=tree, **filters) == [("b/10.jpg", 0), ("b/2.jpg", 0), ("b/A.JPG", 0), ("b/a.jpg", 0)]
    filters["file_filters"] = ["*.JPG"]
    assert found(file_root=tree, **filters) == [("b/A.JPG", 0)]


def test_dir_filters_number_the_classes_that_remain(tree):
    assert found(file_root=tree, dir_filters=["a*"]) == [("a/x.jpg", 0), ("a-b/k.jpeg", 1)]


def test_names_that_are_no_text_are_read_all_the_same(tmp_path):
    folder = os.path.join(os.fsencode(tmp_path), b"class")
    os.mkdir(folder)
    with open(os.path.join(folder, b"\xff.jpg"), "wb") as file:
        file.write(b"5")
    ((data, _),) = File(file_root=tmp_path).next_epoch()
    assert bytes(data.sample(0)) == b"5"


def test_files_are_numbered_unless_labelled(tree):
    assert found(file_root=tree, files=["b/2.jpg", Path("a/x.jpg")]) == [("b/2.jpg", 0), ("a/x.jpg", 1)]
    assert found(file_root=tree, files=["b/2.jpg", "a/x.jpg"], labels=[-4, 9]) == [("b/2.jpg", -4), ("a/x.jpg", 9)]


def test_an_absolute_path_needs_no_root(tree):
    assert found(files=str(tree / "a" / "x.jpg"), file_root="elsewhere") == [(str(tree / "a" / "x.jpg"), 0)]


def test_a_list_file_names_files_and_labels(tree):
    (tree / "a" / "x y.jpg").touch()
    (tree / "list.txt").write_text("b/2.jpg 5\na/x y.jpg\t 12 \n\n  \nb/notes.txt 007\r\n")
    expected = [("b/2.jpg", 5), ("a/x y.jpg", 12), ("b/notes.txt", 7)]
    assert found(file_list=tree / "list.txt", file_root=tree) == expected
    assert found(file_list=tree / "list.txt") == expected  # relative to the list itself


@pytest.mark.parametrize("line", ["b/2.jpg", "b/2.jpg -1", "b/2.jpg 1.5", "b/2.jpg one", "7"])
def test_a_bad_line_is_shown_with_its_number(tree, line):
    (tree / "list.txt").write_text(f"b/2.jpg 1\n{line}\n")
    with pytest.raises(
        RuntimeError, match=r'Incorrect format of the list file ".*list.txt":2 expected .* got: ' + line
    ):
        found(file_list=tree / "list.txt")


def test_a_label_must_fit(tree):
    (tree / "list.txt").write_text("b/2.jpg 99999999999\n")
    with pytest.raises(RuntimeError, match=r'99999999999 .*list\.txt":1 does not fit in 32 bits'):
        found(file_list=tree / "list.txt")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "``file_root`` argument is required"),
        ({"file_root": "nope"}, "Failed to open nope: No such file or directory"),
        ({"file_root": __file__}, "Failed to open .*: Not a directory"),
        ({"file_list": "nope.txt"}, "Cannot open: nope.txt: No such file or directory"),
        ({"file_list": "a.txt", "files": ["b"]}, "``files`` or ``file_list`` but not both"),
        ({"files": []}, "``files`` specified an empty list"),
        ({"files": ["a"], "labels": [1, 2]}, r"Provided 2 labels for 1 files\."),
        ({"files": ["a"], "labels": []}, r"Provided 0 labels for 1 files\."),
        ({"file_root": ".", "labels": [1]}, "``labels`` is valid only when"),
        ({"file_root": ".", "file_filters": []}, "``file_filters`` list cannot be empty"),
        ({"file_root": ".", "dir_filters": []}, "``dir_filters`` list cannot be empty"),
        ({"files": ["a\0b"]}, r"zero byte in it: 'a\\x00b'"),
    ],
)
def test_arguments_that_find_nothing_fail_at_the_first_step(arguments, message):
    reader = File(**arguments)
    for first_step in (lambda: next(reader.next_epoch()), reader.get_metadata):
        with pytest.raises(RuntimeError, match=message):
            first_step()


@pytest.mark.parametrize("arguments", [{"files": 5}, {"files": [5]}, {"file_root": 5}, {"file_list": 5}])
def test_what_is_no_path_is_refused(arguments):
    with pytest.raises(TypeError, match=r"a path .* got 5"):
        File(**arguments)


def test_paths_may_be_bytes_and_a_label_alone(tree):
    assert found(file_root=os.fsencode(tree), files=b"b/2.jpg", labels=7) == [("b/2.jpg", 7)]


def test_no_files_found(tmp_path, tree):
    for arguments in ({"file_root": tree / "empty"}, {"file_root": tree, "file_filters": ["*.webp"]}):
        with pytest.raises(RuntimeError, match=r"No files found\. Looked in '.*'"):
            found(**arguments)


def test_a_reader_that_found_nothing_works_once_there_is_something(tmp_path):
    reader = File(file_root=tmp_path)
    with pytest.raises(RuntimeError, match="No files found"):
        next(reader.next_epoch())
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "a.jpg").touch()
    assert reader.get_metadata()["epoch_size"] == 1
    assert [data.sources for data, _ in reader.next_epoch()] == [["class/a.jpg"]]


def test_names_are_a_list_of_strings():
    names = Names.of(["a/b.jpg", "é", os.fsdecode(b"\xff")])
    assert [names[i] for i in range(len(names))] == ["a/b.jpg", "é", os.fsdecode(b"\xff")]
    assert names[-1] == os.fsdecode(b"\xff")
    assert len(Names.of([])) == 0
    with pytest.raises(IndexError):
        names[3]


def test_folders_are_classes_by_name(tmp_path):
    for folder in ("dog", "ant", "empty", "cat"):
        (tmp_path / folder).mkdir()
    for name in ("dog/1.jpg", "cat/2.jpg", "cat/3.jpg"):
        (tmp_path / name).write_bytes(b"x")
    reader = File(file_root=tmp_path)
    assert reader.classes == ["ant", "cat", "dog", "empty"]
    assert reader.class_to_idx == {"ant": 0, "cat": 1, "dog": 2, "empty": 3}
    assert [reader.classes[int(label.sample(0)[0])] for _, label in reader.next_epoch()] == ["cat", "cat", "dog"]
    assert File(file_root=tmp_path, dir_filters=["d*", "c*"]).classes == ["cat", "dog"]
    numbered = File(file_root=tmp_path, files=["dog/1.jpg"], labels=[4])
    assert not hasattr(numbered, "classes")
    with pytest.raises(AttributeError, match="labels have names only where folders are classes"):
        _ = numbered.class_to_idx


def test_folders_of_a_url_are_classes_by_name():
    fsspec = pytest.importorskip("fsspec")
    with fsspec.open("memory://classes/b/1.jpg", "wb") as file:
        file.write(b"x")
    with fsspec.open("memory://classes/a/2.jpg", "wb") as file:
        file.write(b"x")
    assert File(file_root="memory://classes").classes == ["a", "b"]
