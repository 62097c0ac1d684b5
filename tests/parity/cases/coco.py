"""`readers.COCO`. The data sets are made once for a process, and removed when it ends."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from readers.coco_files import ANNOTATIONS, IMAGES, annotation, image, text_of, write_coco

READER = "ndd.readers.COCO(file_root=coco, annotations_file=coco + '/annotations.json'"
ORDERS = [
    ", pad_last_batch=True",
    ", random_shuffle=True, seed=5, initial_fill=3",
    ", shuffle_after_epoch=True",
    ", num_shards=3, shard_id=1",
    ", num_shards=3, shard_id=2, stick_to_shard=True, pad_last_batch=True",
]
BAD = "ndd.readers.COCO(file_root=bad, annotations_file=bad + '/' + "
SHAPED = "ndd.readers.COCO(file_root=shapes, annotations_file=shapes + '/annotations.json', "


def _document(images: Any = None, categories: Any = ({"id": 1},), **fields: Any) -> str:
    """Annotations of one image with two boxes; `fields` change the second."""
    boxes = [annotation(1), {**annotation(1, box=(0, 0, 5, 5)), **fields}]
    kept = [{name: value for name, value in each.items() if value is not ...} for each in boxes]
    return json.dumps({"images": images or [image(1)], "annotations": kept, "categories": categories})


BROKEN = {
    "box": _document(bbox=[1, 2, 3]),
    "no_images": '{"annotations": [], "categories": []}',
    "no_box": _document(bbox=...),
    "no_category": _document(category_id=...),
    "no_image": _document(image_id=...),
    "other_image": _document(image_id=2),
    "other_category": _document(category_id=7),
    "cut": _document()[:-80],
    "same_ids": _document(images=[image(1), image(1, "2.jpg")]),
    "one_label": json.dumps(
        {
            "images": [image(1)],
            "annotations": [
                annotation(1, shape={"size": [8, 10], "counts": [0, 20, 60]}),
                annotation(1, shape={"size": [8, 10], "counts": [40, 30, 10]}),
            ],
            "categories": [{"id": 1}],
        }
    ),
    "corner": json.dumps(
        {
            "images": [image(1)],
            "annotations": [
                annotation(1, 1, shape={"size": [8, 10], "counts": [60, 20]}),
                annotation(1, 2, shape={"size": [8, 10], "counts": [50, 30]}),
            ],
            "categories": [{"id": 1}, {"id": 2}],
        }
    ),
}
COMPARED_APART = ("box", "no_images", "one_label", "corner")

CASES: list[dict[str, Any]] = [
    {
        "operator": "readers.COCO",
        "calls": [
            *(
                f"all_of({READER}{arguments}))"
                for arguments in (
                    "",
                    ", ltrb=True",
                    ", ratio=True",
                    ", ratio=True, ltrb=True, image_ids=True",
                    ", size_threshold=3.0",
                    ", size_threshold=0.0, avoid_class_remapping=True",
                    ", skip_empty=True, include_iscrowd=False",
                    ", images=['b.jpg', '3.jpg', 'b.jpg', 'deep/a.jpg']",
                    ", images=['b.jpg', 'deep/a.jpg'], skip_empty=True",
                    ", polygon_masks=True",
                    ", polygon_masks=True, ratio=True, image_ids=True",
                    ", pixelwise_masks=True",
                    ", pixelwise_masks=True, include_iscrowd=False, image_ids=True, dont_use_mmap=True",
                    ", masks=True",
                    ", save_img_ids=True",
                    ", polygon_masks=True, pixelwise_masks=True",
                    ", save_preprocessed_annotations=True",
                    ", save_preprocessed_annotations=True, save_preprocessed_annotations_dir=coco + '/nope'",
                    ", preprocessed_annotations=coco",
                )
            ),
            f"all_of({SHAPED}polygon_masks=True), 60)",
            f"all_of({SHAPED}polygon_masks=True, ratio=True, ltrb=True), 60)",
            f"all_of({SHAPED}pixelwise_masks=True), 60)",
            f"all_of({SHAPED}pixelwise_masks=True, avoid_class_remapping=True, include_iscrowd=False), 60)",
            "saved_by(ndd, coco, ltrb=True, ratio=True, image_ids=True)",
            "saved_by(ndd, coco, polygon_masks=True, ratio=True, skip_empty=True)",
            "saved_by(ndd, coco, pixelwise_masks=True)",
            "saved_by(ndd, coco, pixelwise_masks=True, image_ids=True, include_iscrowd=False)",
            "all_of(ndd.readers.COCO(file_root=coco, preprocessed_annotations=saved_plain, image_ids=True))",
            "all_of(ndd.readers.COCO(file_root=coco, preprocessed_annotations=saved_masks, pixelwise_masks=True))",
            "all_of(ndd.readers.COCO(file_root=coco, preprocessed_annotations=saved_masks, polygon_masks=True))",
            "all_of(ndd.readers.COCO(file_root=coco, preprocessed_annotations=saved_masks, skip_empty=True))",
            "all_of(ndd.readers.COCO(file_root=coco))",
            "all_of(ndd.readers.COCO(annotations_file=coco + '/annotations.json'))",
            "all_of(ndd.readers.COCO(file_root=coco, annotations_file='nope.json'))",
            "all_of(ndd.readers.COCO(file_root='nope', annotations_file=coco + '/annotations.json'))",
            f"sources_of(ndd, {READER}, image_ids=True))",
            f"all_of({BAD}'box.json'))",
            f"all_of({BAD}'no_images.json'))",
            *(f"order_of({READER}, image_ids=True{order}), {size})" for order in ORDERS for size in (None, 2)),
        ],
    },
    {
        "operator": "readers.COCO (annotations that make no sense)",
        "deliberate": "an error that tells where; DALI leaves the annotation out, or takes something else for it",
        "calls": [f"all_of({BAD}'{name}.json'))" for name in BROKEN if name not in COMPARED_APART],
    },
    {
        "operator": "readers.COCO (masks of one label)",
        "deliberate": "masks of one label are joined; DALI keeps one of them where some are run lengths",
        "calls": [f"all_of({BAD}'one_label.json', pixelwise_masks=True))"],
    },
    {
        "operator": "readers.COCO (masks that reach the last pixel)",
        "deliberate": "the highest label covers the others; in DALI it does not where several reach the last pixel",
        "calls": [f"all_of({BAD}'corner.json', pixelwise_masks=True))"],
    },
]


_FOLDER = tempfile.TemporaryDirectory()


def inputs(ndd: Any) -> dict[str, Any]:
    root = Path(_FOLDER.name)
    for name in ("coco", "shapes", "bad", "saved_plain", "saved_masks"):
        (root / name).mkdir(exist_ok=True)
    write_coco(root / "coco", IMAGES, ANNOTATIONS)
    write_coco(root / "shapes", *random_shapes())
    for name, text in BROKEN.items():
        (root / "bad" / f"{name}.json").write_text(text)
    write_coco(root / "bad", [image(1), image(2)], [])
    _save(ndd, root / "coco", root / "saved_plain", image_ids=True)
    _save(ndd, root / "coco", root / "saved_masks", pixelwise_masks=True)
    return {
        **{name: str(root / name) for name in ("coco", "shapes", "bad", "saved_plain", "saved_masks")},
        "all_of": all_of,
        "saved_by": saved_by,
        "sources_of": sources_of,
        "order_of": order_of,
    }


def random_shapes() -> tuple[list[Any], list[Any]]:
    """Images with polygons, some of which reach beyond, and run lengths, of labels that no other mask has."""
    numbers = random.Random(5)
    images = [image(n, width=numbers.randint(1, 90), height=numbers.randint(1, 90)) for n in range(60)]
    annotations = []
    for at, each in enumerate(images):
        for label in (1, 5, 5) if at % 2 else (1, 5, 3):
            corners = [
                round(numbers.uniform(-0.3, 1.3) * each[axis], numbers.choice([0, 1, 2, 9]))
                for _ in range(numbers.choice([1, 2, 3, 5, 12]))
                for axis in ("width", "height")
            ]
            annotations.append(
                annotation(each["id"], label, (1, 2, 3, 4), [corners, corners[::-1][:6]], int(at % 5 == 0))
            )
        if at % 2:
            area = each["width"] * each["height"]
            runs = [area // 3, area // 4, area - area // 3 - area // 4]
            shape = {"size": [each["height"], each["width"]], "counts": runs if at % 4 == 1 else text_of(runs)}
            annotations.append(annotation(each["id"], 3, (1, 2, 3, 4), shape))
    return images, annotations


def _save(ndd: Any, data: Path, folder: Path, **arguments: Any) -> None:
    reader = ndd.readers.COCO(
        file_root=str(data), annotations_file=str(data / "annotations.json"), save_preprocessed_annotations=True,
        save_preprocessed_annotations_dir=str(folder), **arguments,
    )  # fmt: skip
    next(iter(reader.next_epoch(batch_size=1)))


def saved_by(ndd: Any, coco: str, **arguments: Any) -> tuple[np.ndarray, ...]:
    """The bytes of the files that hold the annotations, by name, and the names."""
    with tempfile.TemporaryDirectory() as folder:
        _save(ndd, Path(coco), Path(folder), **arguments)
        files = sorted(Path(folder).iterdir())
        names = " ".join(file.name for file in files)
        return tuple(np.frombuffer(text, np.uint8) for text in (names.encode(), *(file.read_bytes() for file in files)))


def all_of(reader: Any, batch_size: int = 6) -> tuple[Any, ...]:
    """The outputs of a batch with every image in it; errors do not tell the folder."""
    try:
        return tuple(next(iter(reader.next_epoch(batch_size=batch_size))))
    except RuntimeError as error:
        raise RuntimeError(str(error).replace(f"{_FOLDER.name}/", "")) from None


def sources_of(ndd: Any, reader: Any) -> tuple[np.ndarray, ...]:
    """What the samples of all outputs know about where they come from."""
    known = [ndd.get_property(output, key="source_info") for output in all_of(reader)[:1]]
    return tuple(np.asarray(text).copy() for texts in known for text in texts)


def order_of(reader: Any, batch_size: int | None) -> np.ndarray:
    """The id of every image over three epochs; -1 ends a batch."""
    seen: list[int] = []
    for _ in range(3):
        for made in reader.next_epoch(batch_size=batch_size):
            seen += [int(np.asarray(number)[0]) for number in ([made[-1]] if batch_size is None else made[-1])]
            seen.append(-1)
    return np.array(seen)
