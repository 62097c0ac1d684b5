"""Readers of LMDBs. The databases are made once for a process, and removed when it ends."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from parity.cases.records import ORDERS, order_of
from readers.lmdb_files import BYTE, FLOAT, INT32, INT64, STRING, UINT8, datum, tensor, tensors, write_lmdb

CAFFE = "ndd.readers.Caffe(path=lmdb['caffe']"
CAFFE2 = "ndd.readers.Caffe2(path=lmdb['caffe2']"

CASES: list[dict[str, Any]] = [
    {
        "operator": "readers.Caffe",
        "calls": [
            f"batch_of({CAFFE}), 10)",
            f"places_of(ndd, {CAFFE}))",
            f"batch_of({CAFFE}, image_available=False), 10)",
            f"batch_of({CAFFE}, label_available=False), 10)",
            f"batch_of({CAFFE}, dont_use_mmap=True, read_ahead=True, lazy_init=True), 3)",
            "batch_of(ndd.readers.Caffe(path=[lmdb['caffe'], lmdb['large']]), 13)",
            "batch_of(ndd.readers.Caffe(path=[lmdb['large'], lmdb['caffe']]), 13)",
            "batch_of(ndd.readers.Caffe(path=lmdb['pixels']), 2)",
            "batch_of(ndd.readers.Caffe(path=lmdb['odd']), 4)",
            "batch_of(ndd.readers.Caffe(path='nope'), 1)",
            "batch_of(ndd.readers.Caffe(path=[]), 1)",
            "batch_of(ndd.readers.Caffe(path=lmdb['none']), 1)",
            "batch_of(ndd.readers.Caffe(path=lmdb['wrong size']), 1)",
            "batch_of(ndd.readers.Caffe(path=lmdb['garbage']), 1)",
            f"batch_of({CAFFE}, num_shards=20), 1)",
            *(f"order_of({CAFFE}{order}), {size})" for order in ORDERS for size in (None, 4)),
        ],
    },
    {
        "operator": "readers.Caffe (entries without a label or an image)",
        "calls": [f"batch_of(ndd.readers.Caffe(path=lmdb['{name}']), 1)" for name in ("no label", "no image")],
        "deliberate": "an error, where DALI gives arrays without elements",
    },
    {
        "operator": "readers.Caffe2",
        "calls": [
            f"batch_of({CAFFE2}), 10)",
            f"places_of(ndd, {CAFFE2}))",
            "batch_of(ndd.readers.Caffe2(path=[lmdb['caffe2'], lmdb['caffe2']]), 20)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['floats']), 1)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['dense'], label_type=2, num_labels=4), 2)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['alone'], label_type=4), 1)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['label alone'], image_available=False), 1)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['pixels2']), 2)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['box'], bbox=True), 1)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['more'], additional_inputs=3, bbox=True), 1)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['caffe2'], label_type=5), 1)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['caffe2'], image_available=False), 1)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['out of range'], label_type=1, num_labels=6), 1)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['unknown'], additional_inputs=1), 1)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['garbage']), 1)",
            "batch_of(ndd.readers.Caffe2(path='nope'), 1)",
            *(f"order_of({CAFFE2}{order}), {size})" for order in ORDERS for size in (None, 4)),
        ],
    },
    {
        "operator": "readers.Caffe2 (labels of classes, tensors not asked for)",
        "calls": [
            "batch_of(ndd.readers.Caffe2(path=lmdb['classes'], label_type=1, num_labels=6), 1)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['weights'], label_type=3, num_labels=6), 1)",
            "batch_of(ndd.readers.Caffe2(path=lmdb['box']), 1)",
        ],
        "deliberate": "a number for each class, and what follows is not read; errors in DALI",
    },
]


def inputs(ndd: Any) -> dict[str, Any]:
    made = {name: write_lmdb(Path(_FOLDER.name) / name, values) for name, values in _databases().items()}
    return {"lmdb": made, "batch_of": batch_of, "places_of": places_of, "order_of": order_of}


_FOLDER = tempfile.TemporaryDirectory()


def _databases() -> dict[str, list[bytes]]:
    image, label = tensor(STRING, b"a file", [1]), tensor(INT32, [5], [1])
    box, pixels = tensor(INT32, [1, 2, 30, 40], [4]), bytes(range(24))
    more = [tensor(FLOAT, [0.5, 1.5], [2]), tensor(INT32, [-7, 8, 9], [3]), tensor(INT64, [1 << 40], [1])]
    return {
        "caffe": [datum(b"i" * (n + 1), n, (3, 2, 4), True) for n in range(10)],
        "large": [datum(b"i" * 9000 * (n + 1), n + 20, None, True) for n in range(3)],
        "pixels": [datum(pixels, 1, (3, 2, 4), False), datum(pixels[:10], 2, (5, 1, 2), False)],
        "odd": [datum(b"a", -5), datum(b"", 2), datum(b"b", 1 << 33 | 7), datum(b"c", 1) + datum(b"dd", 2)],
        "none": [],
        "wrong size": [datum(pixels, 1, (3, 2, 5), False)],
        "garbage": [b"\xff" * 30],
        "no label": [datum(b"a")],
        "no image": [datum(None, 4)],
        "caffe2": [
            tensors(tensor(STRING, b"i" * 500 * n, [1]), tensor(INT32, [n], [1], packed=n % 2 > 0)) for n in range(10)
        ],
        "floats": [tensors(image, tensor(FLOAT, [0.5], [1]))],
        "dense": [tensors(image, tensor(FLOAT, [1, 2, 3, 4], [4])), tensors(image, tensor(FLOAT, [1, 2], [2]))],
        "alone": [tensors(image)],
        "label alone": [tensors(label)],
        "pixels2": [tensors(tensor(BYTE, pixels, dims), label) for dims in ([2, 4, 3], [4, 6])],
        "box": [tensors(image, label, box)],
        "more": [tensors(image, label, *more, box)],
        "out of range": [tensors(image, tensor(INT32, [1, 9], [2]))],
        "unknown": [tensors(image, label, tensor(UINT8, [1], [1]))],
        "classes": [tensors(image, tensor(INT32, [1, 4], [2]))],
        "weights": [tensors(image, tensor(INT32, [1, 4], [2]), tensor(FLOAT, [0.5, 0.25], [2]))],
    }


def batch_of(reader: Any, count: int) -> tuple[Any, ...]:
    """The outputs of a first batch; errors do not tell the folder, another one each time."""
    try:
        outputs: tuple[Any, ...] = next(iter(reader.next_epoch(batch_size=count)))
    except RuntimeError as error:
        raise RuntimeError(str(error).replace(f"{_FOLDER.name}/", "")) from None
    return outputs


def places_of(ndd: Any, reader: Any) -> tuple[Any, ...]:
    """The end of what the samples know about where they come from: the name of the database and the key."""
    texts = ndd.get_property(batch_of(reader, 10)[0], key="source_info")
    return tuple(np.asarray(text)[len(_FOLDER.name) :].copy() for text in texts)
