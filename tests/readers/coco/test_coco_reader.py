"""`readers.COCO`: outputs, order, which images and annotations count, masks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import fsspec
import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.readers import COCO
from readers.coco_files import ANNOTATIONS, IMAGES, annotation, expected, image, text_of, write_coco
from readers.coco_outputs import outputs_of
from readers.promises import check_resume, values


@pytest.fixture
def files(tmp_path):
    return {"file_root": tmp_path, "annotations_file": write_coco(tmp_path, IMAGES, ANNOTATIONS)}


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"ltrb": True},
        {"ratio": True},
        {"ltrb": True, "ratio": True, "image_ids": True},
        {"size_threshold": 3.0},
        {"size_threshold": 0.0, "avoid_class_remapping": True},
        {"include_iscrowd": False, "skip_empty": True},
        {"polygon_masks": True},
        {"polygon_masks": True, "ratio": True, "image_ids": True, "include_iscrowd": False},
        {"pixelwise_masks": True},
        {"pixelwise_masks": True, "ratio": True, "avoid_class_remapping": True, "skip_empty": True, "image_ids": True},
    ],
)
def test_outputs_are_what_the_annotations_say(files, arguments):
    assert outputs_of(COCO(**files, **arguments)) == expected(IMAGES, ANNOTATIONS, **arguments)


def test_types_and_layouts(files):
    reader = ndd.readers.COCO(**files, pixelwise_masks=True, image_ids=True)
    batch = next(reader.next_epoch(batch_size=5))
    assert [output.dtype for output in batch] == [ndd.uint8, ndd.float32, ndd.int32, ndd.int32, ndd.int32]
    assert [output.layout for output in batch] == [None, None, None, "HWC", None]
    assert [output.shape[1] for output in batch] == [(10,), (0, 4), (0,), (8, 10, 1), (1,)]
    polygons, vertices = next(ndd.readers.COCO(**files, polygon_masks=True).next_epoch())[3:]
    assert (polygons.dtype, vertices.dtype) == (ndd.int32, ndd.float32)
    sources = ndd.get_property(batch[0], key="source_info")
    assert [bytes(np.asarray(text)) for text in sources] == [b"3.jpg", b"deep/a.jpg", b"b.jpg", b"7.jpg", b"9.jpg"]


def test_a_triangle_and_runs_by_eye(tmp_path):
    shapes = [
        annotation(1, 5, shape=[[0, 0, 4, 0, 4, 4]]),
        annotation(1, 1, shape={"size": [4, 6], "counts": [0, 1, 18, 3, 2]}),
        annotation(1, 1, shape=[]),
        annotation(1, 3, shape=[[4, 3, 4, 3]]),
        annotation(1, 3),
    ]
    path = write_coco(tmp_path, [image(1, width=6, height=4)], shapes)
    (sample,) = outputs_of(COCO(file_root=tmp_path, annotations_file=path, pixelwise_masks=True))
    assert np.array(sample[3])[:, :, 0].tolist() == [
        [1, 2, 2, 2, 0, 1],
        [0, 0, 2, 2, 0, 1],
        [0, 0, 0, 2, 0, 0],
        [0, 0, 0, 0, 1, 0],
    ]


def test_the_largest_label_is_on_top_and_masks_of_one_label_are_joined(tmp_path):
    shapes = [
        annotation(1, 3, shape={"size": [1, 4], "counts": [0, 2, 2]}),
        annotation(1, 1, shape={"size": [1, 4], "counts": "13"}),
        annotation(1, 3, shape={"size": [1, 4], "counts": text_of([3, 1])}),
    ]
    path = write_coco(tmp_path, [image(1, width=4, height=1)], shapes)
    (sample,) = outputs_of(COCO(file_root=tmp_path, annotations_file=path, pixelwise_masks=True))
    assert np.array(sample[3]).ravel().tolist() == [3, 3, 1, 3]


def test_images_are_read_in_the_order_they_are_asked_for(files):
    named = outputs_of(COCO(**files, images=["b.jpg", "3.jpg", "b.jpg"], image_ids=True))
    by_name = {sample[0]: sample for sample in expected(IMAGES, ANNOTATIONS, image_ids=True)}
    assert named == [by_name["b.jpg"], by_name["3.jpg"], by_name["b.jpg"]]
    assert len(outputs_of(COCO(**files, images=["deep/a.jpg", "b.jpg"], skip_empty=True))) == 1
    with pytest.warns(UserWarning, match=r"1 of the 2 `images` are left out .* the first is 'nope.jpg'"):
        assert len(outputs_of(COCO(**files, images=["nope.jpg", "b.jpg"]))) == 1


def test_images_of_one_name_keep_their_own_annotations(tmp_path):
    images = [image(1, "a.jpg"), image(2, "a.jpg")]
    files = {"file_root": tmp_path, "annotations_file": write_coco(tmp_path, images, [annotation(1), annotation(2, 3)])}
    assert [sample[2] for sample in outputs_of(COCO(**files))] == [[1], [3]]
    assert [sample[2] for sample in outputs_of(COCO(**files, images="a.jpg"))] == [[3]]


def test_outdated_arguments(files):
    with pytest.warns(DeprecationWarning, match="save_img_ids is now called image_ids"):
        assert outputs_of(COCO(**files, save_img_ids=True)) == expected(IMAGES, ANNOTATIONS, image_ids=True)
    with pytest.raises(TypeError, match="'save_img_ids', which is now called 'image_ids'"):
        COCO(**files, save_img_ids=True, image_ids=True)
    with pytest.warns(DeprecationWarning, match="use polygon_masks instead of masks"):
        by_coordinate = outputs_of(COCO(**files, masks=True))
    by_vertex = expected(IMAGES, ANNOTATIONS, polygon_masks=True)
    doubled = [[[box, 2 * first, 2 * last] for box, first, last in sample[3]] for sample in by_vertex]
    assert [sample[3] for sample in by_coordinate] == doubled


def test_annotations_and_images_at_urls(tmp_path, files):
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/coco/a.json", (tmp_path / "annotations.json").read_bytes())
    for each in IMAGES:
        memory.pipe_file(f"/coco/photos/{each['file_name']}", each["file_name"].encode())
    reader = COCO(file_root="memory://coco/photos", annotations_file="memory://coco/a.json", polygon_masks=True)
    assert outputs_of(reader) == expected(IMAGES, ANNOTATIONS, polygon_masks=True)
    with pytest.raises(RuntimeError, match=r"memory://coco/b\.json"):
        next(COCO(file_root="memory://coco", annotations_file="memory://coco/b.json").next_epoch())


def test_names_and_numbers_in_all_their_spellings(tmp_path):
    name = 'é "q"\t\U0001f600.jpg'
    (tmp_path / name).write_text("photo")
    text = json.dumps({"images": [{"width": 5.0, "height": 4, "id": 1, "file_name": name}]})[:-1]
    text += ', "annotations":[{"image_id":1,"category_id":4,"iscrowd":true,"bbox":[1e0,2.5E+0,300e-2,'
    text += '4.00000000000000000000001],"more":{"a":[null,false,"\\u00e9\\/"]}}],\r\n"categories":[{"id":4}]}\n'
    (tmp_path / "a.json").write_text(text)
    reader = COCO(file_root=tmp_path, annotations_file=tmp_path / "a.json")
    photos, boxes, labels = next(reader.next_epoch(batch_size=1))
    assert (values(boxes), values(labels), photos.sources) == ([[[1.0, 2.5, 3.0, 4.0]]], [[1]], [name])
    without = COCO(file_root=tmp_path, annotations_file=tmp_path / "a.json", include_iscrowd=False)
    assert values(next(without.next_epoch(batch_size=1))[1]) == [[]]


def test_a_file_larger_than_what_is_read_at_a_time(tmp_path):
    many = [annotation(3, 5, (n, n / 7, 5, 5), {"size": [8, 10], "counts": "0" * 60}) for n in range(20_000)]
    long = annotation(7, 1, shape={"size": [4, 6], "counts": "0" * 1_500_000})
    path = write_coco(tmp_path, IMAGES, [*many, long])
    samples = outputs_of(COCO(file_root=tmp_path, annotations_file=path, pixelwise_masks=True, skip_empty=True))
    assert samples[0][1] == np.array([each["bbox"] for each in many], np.float32).tolist()
    assert samples[1][2] == [1]


PEAK = """
import re, sys
from penstock.readers import COCO
kilobytes = lambda field: int(re.search(rf"{field}:\\s+(\\d+)", open("/proc/self/status").read())[1])
reader = COCO(file_root="", annotations_file=sys.argv[1])
before = kilobytes("VmRSS")
assert reader.get_metadata()["epoch_size"] == 5
print(kilobytes("VmHWM") - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="tells the most memory a process had on Linux only")
@pytest.mark.memory
def test_a_large_file_is_never_in_memory_as_a_whole(tmp_path):
    large = {**annotation(3), "keypoints": list(range(10_000, 10_300))}
    path = Path(write_coco(tmp_path, IMAGES, [large]))
    path.write_text(path.read_text().replace(json.dumps(large), ", ".join([json.dumps(large)] * 6_000)))
    assert path.stat().st_size > 12_000_000
    grown = subprocess.run([sys.executable, "-c", PEAK, path], capture_output=True, text=True, check=True).stdout
    assert int(grown) < 6_000  # kB


@pytest.mark.parametrize("order", [{}, {"random_shuffle": True, "seed": 4, "initial_fill": 3}])
@pytest.mark.parametrize("shards", [{}, {"num_shards": 2, "shard_id": 1, "pad_last_batch": True}])
def test_resuming_is_exact(files, order, shards):
    arguments = {"polygon_masks": True, "image_ids": True, "enable_checkpointing": True}
    check_resume(lambda: COCO(**files, **arguments, **order, **shards), batch_size=2)


def test_images_that_cannot_be_read_are_left_out_with_their_annotations(tmp_path, files):
    (tmp_path / "b.jpg").unlink()
    with pytest.raises(RuntimeError, match=r"b\.jpg: No such file or directory"):
        outputs_of(COCO(**files))
    reader = COCO(**files, on_error="skip", image_ids=True)
    assert values(next(reader.next_epoch(batch_size=4))[3]) == [[3], [4], [7], [9]]
    assert [(bad.index, bad.source) for bad in reader.errors] == [(2, "b.jpg")]
    replaced = next(COCO(**files, on_error="replace", image_ids=True).next_epoch(batch_size=5))
    assert values(replaced[3]) == [[3], [4], [7], [7], [9]]
