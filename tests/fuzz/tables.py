"""Tables and lists: Parquet, Arrow, COCO annotations, manifests and lists of files."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from fuzz.target import LIMIT, Target, of_file, read_some
from ops.audio.sounds import encoded, tone
from penstock.readers import COCO, File, NemoAsr, Parquet
from readers.coco_files import ANNOTATIONS, CATEGORIES, IMAGES

TABLE = pa.table({"a": [b"x", b"yy", b""], "b": [[1, 2], [3], []], "c": [1.5, 2.5, 3.5]})


def parquets() -> list[bytes]:
    made = []
    for codec in ("none", "snappy", "gzip"):
        file = io.BytesIO()
        parquet.write_table(TABLE, file, compression=codec, row_group_size=2)
        made.append(file.getvalue())
    return made


def arrows() -> list[bytes]:
    made = []
    for writer in (pa.ipc.new_file, pa.ipc.new_stream):
        for codec in (None, "lz4", "zstd"):
            file = io.BytesIO()
            with writer(file, TABLE.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as output:
                output.write_table(TABLE)
            made.append(file.getvalue())
    return made


def annotations() -> list[bytes]:
    categories = [{"id": number, "name": str(number)} for number in CATEGORIES]
    every = {"images": IMAGES, "annotations": ANNOTATIONS, "categories": categories}
    return [json.dumps(every).encode(), json.dumps(every, indent=1).encode()]


def read_coco(data: bytes, folder: Path) -> None:
    for image in IMAGES:
        path = folder / image["file_name"]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    (folder / "a.json").write_bytes(data)
    wanted = {"file_root": folder, "annotations_file": folder / "a.json", "max_bytes": LIMIT}
    read_some(COCO(**wanted, polygon_masks=True, ratio=True))
    read_some(COCO(**wanted, pixelwise_masks=True, ltrb=True))


def read_list(data: bytes, folder: Path) -> None:
    (folder / "list.txt").write_bytes(data)
    (folder / "a.jpg").write_bytes(b"x")
    read_some(File(file_list=folder / "list.txt", max_bytes=LIMIT))


def manifests() -> list[bytes]:
    lines = [
        {"audio_filepath": "a.wav", "text": "words", "duration": 0.01, "offset": 0.005},
        {"audio_filepath": "a.wav"},
    ]
    return ["\n".join(map(json.dumps, lines)).encode()]


def read_manifest(data: bytes, folder: Path) -> None:
    """Paths are relative to the current folder."""
    os.chdir(folder)
    Path("a.wav").write_bytes(encoded(tone(400)).tobytes())
    Path("a.json").write_bytes(data)
    read_some(NemoAsr(manifest_filepaths="a.json", max_bytes=LIMIT))


TARGETS = {
    "parquet": Target(parquets, of_file("a.parquet", lambda path: Parquet(path=path, max_bytes=LIMIT))),
    "arrow": Target(arrows, of_file("a.arrow", lambda path: Parquet(path=path, max_bytes=LIMIT))),
    "coco": Target(annotations, read_coco, refusals=(RuntimeError, ValueError)),
    "file_list": Target(lambda: [b"a.jpg 0\na.jpg 1\n", b"a.jpg 7\r\n./a.jpg 3"], read_list),
    "manifest": Target(manifests, read_manifest),
}
