"""A small data set for every reader, so that what all of them promise is held for each."""

from __future__ import annotations

import atexit
import json
import operator
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import datasets
import numpy as np
import pyarrow as pa
import soundfile
from pyarrow import parquet

import penstock.dynamic as ndd
import penstock.tfrecord as tfrec
from penstock._native import Samples
from penstock.readers import Reader
from readers.coco_files import annotation, image, write_coco
from readers.fits_files import hdu, write
from readers.lmdb_files import INT32, STRING, datum, tensor, tensors, write_lmdb
from readers.promises import contents, numbered_files
from readers.record_files import example, packed_image, write_recordio, write_tfrecord
from readers.tars import write_numbered
from readers.videos import write_clip, write_list

Arguments = dict[str, Any]
MOST = 12


def coco(folder: Path, count: int) -> Arguments:
    images = [image(n, f"{n:03d}.jpg") for n in range(count)]
    annotations = write_coco(folder, images, [annotation(n) for n in range(count)])
    return {"file_root": folder, "annotations_file": annotations}


def files(folder: Path, count: int) -> Arguments:
    return {"file_root": numbered_files(folder, count)}


def tfrecords(folder: Path, count: int) -> Arguments:
    path, index = write_tfrecord(folder / "of.tfrecord", [example({"label": [n]}) for n in range(count)])
    return {"path": path, "index_path": index, "features": {"label": tfrec.FixedLenFeature([1], tfrec.int64, -1)}}


def recordio(folder: Path, count: int) -> Arguments:
    path, index = write_recordio(folder / "of.rec", [packed_image(b"x" * n, float(n)) for n in range(count)])
    return {"path": path, "index_path": index}


def datums(folder: Path, count: int) -> Arguments:
    return {"path": write_lmdb(folder / "of_lmdb", [datum(b"x" * n, n) for n in range(count)])}


def tensor_protos(folder: Path, count: int) -> Arguments:
    given = [tensors(tensor(STRING, b"x" * n), tensor(INT32, [n])) for n in range(count)]
    return {"path": write_lmdb(folder / "of_lmdb", given)}


def tables(folder: Path, count: int) -> Arguments:
    """Row groups of five rows."""
    given = pa.table({"text": [f"row {n}" for n in range(count)], "number": list(range(count))})
    parquet.write_table(given, folder / "of.parquet", row_group_size=5)
    return {"path": folder / "of.parquet"}


def hub_tables(folder: Path, count: int) -> Arguments:
    """A data set whose rows are not in the order in which they lie."""
    given = datasets.Dataset.from_dict({"number": [*range(2 * count)], "text": [f"row {n}" for n in range(2 * count)]})
    return {"dataset": given.select([*range(count, 2 * count)][::-1])}


def tars(folder: Path, count: int) -> Arguments:
    """Two archives, or one where there is one sample."""
    half = count // 2
    parts = [part for part in (range(half), range(half, count)) if part]
    return {"paths": [write_numbered(folder / f"{part.start}.tar", part) for part in parts], "ext": ["txt", "cls"]}


