"""The memory that readers keep for each sample of a large data set, beside the bytes of the names in it.

python benchmarks/listed_samples.py [samples]

Samples are 1,000,000 by default. Each reader is opened in a process of its own, which returns what it has freed to the
system before it is weighed; the peak is as it comes.
"""

from __future__ import annotations

import ctypes
import gc
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reader_cases.records import example_record, recordio_record, write_indexed

import penstock.dynamic as ndd
import penstock.tfrecord as tfrec


def write_records(folder: Path, samples: int) -> int:
    write_indexed(folder / "a.tfrecord", [example_record(b"")] * samples, "{offset} {length}\n".format)
    write_indexed(folder / "a.rec", [recordio_record(b"")] * samples, "{number}\t{offset}\n".format)
    return 0


def write_file_list(folder: Path, samples: int) -> int:
    names = [f"n{k // 1000:08d}/n{k // 1000:08d}_{k % 1000:05d}.npy\n" for k in range(samples)]
    return (folder / "files.txt").write_text("".join(names))


def write_tar(folder: Path, samples: int) -> int:
    names = [f"train/{k // 2:08d}.{'cls' if k % 2 else 'jpg'}" for k in range(2 * samples)]
    with tarfile.open(folder / "a.tar", "w") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(name), io.BytesIO())
            archive.members.clear()
    return sum(map(len, names))


def write_coco(folder: Path, samples: int) -> int:
    """Five boxes with an outline for each image."""
    images = [{"id": k, "file_name": f"{k:012d}.jpg", "width": 640, "height": 480} for k in range(samples)]
    box = {"category_id": 1, "iscrowd": 0, "bbox": [10.5, 20.5, 30.25, 40.75], "segmentation": [[1, 2, 3, 4, 5, 6]]}
    boxes = [{**box, "image_id": k % samples} for k in range(5 * samples)]
    whole = {"images": images, "annotations": boxes, "categories": [{"id": 1}]}
    (folder / "coco.json").write_text(json.dumps(whole))
    return sum(len(image["file_name"]) for image in images)


def write_parquet(folder: Path, samples: int) -> int:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"label": range(samples)}), folder / "a.parquet", row_group_size=10_000)
    return 0


def write_zip(folder: Path, samples: int) -> int:
    names = [f"n{k // 1000:08d}/n{k // 1000:08d}_{k % 1000:05d}.jpg" for k in range(samples)]
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        for name in names:
            archive.writestr(name, b"jpeg")
    return sum(map(len, names))


FEATURES = {"label": tfrec.FixedLenFeature([1], tfrec.int64, -1)}
ROWS: dict[str, tuple[Callable[[Path, int], int], str, dict[str, Any]]] = {
    "TFRecord": (write_records, "TFRecord", {"path": "a.tfrecord", "features": FEATURES}),
    "TFRecord, index": (
        write_records, "TFRecord", {"path": "a.tfrecord", "index_path": "a.tfrecord.idx", "features": FEATURES},
    ),
    "MXNet": (write_records, "MXNet", {"path": "a.rec"}),
    "MXNet, index": (write_records, "MXNet", {"path": "a.rec", "index_path": "a.rec.idx"}),
    "Numpy, file_list": (write_file_list, "Numpy", {"file_list": "files.txt"}),
    "Webdataset": (write_tar, "Webdataset", {"paths": "a.tar", "ext": ["jpg", "cls"]}),
    "COCO": (write_coco, "COCO", {"file_root": ".", "annotations_file": "coco.json"}),
    "COCO, polygon_masks": (
        write_coco, "COCO", {"file_root": ".", "annotations_file": "coco.json", "polygon_masks": True},
    ),
    "Zip": (write_zip, "Zip", {"paths": "a.zip"}),
    "Parquet": (write_parquet, "Parquet", {"path": "a.parquet"}),
}  # fmt: skip
MOST = {write_tar: 200_000, write_coco: 200_000, write_zip: 200_000}  # samples: these take long to write


def weigh(row: str) -> None:
    _, kind, arguments = ROWS[row]

    def status(key: str) -> int:
        with open("/proc/self/status") as lines:
            return next(int(line.split()[1]) << 10 for line in lines if line.startswith(key))

    reader_class = getattr(ndd.readers, kind)
    with open("/proc/self/clear_refs", "w") as reset:
        reset.write("5")
    before = status("VmRSS:")
    reader = reader_class(**arguments)
    reader.get_metadata()
    peak = status("VmHWM:") - before
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    print(status("VmRSS:") - before, peak)


def main(samples: int = 1_000_000) -> None:
    print(f"{'bytes for each sample':24} {'names':>8} {'kept':>8} {'peak':>8}")
    for row, (write, _, _) in ROWS.items():
        count = min(samples, MOST.get(write, samples))
        with tempfile.TemporaryDirectory() as folder:
            names = write(Path(folder), count)
            command = [sys.executable, str(Path(__file__).resolve()), "--weigh", row]
            done = subprocess.run(command, cwd=folder, capture_output=True, check=True)
            kept, peak = map(int, done.stdout.split())
        print(f"{row:24} {names / count:8.1f} {kept / count:8.1f} {peak / count:8.1f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--weigh"]:
        weigh(sys.argv[2])
    else:
        main(*map(int, sys.argv[1:]))
