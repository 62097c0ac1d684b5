"""Readers of files with many records. The files are made once for a process, and removed when it ends."""

from __future__ import annotations

import importlib
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from readers.record_files import MAGIC, packed_image, ten_examples, write_recordio, write_tfrecord

TFRECORD = "ndd.readers.TFRecord(path=tfrecord[0], index_path=tfrecord[1], features="
ONE = "'label': tf.FixedLenFeature([1], tf.int64, -1)"
MXNET = "ndd.readers.MXNet(path=recordio[0], index_path=recordio[1]"
ORDERS = [
    "",
    ", pad_last_batch=True",
    ", random_shuffle=True, seed=5, initial_fill=3",
    ", num_shards=3, shard_id=1",
    ", num_shards=3, shard_id=2, stick_to_shard=True, pad_last_batch=True",
]

CASES: list[dict[str, Any]] = [
    {
        "operator": "readers.TFRecord",
        "calls": [
            f"first_of({TFRECORD}{{'image': tf.FixedLenFeature((), tf.string, ''), {ONE}}}))",
            f"first_of({TFRECORD}{{{ONE}, 'image': tf.FixedLenFeature([1], tf.string, '')}}))",
            f"first_of({TFRECORD}{{'label': tf.FixedLenFeature([], tf.int64, 0)}}))",
            f"first_of({TFRECORD}{{'box': tf.FixedLenFeature([2, 2], tf.float32, 0.0)}}))",
            f"first_of({TFRECORD}{{'ids': tf.VarLenFeature(tf.int64, 0)}}))",
            f"first_of({TFRECORD}{{'ids': tf.VarLenFeature([2], tf.int64, 0)}}))",
            f"first_of({TFRECORD}{{'box': tf.VarLenFeature([2, 1], tf.float32, 0.0)}}))",
            f"first_of({TFRECORD}{{'scores': tf.VarLenFeature((), tf.float32, 0.0)}}))",
            f"first_of({TFRECORD}{{'names': tf.FixedLenFeature((), tf.string, '')}}))",
            f"first_of({TFRECORD}{{{ONE}}}, dont_use_mmap=True, use_o_direct=True))",
            f"first_of({TFRECORD}{{{ONE}}}, use_o_direct=True))",
            f"place_of(ndd, {TFRECORD}{{{ONE}}}))",
            f"first_of({TFRECORD}{{'box': tf.FixedLenFeature([3], tf.float32, 0.0)}}))",
            f"first_of({TFRECORD}{{'box': tf.VarLenFeature([3], tf.float32, 0.0)}}))",
            f"first_of({TFRECORD}{{'names': tf.VarLenFeature(tf.string, '')}}))",
            f"first_of({TFRECORD}{{'label': tf.FixedLenFeature([1], tf.int64, 0.5)}}))",
            f"first_of({TFRECORD}{{'label': tf.FixedLenFeature(1, tf.int64, 0)}}))",
            f"first_of({TFRECORD}{{'label': 5}}))",
            f"first_of({TFRECORD}{{}}))",
            f"first_of(ndd.readers.TFRecord(path='nope', index_path=tfrecord[1], features={{{ONE}}}))",
            f"first_of(ndd.readers.TFRecord(path=tfrecord[0], index_path='nope', features={{{ONE}}}))",
            f"first_of(ndd.readers.TFRecord(path=[tfrecord[0]] * 2, index_path=tfrecord[1], features={{{ONE}}}))",
            f"first_of(ndd.readers.TFRecord(path=[tfrecord[0]] * 2, index_path=[tfrecord[1]] * 2, features={{{ONE}}}))",
            *(f"order_of({TFRECORD}{{{ONE}}}{order}), {size})" for order in ORDERS for size in (None, 4)),
        ],
    },
    {
        "operator": "readers.TFRecord (records that lack a feature)",
        "calls": [
            f"first_of({TFRECORD}{{'box': tf.FixedLenFeature([4, 3], tf.float32, 0.0)}}))",
            f"first_of({TFRECORD}{{'nope': tf.FixedLenFeature([1], tf.int64, 7)}}))",
            f"first_of({TFRECORD}{{'label': tf.VarLenFeature(tf.float32, 0.0)}}))",
        ],
        "deliberate": "the default value or an error, where DALI gives what happens to be in memory, or nothing",
    },
    {
        "operator": "readers.TFRecord, readers.MXNet (shuffle_after_epoch)",
        "calls": [
            f"order_of({reader}, shuffle_after_epoch=True), {size})"
            for reader in (f"{TFRECORD}{{{ONE}}}", MXNET)
            for size in (None, 4)
        ],
        "deliberate": "the data set is shuffled; DALI does not, but in readers that list files",
    },
    {
        "operator": "readers.MXNet",
        "calls": [
            f"first_of({MXNET}))",
            f"place_of(ndd, {MXNET}))",
            "first_of(ndd.readers.MXNet(path=[recordio[0]], index_path=[recordio[1]], dont_use_mmap=True))",
            "first_of(ndd.readers.MXNet(path='nope', index_path=recordio[1]))",
            "first_of(ndd.readers.MXNet(path=recordio[0], index_path='nope'))",
            "first_of(ndd.readers.MXNet(path=tfrecord[0], index_path=recordio[1]))",
            *(f"order_of({MXNET}{order}), {size})" for order in ORDERS for size in (None, 4)),
        ],
    },
]


def inputs(ndd: Any) -> dict[str, Any]:
    images = [packed_image(b"i" * n, float(n)) for n in range(8)]
    images += [packed_image(b"1234" + MAGIC + b"5", [8.0]), packed_image(b"x", [9.0, 10.0, 11.0])]
    return {
        "tf": importlib.import_module(
            f"{'penstock' if ndd.__name__.startswith('penstock') else 'nvidia.dali'}.tfrecord"
        ),
        "tfrecord": [str(path) for path in write_tfrecord(Path(_FOLDER.name) / "a.tfrecord", ten_examples())],
        "recordio": [str(path) for path in write_recordio(Path(_FOLDER.name) / "b.rec", images)],
        "first_of": first_of,
        "place_of": place_of,
        "order_of": order_of,
    }


_FOLDER = tempfile.TemporaryDirectory()


def outputs_of(made: Any) -> tuple[Any, ...]:
    return tuple(made.values()) if isinstance(made, dict) else made


def first_of(reader: Any) -> tuple[Any, ...]:
    """The outputs of a first batch that holds every record; errors do not tell the folder, another one each time."""
    try:
        return outputs_of(next(iter(reader.next_epoch(batch_size=10))))
    except RuntimeError as error:
        raise RuntimeError(str(error).replace(f"{_FOLDER.name}/", "")) from None


def place_of(ndd: Any, reader: Any) -> tuple[Any, ...]:
    """The end of what the samples know about where they come from: file name and offset."""
    texts = ndd.get_property(first_of(reader)[0], key="source_info")
    return tuple(np.asarray(text)[len(_FOLDER.name) :].copy() for text in texts)


def order_of(reader: Any, batch_size: int | None) -> np.ndarray:
    """The first label of every sample over three epochs; -1 ends a batch, -2 an epoch."""
    seen: list[int] = []
    for _ in range(3):
        for made in reader.next_epoch(batch_size=batch_size):
            labels = outputs_of(made)[-1]
            seen += [int(np.asarray(label).ravel()[0]) for label in ([labels] if batch_size is None else labels)]
            seen.append(-1)
        seen.append(-2)
    return np.array(seen)
