"""Operators and readers in Ray Data, on a local cluster."""

from __future__ import annotations

import runpy
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import penstock.dynamic as ndd

ray = pytest.importorskip("ray")
on_ray = pytest.importorskip("penstock.ray")

pytestmark = pytest.mark.usefixtures("cluster")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "ray_data.py"
COUNT = 12


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gray images of twelve sizes and shades in two folders, of which the seventh is cut off."""
    root = tmp_path_factory.mktemp("photos")
    for number in range(COUNT):
        (root / "ab"[number % 2]).mkdir(exist_ok=True)
        image = np.full((16 + number, 32 - number, 3), 10 * number, np.uint8)
        cv2.imwrite(str(root / "ab"[number % 2] / f"{number:02d}.png"), image)
    broken = root / "a" / "06.png"
    broken.write_bytes(broken.read_bytes()[:50])
    return root


def actors(number: int) -> dict[str, Any]:
    return {"compute": ray.data.ActorPoolStrategy(size=number), "num_cpus": 0.5}


def test_rows_that_ray_reads_go_through_a_body_in_actors(photos: Path) -> None:
    def body(rows: dict[str, Any]) -> dict[str, Any]:
        images = ndd.decoders.image(rows["bytes"])
        return {"image": images, "mean": ndd.reductions.mean(ndd.cast(images, dtype=ndd.float32)), "path": rows["path"]}

    read = ray.data.read_binary_files(str(photos), include_paths=True, override_num_blocks=3)
    made = on_ray.map_batches(read, body, batch_size=4, on_error="skip", **actors(2)).take_all()
    by_number = {int(Path(row["path"]).stem): row for row in made}
    assert sorted(by_number) == [number for number in range(COUNT) if number != 6]
    for number, row in by_number.items():
        assert row["image"].shape == (16 + number, 32 - number, 3)
        assert row["mean"] == 10 * number


def in_parquet(photos: Path, folder: Path) -> Any:
    pq.write_table(pa.table({"bytes": [file.read_bytes() for file in whole(photos)]}), folder / "photos.parquet")
    return ray.data.read_parquet(str(folder / "photos.parquet"))


def in_webdataset(photos: Path, folder: Path) -> Any:
    with tarfile.open(folder / "photos.tar", "w") as archive:
        for file in whole(photos):
            archive.add(file, file.name)
    read = ray.data.read_webdataset(str(folder / "photos.tar"), decoder=None)
    return read.rename_columns({"png": "bytes"})


def in_images(photos: Path, folder: Path) -> Any:
    return ray.data.read_images([str(file) for file in whole(photos)])


def whole(photos: Path) -> list[Path]:
    return [file for file in sorted(photos.glob("*/*.png")) if file.stem != "06"]


@pytest.mark.parametrize("read", [in_parquet, in_webdataset, in_images])
def test_whatever_ray_reads_goes_through_a_body(photos: Path, tmp_path: Path, read: Callable[..., Any]) -> None:
    def body(rows: dict[str, Any]) -> dict[str, Any]:
        images = rows["image"] if "image" in rows else ndd.decoders.image(rows["bytes"])
        return {"turned": ndd.rotate(images, angle=90.0), "first": images.slice[0, 0, 0]}

    made = on_ray.map_batches(read(photos, tmp_path), body, batch_size=4, layouts={"image": "HWC"}, **actors(1))
    numbers = {int(row["first"]) // 10: row["turned"].shape for row in made.take_all()}
    assert numbers == {number: (32 - number, 16 + number, 3) for number in range(COUNT) if number != 6}


def test_an_error_names_the_row_on_the_driver(photos: Path) -> None:
    read = ray.data.read_binary_files(str(photos / "a"), include_paths=True)
    made = on_ray.map_batches(read, lambda rows: {"i": ndd.decoders.image(rows["bytes"])}, **actors(1))
    with pytest.raises(ray.exceptions.RayTaskError) as failed:
        made.materialize()
    assert "a/06.png" in str(failed.value)
    assert "in decoders.image" in str(failed.value)


def test_a_reader_is_a_source_with_a_task_for_each_shard(photos: Path) -> None:
    reader = ndd.readers.File(file_root=photos, check=ndd.decoders.image, on_error="skip")
    read = on_ray.read(reader, ["bytes", "label"], include_paths=True, override_num_blocks=3)
    made = read.materialize()
    assert made.num_blocks() == 3
    rows = made.take_all()
    assert sorted(int(Path(row["path"]).stem) for row in rows) == [number for number in range(COUNT) if number != 6]
    for row in rows:
        assert row["label"] == int(Path(row["path"]).stem) % 2
        assert row["bytes"] == (photos / row["path"]).read_bytes()


def test_the_tasks_of_a_reader_share_out_its_samples(photos: Path) -> None:
    reader = ndd.readers.File(file_root=photos)
    tasks = on_ray.ReaderDatasource(reader, ["bytes", "label"]).get_read_tasks(5)
    counts = [sum(table.num_rows for table in task()) for task in tasks]
    assert counts == [task.metadata.num_rows for task in tasks] == [2, 2, 3, 2, 3]
    assert len(on_ray.ReaderDatasource(reader, ["bytes", "label"]).get_read_tasks(100)) == COUNT


def test_readers_that_cannot_be_shared_out_are_refused(photos: Path) -> None:
    with pytest.raises(ValueError, match=r"File has 2 outputs: name their columns, columns=\[...\]"):
        on_ray.read(ndd.readers.File(file_root=photos))
    with pytest.raises(ValueError, match="File has 2 outputs, columns names"):
        on_ray.read(ndd.readers.File(file_root=photos), ["bytes"])
    with pytest.raises(ValueError, match="the reader is of shard 1 of 2; give one of all samples"):
        on_ray.read(ndd.readers.File(file_root=photos, shard_id=1, num_shards=2), ["bytes", "label"])


def test_the_example_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE)])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert "40 images of (3, 32, 32), mean" in capsys.readouterr().out
