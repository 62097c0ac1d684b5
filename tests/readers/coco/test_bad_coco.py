"""`readers.COCO` given annotations that are no JSON, incomplete or contradictory: errors that tell where."""

from __future__ import annotations

import json
import re

import pytest

from penstock.readers import COCO
from readers.coco_files import ANNOTATIONS, IMAGES, annotation, write_coco

GOOD = {"images": IMAGES, "annotations": ANNOTATIONS, "categories": [{"id": n} for n in (1, 5, 3)]}


def refused(folder, text, message, kind=RuntimeError, **arguments):
    path = folder / "annotations.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(kind, match=f"{re.escape(str(path))}: {message}"):
        next(COCO(file_root=folder, annotations_file=path, **arguments).next_epoch())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: the file ends too early"),
        ("[]", "line 1, column 1: an object is expected here"),
        ("{}", "there are no images in the file"),
        ('{"images": [],\n "info": nope}', "line 2, column 10: no JSON value starts like this"),
        ('{"images": [],\n "info": NaN}', "line 2, column 10: a number is expected here"),
        ('{"images": [],\n\n "info": {"a" 1}}', "line 3, column 15: a colon is expected here"),
        ('{"images": [] "info": 1}', "line 1, column 15: a comma or } is expected here"),
        ('{"images": [], "info": "a\nb"}', "line 1, column 24: this string has a control character in it"),
        ('{"images": [], "info": "abc', "line 1, column 24: this string has no end"),
        ('{"images": [], "info": "\\x"}', "line 1, column 24: this string has a bad escape"),
        ('{"images": [], "info": "\\u12"}', "line 1, column 24: this string has a bad escape"),
        ('{"images": [], "info": 1.}', "line 1, column 24: a number is expected here"),
        ('{"images": [], "info": -}', "line 1, column 24: a number is expected here"),
        ('{"images": [], "info": 1e}', "line 1, column 24: a number is expected here"),
        ('{"images": [{"id": 1', "images.0.: line 1, column 21: the file ends too early"),
        ('{"images": []} x', "line 1, column 16: the document is over, but something follows"),
        ('{"images": []}\0', "line 1, column 15: the document is over, but something follows"),
        ('{"images": [], "info": ' + "[" * 100_000, "line 1, column 22[0-9]: nested too deeply"),
        ("\n" * 1_500_000 + '{"images": [],\n"info": }', "line 1500002, column 9: a number is expected here"),
    ],
)
def test_json_that_is_none(tmp_path, text, message):
    refused(tmp_path, text, message)


@pytest.mark.parametrize("end", [1, 50, 300, 700, -1, -30])
def test_a_file_that_was_cut(tmp_path, end):
    refused(tmp_path, json.dumps(GOOD)[:end], ".*line 1, column [0-9]+: .*(ends too early|has no end)")


def changed(which, at, **fields):
    """The document with fields of an element replaced, or removed where they are `...`."""
    element = {name: value for name, value in (GOOD[which][at] | fields).items() if value is not ...}
    return json.dumps({**GOOD, which: [*GOOD[which][:at], element, *GOOD[which][at + 1 :]]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (changed("images", 1, id=...), r"images\[1\]: there is no id"),
        (changed("images", 1, file_name=...), r"images\[1\]: there is no file_name"),
        (changed("images", 1, file_name=""), r"images\[1\]: line 1, column .*: this is no file name"),
        (changed("images", 1, file_name="a\0b"), r"images\[1\]: line 1, column .*: this is no file name"),
        (changed("images", 1, id="3"), r"images\[1\]: line 1, column .*: a number is expected here"),
        (changed("images", 1, id=2**31), r"images\[1\]: line 1, column .*: this number does not fit in 32 bits"),
        (changed("images", 1, id=2.5), r"images\[1\]: line 1, column .*: a whole number is expected here"),
        (changed("images", 2, id=7), r"images\[0\] and images\[2\] have the same id, 7"),
        (changed("categories", 2, id=...), r"categories\[2\]: there is no id"),
        (changed("annotations", 3, image_id=...), r"annotations\[3\]: there is no image_id"),
        (changed("annotations", 3, image_id=8), r"annotations\[3\]: its image_id is 8, but no image has that id"),
        (changed("annotations", 5, image_id=99), r"annotations\[5\]: its image_id is 99, but no image has that id"),
        (changed("annotations", 3, category_id=...), r"annotations\[3\]: there is no category_id"),
        (
            changed("annotations", 3, category_id=2),
            r"annotations\[3\]: its category_id is 2, but no category has",
        ),
        (json.dumps({**GOOD, "categories": []}), r"annotations\[0\]: its category_id is 5, but no category"),
        (changed("annotations", 3, bbox=...), r"annotations\[3\]: there is no bbox"),
        (changed("annotations", 3, bbox=None), r"annotations\[3\]: line 1, column .*: an array is expected here"),
        (changed("annotations", 3, bbox=[1, 2, 3, 1e39]), r"annotations\[3\]: .* this coordinate is too large"),
    ],
)
def test_fields_that_are_missing_or_wrong(tmp_path, text, message):
    refused(tmp_path, text, message)


