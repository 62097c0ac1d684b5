"""Annotations of `readers.COCO` in binary files: written, read again, incomplete, mixed up."""

from __future__ import annotations

import os
import re
import signal
import struct
import subprocess
import sys

import fsspec
import numpy as np
import pytest

from penstock.readers import COCO
from readers.coco_files import ANNOTATIONS, IMAGES, annotation, expected, image, write_coco
from readers.coco_outputs import outputs_of, problem_of

BASIC = ["boxes", "counts", "filenames", "labels", "offsets"]
POLYGONS = ["polygon_data", "polygon_offset", "polygons_count", "vertices", "vertices_count", "vertices_offset"]
RUNS = ["heights", "mask_count", "masks_offset", "masks_rles", "masks_rles_idx", "widths"]


def save(folder, images=IMAGES, annotations=ANNOTATIONS, **arguments):
    """Saves annotations in a folder of their own and returns it."""
    saved = folder / "saved"
    saved.mkdir()
    saving = {"save_preprocessed_annotations": True, "save_preprocessed_annotations_dir": saved}
    path = write_coco(folder, images, annotations)
    outputs_of(COCO(file_root=folder, annotations_file=path, **arguments, **saving))
    return saved


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        ({"ltrb": True, "skip_empty": True}, BASIC),
        ({"ratio": True, "image_ids": True}, [*BASIC, "original_ids"]),
        ({"polygon_masks": True, "ratio": True}, [*BASIC, *POLYGONS]),
        ({"pixelwise_masks": True, "ratio": True, "avoid_class_remapping": True}, [*BASIC, *POLYGONS, *RUNS]),
    ],
)
def test_what_was_saved_is_read_again(tmp_path, arguments, files):
    saved = save(tmp_path, **arguments)
    assert sorted(path.stem for path in saved.iterdir()) == sorted(files)
    kept = {name: arguments.get(name) for name in ("image_ids", "polygon_masks", "pixelwise_masks")}
    again = COCO(file_root=tmp_path, preprocessed_annotations=saved, **kept)
    assert outputs_of(again) == expected(IMAGES, ANNOTATIONS, **arguments)


def test_files_by_eye(tmp_path):
    shapes = [
        annotation(5, 3, (1, 2, 3, 4), [[0, 0, 1, 0, 1, 1]]),
        annotation(5, 1, shape={"size": [8, 10], "counts": [7, 9]}),
    ]
    saved = save(tmp_path, [image(6), image(5, "a b.jpg")], shapes, pixelwise_masks=True)
    contents = {path.stem: path.read_bytes() for path in saved.iterdir()}
    assert contents["filenames"] == b"a b.jpg\n6.jpg\n"
    assert contents["counts"] == struct.pack("<3i", 2, 2, 0)
    assert contents["offsets"] == struct.pack("<3i", 2, 0, 2)
    assert contents["labels"] == struct.pack("<3i", 2, 3, 1)
    assert contents["boxes"] == struct.pack("<i8f", 8, 1, 2, 3, 4, 1, 2, 3, 4)
    assert contents["polygon_data"] == struct.pack("<4i", 1, 0, 0, 3)
    assert contents["vertices"] == struct.pack("<i6f", 3, 0, 0, 1, 0, 1, 1)
    assert contents["polygons_count"] == struct.pack("<iqq", 2, 1, 0)
    assert contents["vertices_offset"] == struct.pack("<iqq", 2, 0, 3)
    assert contents["masks_rles"] == struct.pack("<i3q2I", 1, 8, 10, 2, 7, 9)
    assert contents["masks_rles_idx"] == struct.pack("<2i", 1, 1)
    assert contents["heights"] == struct.pack("<3i", 2, 8, 8)


def test_a_folder_at_a_url(tmp_path):
    for path in save(tmp_path).iterdir():
        fsspec.filesystem("memory").pipe_file(f"/saved/{path.name}", path.read_bytes())
    reader = COCO(file_root=tmp_path, preprocessed_annotations="memory://saved")
    assert outputs_of(reader) == expected(IMAGES, ANNOTATIONS)


