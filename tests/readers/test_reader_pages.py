"""The reference page of every reader has all sections, says something of every argument, and its example runs."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import cv2
import datasets
import numpy as np
import pyarrow as pa
import pytest
import soundfile
from pyarrow import parquet

from readers.coco_files import annotation, image, write_coco
from readers.every_reader import EVERY
from readers.fits_files import hdu, write
from readers.lmdb_files import INT32, STRING, datum, tensor, tensors, write_lmdb
from readers.record_files import example, packed_image, write_recordio, write_tfrecord
from readers.tars import write_tar
from readers.videos import write_clip, write_frames

PAGES = Path(__file__).resolve().parents[2] / "docs" / "readers"
JPEG = cv2.imencode(".jpg", np.full((12, 16, 3), 90, np.uint8))[1].tobytes()
SECTIONS = ["Outputs", "Arguments", "Arguments of all readers", "Epochs and shards", "Shuffling", "State"]


def files(root: Path) -> None:
    for name in ("cat/1.jpg", "dog/2.jpg"):
        path = root / "train" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(JPEG)


def coco(root: Path) -> None:
    images = [image(number, f"{number}.jpg") for number in range(2)]
    (root / "train2017").mkdir()
    annotations = write_coco(root / "train2017", images, [annotation(number) for number in range(2)])
    Path(annotations).rename(root / "instances_train2017.json")
    for each in images:
        (root / "train2017" / each["file_name"]).write_bytes(JPEG)


def tensor_protos(root: Path) -> None:
    write_lmdb(root / "train_lmdb", [tensors(tensor(STRING, JPEG), tensor(INT32, [number])) for number in range(2)])


def manifest(root: Path) -> None:
    soundfile.write(root / "1.wav", np.zeros(1600, np.int16), 16000)
    line = {"audio_filepath": "1.wav", "text": "one", "duration": 0.1}
    (root / "train.json").write_text(json.dumps(line))


def arrays(root: Path) -> None:
    (root / "volumes").mkdir()
    np.save(root / "volumes" / "1.npy", np.zeros((16, 192, 192), np.uint8))


def table(root: Path) -> None:
    (root / "food101" / "data").mkdir(parents=True)
    parquet.write_table(pa.table({"image": [JPEG] * 2, "label": [0, 1]}), root / "food101" / "data" / "train-0.parquet")


def hub(root: Path) -> None:
    """What `load_dataset` finds without a network: a folder in the place of a name."""
    (root / "food101").mkdir()
    parquet.write_table(pa.table({"image": [JPEG] * 2, "label": [0, 1]}), root / "food101" / "train-0.parquet")
    datasets.config.HF_DATASETS_CACHE = str(root / "cache")
    datasets.disable_progress_bars()


def frames(root: Path) -> None:
    (root / "frames").mkdir()
    write_frames(root / "frames", {"walk": 16})


def records(root: Path) -> None:
    for name in ("train-0", "train-1"):
        write_tfrecord(root / name, [example({"image/encoded": [JPEG], "image/class/label": [1]})])


def clips(root: Path) -> None:
    write_clip(root / "clips" / "walk" / "1-mjpeg.avi", 32, size=(32, 32))


def tars(root: Path) -> None:
    for name in ("train-000.tar", "train-001.tar"):
        write_tar(root / name, [(f"{name}.jpg", JPEG), (f"{name}.cls", b"1")])


def zipped(root: Path) -> None:
    with zipfile.ZipFile(root / "train.zip", "w") as archive:
        archive.writestr("cat/1.jpg", JPEG)


def plates(root: Path) -> None:
    (root / "plates").mkdir()
    write(root / "plates" / "1.fits", hdu(np.ones((2, 3), np.float32), first=True), hdu(np.ones((2, 3), np.float32)))


# What the example of each page reads.
DATA: dict[str, Callable[[Path], object]] = {
    "experimental.readers.Fits": plates,
    "experimental.readers.Video": clips,
    "readers.COCO": coco,
    "readers.Caffe": lambda root: write_lmdb(root / "ilsvrc12_train_lmdb", [datum(JPEG, 1, encoded=True)] * 2),
    "readers.Caffe2": tensor_protos,
    "readers.File": files,
    "readers.HuggingFace": hub,
    "readers.MXNet": lambda root: write_recordio(root / "train.rec", [packed_image(JPEG, 1.0)] * 2),
    "readers.NemoAsr": manifest,
    "readers.Numpy": arrays,
    "readers.Parquet": table,
    "readers.Sequence": frames,
    "readers.TFRecord": records,
    "readers.Video": clips,
    "readers.VideoResize": clips,
    "readers.Webdataset": tars,
    "readers.Zip": zipped,
}


def page_of(name: str) -> str:
    return (PAGES / f"{name.removeprefix('readers.')}.md").read_text()


@pytest.mark.parametrize("name", EVERY)
def test_the_example_of_a_page_runs(name, tmp_path, monkeypatch):
    DATA[name](tmp_path)
    monkeypatch.chdir(tmp_path)
    (program,) = re.findall(r"```python\n(.*?)```", page_of(name), re.DOTALL)
    variables: dict[str, object] = {}
    exec(compile(program, name, "exec"), variables)
    assert variables["reader"].epoch == 1


@pytest.mark.parametrize("name", EVERY)
def test_a_page_tells_of_outputs_arguments_shards_and_state(name):
    text = page_of(name)
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == SECTIONS
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert all(len(re.split(r"(?<!\\)\|", row)) == 6 for row in rows)
    assert not [row for row in rows if row.endswith("|  |")], "arguments that nothing is said of"
    assert f"[{name}]({name.removeprefix('readers.')}.md)" in (PAGES / "index.md").read_text()