@pytest.mark.parametrize(
    ("name", "kind"),
    [(5, "number"), (-1.5, "number"), (None, "null"), (["a"], "array"), ({}, "object"), (True, "boolean")],
)
def test_a_name_that_is_no_string(tmp_path, name, kind):
    message = rf"images\[1\]: Invalid COCO annotation: `file_name` must be a string, got {kind}"
    refused(tmp_path, changed("images", 1, file_name=name), message, ValueError)


@pytest.mark.parametrize("count", [0, 3, 5])
def test_boxes_of_another_length(tmp_path, count):
    text = changed("annotations", 3, bbox=[1] * count)
    refused(tmp_path, text, rf"annotations\[3\]: `bbox` must contain exactly 4 values, got {count}", ValueError)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ([[1, 2, 3]], "a polygon has an x without a y: 3 numbers"),
        ([1, 2, 3, 4], "line 1, column .*: an array is expected here"),
        ("text", "line 1, column .*: an array is expected here"),
        ({"size": [4, 6]}, "there are no counts in the segmentation"),
        ({"counts": [24]}, "there is no size in the segmentation"),
        ({"size": [4], "counts": [4]}, "line 1, column .*: the size of a mask is a height and a width"),
        ({"size": [0, 6], "counts": []}, "line 1, column .*: the size of a mask is a height and a width"),
        ({"size": [6, 4], "counts": [24]}, "its mask has a size of 6x4, its image 4x6"),
        ({"size": [4, 6], "counts": [20, 5]}, "the run lengths cover 25 pixels, a mask of 4x6 has 24"),
        ({"size": [4, 6], "counts": [5, -1]}, "line 1, column .*: a run cannot have a length below zero"),
        ({"size": [4, 6], "counts": "5P"}, "the run lengths end in the middle of a number"),
        ({"size": [4, 6], "counts": "5 5"}, "these are no run lengths of COCO's"),
        ({"size": [4, 6], "counts": "P" * 30}, "these are no run lengths of COCO's"),
        ({"size": [4, 6], "counts": "5O"}, "a run cannot have a length of -1"),
    ],
)
def test_masks_that_make_no_sense(tmp_path, shape, message):
    text = changed("annotations", 3, segmentation=shape)
    refused(tmp_path, text, rf"annotations\[3\]: {message}", pixelwise_masks=True)


@pytest.mark.parametrize("arguments", [{"ratio": True}, {"pixelwise_masks": True}])
def test_images_without_a_size(tmp_path, arguments):
    text = changed("images", 1, width=..., height=-3)
    message = r"images\[1\]: `ratio` and `pixelwise_masks` need its width and height, got 0x-3"
    refused(tmp_path, text, message, **arguments)


def test_images_larger_than_any(tmp_path):
    text = changed("images", 3, width=2**31 - 1, height=2**31 - 1)
    refused(tmp_path, text, r"images\[3\]: .* width and height, got 2147483647x2147483647", pixelwise_masks=True)


def test_arguments_that_do_not_go_together(tmp_path):
    path = write_coco(tmp_path, IMAGES, [annotation(3)])
    files = {"file_root": tmp_path, "annotations_file": path}
    for arguments, message in (
        ({"annotations_file": path}, "``file_root`` argument is required"),
        ({"file_root": tmp_path}, "Either ``annotations_file`` or ``preprocessed_annotations`` must be provided"),
        ({**files, "annotations_file": tmp_path / "no.json"}, "Could not open JSON annotations file: .*no.json"),
        ({**files, "polygon_masks": True, "pixelwise_masks": True}, "mutually exclusive"),
        ({**files, "save_preprocessed_annotations": True}, "should be provided together"),
        ({**files, "preprocessed_annotations": tmp_path}, '"annotations_file" is not supported'),
        ({"file_root": tmp_path, "preprocessed_annotations": tmp_path, "ratio": False}, '"ratio" is not supported'),
        ({**files, "images": []}, "No files found"),
    ):
        with pytest.raises(RuntimeError, match=message):
            next(COCO(**arguments).next_epoch())