def zips(folder: Path, count: int) -> Arguments:
    with zipfile.ZipFile(folder / "of.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(count):
            archive.writestr(f"class/{n:03d}.jpg", str(n))
    return {"paths": folder / "of.zip"}


def manifest(folder: Path, count: int) -> Arguments:
    lines = []
    for n in range(count):
        soundfile.write(folder / f"{n}.wav", np.full(10 + n, n, np.int16), 16000)
        lines.append(json.dumps({"audio_filepath": str(folder / f"{n}.wav"), "text": f"number {n}"}))
    (folder / "manifest.json").write_text("\n".join(lines))
    return {"manifest_filepaths": folder / "manifest.json"}


def frames(folder: Path, count: int) -> Arguments:
    """Sequences of two frames that overlap."""
    (folder / "video").mkdir()
    for n in range(count + 1):
        cv2.imwrite(str(folder / "video" / f"{n:03d}.png"), np.full((2, 3, 3), n, np.uint8))
    return {"file_root": folder, "sequence_length": 2}


def clips(folder: Path, count: int) -> Arguments:
    """Parts of one clip, a frame each."""
    clip = write_clip(folder / "of-mjpeg.avi", MOST, size=(16, 16))
    return {"file_list": write_list(folder, *(f"{clip} {n} {n} {n + 1}" for n in range(count))), "sequence_length": 1}


def clips_by_frame(folder: Path, count: int) -> Arguments:
    return {**clips(folder, count), "file_list_frame_num": True}


def clips_resized(folder: Path, count: int) -> Arguments:
    return {**clips_by_frame(folder, count), "size": [8, 8]}


def clips_of_experimental(folder: Path, count: int) -> Arguments:
    return {**clips(folder, count), "file_list_format": "frames", "file_list_include_end": False}


def arrays(folder: Path, count: int) -> Arguments:
    for n in range(count):
        np.save(folder / f"{n:03d}.npy", np.full((2, 3), n))
    return {"file_root": folder, "roi_start": [0, 1]}


def plates(folder: Path, count: int) -> Arguments:
    for n in range(count):
        write(folder / f"{n:03d}.fits", hdu(np.full((2, 3), n), first=True), hdu(np.float32([n])))
    return {"file_root": folder, "hdu_indices": [1, 2]}


# A line for each reader that ndd has: what writes `count` samples into an empty folder, up to MOST of them and all
# different, and tells the arguments to read them with.
EVERY: dict[str, Callable[[Path, int], Arguments]] = {
    "experimental.readers.Fits": plates,
    "experimental.readers.Video": clips_of_experimental,
    "readers.COCO": coco,
    "readers.Caffe": datums,
    "readers.Caffe2": tensor_protos,
    "readers.File": files,
    "readers.HuggingFace": hub_tables,
    "readers.MXNet": recordio,
    "readers.NemoAsr": manifest,
    "readers.Numpy": arrays,
    "readers.Parquet": tables,
    "readers.Sequence": frames,
    "readers.TFRecord": tfrecords,
    "readers.Video": clips_by_frame,
    "readers.VideoResize": clips_resized,
    "readers.Webdataset": tars,
    "readers.Zip": zips,
}

# Readers that do not fetch their samples by `Storage.read`, a part of a file for each.
NOT_BY_PARTS = {
    "experimental.readers.Fits", "experimental.readers.Video", "readers.NemoAsr", "readers.Numpy", "readers.Video",
    "readers.HuggingFace", "readers.Parquet", "readers.VideoResize",
}  # fmt: skip


@cache
def data_sets() -> Path:
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return Path(folder.name)


@cache
def arguments_of(name: str, count: int) -> Arguments:
    """The arguments for a reader of `count` samples, which are written when they are first asked for."""
    folder = data_sets() / f"{name}-{count}"
    folder.mkdir()
    return EVERY[name](folder, count)


def reader_of(name: str, count: int, **options: Any) -> Reader:
    """A reader of ndd over `count` samples."""
    reader: Reader = operator.attrgetter(name)(ndd)(**arguments_of(name, count), **options)
    return reader


def plain_reader(name: str, count: int, **options: Any) -> Any:
    """The same, which hands out what its source reads: a tuple of `Samples`."""
    reader: Any = reader_of(name, count, **options)
    reader._as_outputs = lambda outputs, single: outputs
    return reader


def rows(outputs: tuple[Samples, ...]) -> list[tuple[int, Any]]:
    """The number of each sample of a batch, and all that it holds."""
    (indices,) = {tuple(samples.indices or ()) for samples in outputs}
    return list(zip(indices, zip(*contents(outputs), strict=True), strict=True))


def indices_of(outputs: tuple[Samples, ...]) -> list[int]:
    return [index for index, _ in rows(outputs)]