def test_a_folder_that_is_not_there(tmp_path):
    path = write_coco(tmp_path, IMAGES, ANNOTATIONS)
    saving = {"save_preprocessed_annotations": True, "save_preprocessed_annotations_dir": tmp_path / "nope"}
    with pytest.raises(RuntimeError, match=r"error while saving: .*nope/filenames.dat: No such file or directory"):
        next(COCO(file_root=tmp_path, annotations_file=path, **saving).next_epoch())
    with pytest.raises(RuntimeError, match=r"in .*nope are not complete: .*nope/filenames.dat: No such file"):
        next(COCO(file_root=tmp_path, preprocessed_annotations=tmp_path / "nope").next_epoch())


def refused(folder, saved, message):
    with pytest.raises(RuntimeError, match=message):
        next(COCO(file_root=folder, preprocessed_annotations=saved, image_ids=True, pixelwise_masks=True).next_epoch())


@pytest.mark.parametrize("name", [*BASIC, *POLYGONS, *RUNS, "original_ids"])
def test_files_that_are_missing_cut_or_of_another_data_set(tmp_path, name):
    saved = save(tmp_path, pixelwise_masks=True, image_ids=True)
    (tmp_path / "other").mkdir()
    shapes = ({"size": [8, 10], "counts": [3, 4]}, [[1, 2, 3, 4, 5, 6]])
    others = [annotation(n % 3, 1, shape=shapes[n % 2]) for n in range(40)]
    other = save(tmp_path / "other", [image(n) for n in range(3)], others, pixelwise_masks=True, image_ids=True)
    path = saved / f"{name}.dat"
    whole = path.read_bytes()
    path.unlink()
    refused(tmp_path, saved, rf"{re.escape(str(saved))} are not complete: .*{name}.dat: No such file")
    for contents in (b"", whole[:3], whole[:-1], whole + b"1", (other / f"{name}.dat").read_bytes()):
        path.write_bytes(contents)
        refused(tmp_path, saved, rf"{re.escape(str(saved))}/[a-z_]+.dat: it|File mapping failed")


@pytest.mark.parametrize("name", [*POLYGONS, *RUNS, *BASIC[:2], *BASIC[3:], "original_ids"])
def test_numbers_that_are_wrong_end_in_an_error_or_a_result(tmp_path, name):
    saved = save(tmp_path, pixelwise_masks=True, image_ids=True)
    path = saved / f"{name}.dat"
    whole = np.frombuffer(path.read_bytes(), np.int32)
    for at in range(min(len(whole), 6)):
        for value in (-1, 0, 2**31 - 1, -(2**31), int(whole[at]) + 1):
            wrong = whole.copy()
            wrong[at] = value
            path.write_bytes(wrong.tobytes())
            reader = COCO(file_root=tmp_path, preprocessed_annotations=saved, image_ids=True, pixelwise_masks=True)
            problem = problem_of(reader)
            assert problem is None or str(saved) in problem


DIES_WHILE_SAVING = """
import os, signal, sys
from penstock.readers import COCO

os.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
saving = {"save_preprocessed_annotations": True, "save_preprocessed_annotations_dir": sys.argv[3]}
COCO(file_root=sys.argv[1], annotations_file=sys.argv[2], **saving)()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_what_a_killed_process_left_is_removed_when_it_is_saved_again(tmp_path):
    path, saved = write_coco(tmp_path, IMAGES, ANNOTATIONS), tmp_path / "saved"
    saved.mkdir()
    command = [sys.executable, "-c", DIES_WHILE_SAVING, *map(str, (tmp_path, path, saved))]
    for _ in range(2):
        assert subprocess.run(command, timeout=120, check=False).returncode == -signal.SIGKILL
        assert len(os.listdir(saved)) == 1
    saving = {"save_preprocessed_annotations": True, "save_preprocessed_annotations_dir": saved}
    outputs_of(COCO(file_root=tmp_path, annotations_file=path, **saving))
    assert sorted(os.listdir(saved)) == [f"{name}.dat" for name in BASIC]
