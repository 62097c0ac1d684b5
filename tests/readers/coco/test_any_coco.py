"""Any annotations: `readers.COCO` hands out what plain Python makes of them, also after saving them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.readers import COCO
from readers.coco_files import annotation, expected, image, text_of, write_coco
from readers.coco_outputs import outputs_of, problem_of

CATEGORIES = (4, 1, 90)
numbers = st.one_of(
    st.integers(-20, 60), st.integers(-40, 120).map(lambda n: n / 2), st.floats(-50, 150, width=32),
    st.floats(-20, 60).map(lambda x: round(x, 2)),
)  # fmt: skip
polygons = st.lists(st.lists(numbers, max_size=16).map(lambda flat: flat[: len(flat) // 2 * 2]), max_size=3)


@st.composite
def runs(draw, height, width):
    turns = sorted(draw(st.lists(st.integers(0, height * width), max_size=8)))
    lengths = np.diff([0, *turns, height * width]).tolist()
    return {"size": [height, width], "counts": draw(st.sampled_from([lengths, text_of(lengths)]))}


@st.composite
def data_sets(draw):
    ids = draw(st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=4, unique=True))
    sizes = [draw(st.tuples(st.integers(1, 40), st.integers(1, 40))) for _ in ids]
    images = [image(number, f"{at}.jpg", *size) for at, (number, size) in enumerate(zip(ids, sizes, strict=True))]
    annotations = []
    for _ in range(draw(st.integers(0, 8))):
        on = draw(st.sampled_from(images))
        shape = draw(st.one_of(st.none(), polygons, runs(on["height"], on["width"])))
        box = draw(st.tuples(numbers, numbers, numbers, numbers))
        annotations.append(annotation(on["id"], draw(st.sampled_from(CATEGORIES)), box, shape, draw(st.integers(0, 1))))
    return images, annotations


choices = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("ltrb", "ratio", "skip_empty", "include_iscrowd", "avoid_class_remapping"), st.booleans()),
        "image_ids": st.booleans(),
        "size_threshold": st.sampled_from([0.0, 5.0, -1000.0]),
    },
)
masks = st.sampled_from([{}, {"polygon_masks": True}, {"pixelwise_masks": True}])


@settings(max_examples=30, deadline=None)
@given(data_sets(), choices, masks)
def test_any_annotations(data_set, chosen, masks):
    samples = expected(*data_set, CATEGORIES, **chosen, **masks)
    if not samples:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = write_coco(Path(folder), *data_set, CATEGORIES)
        saving = {"save_preprocessed_annotations": True, "save_preprocessed_annotations_dir": folder}
        assert outputs_of(COCO(file_root=folder, annotations_file=path, **chosen, **masks, **saving)) == samples
        again = {"image_ids": chosen.get("image_ids"), "preprocessed_annotations": folder}
        assert outputs_of(COCO(file_root=folder, **again, **masks)) == samples


@settings(max_examples=30, deadline=None)
@given(data_sets(), st.data())
def test_damaged_files_end_in_an_error_or_a_result(data_set, data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(write_coco(Path(folder), *data_set, CATEGORIES))
        text = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 3))):
            text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(text)
        problem = problem_of(COCO(file_root=folder, annotations_file=path, pixelwise_masks=True))
        assert problem is None or folder in problem
