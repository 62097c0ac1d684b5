"""What notebooks show of Tensors and Batches, asked in a real Jupyter kernel and without one."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd

ASSETS = Path(__file__).resolve().parents[2] / "src/penstock/cli/assets"
MEAN, STD = [120.0, 110.0, 100.0], [60.0, 61.0, 62.0]


def photos() -> ndd.Batch:
    rng = np.random.default_rng(3)
    return ndd.batch(rng.integers(0, 256, (3, 20, 24, 3), np.uint8), layout="HWC")


def shown(value: object) -> list[np.ndarray]:
    return [tile.frames[0] for tile in ndd.show(value).tiles]


@pytest.mark.parametrize("mode", [ndd.EvalMode.eager, ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu])
def test_normalised_images_are_shown_with_their_colours(mode: ndd.EvalMode) -> None:
    images = photos()
    with mode:
        normalised = ndd.crop_mirror_normalize(images, mean=MEAN, std=STD, scale=0.5, shift=1.0)
    assert normalised.layout == "CHW"
    expected = np.asarray(images)
    assert (np.stack(shown(normalised)) == expected).all()
    assert (shown(normalised.tensors[1])[0] == expected[1]).all()
    assert (shown(normalised.select([2, 0]))[0] == expected[2]).all()


def test_normalize_is_undone_too() -> None:
    images = photos()
    mean, deviation = np.float32(MEAN).reshape(1, 1, 3), np.float32(STD).reshape(1, 1, 3)
    assert (shown(ndd.normalize(images, mean=mean, stddev=deviation))[0] == np.asarray(images)[0]).all()
    own = ndd.show(ndd.normalize(images)).tiles[0]  # whose mean is known to nobody
    assert "un-normalised" not in own.caption


def test_images_of_a_compiled_loop_are_shown_with_their_colours() -> None:
    reader = ndd.readers.File(file_root=str(ASSETS))
    for jpegs, _ in reader.next_epoch(batch_size=4, compile=True):
        images = ndd.resize(ndd.decoders.image(jpegs), size=[20, 20])
        normalised = ndd.crop_mirror_normalize(images, mean=MEAN, std=STD)
        assert (shown(normalised)[0] == np.asarray(images.tensors[0])).all()


def test_what_is_deferred_is_told_and_not_computed() -> None:
    with ndd.EvalMode.deferred:
        later = ndd.flip(ndd.resize(photos(), size=[8, 8]))
    html = later._repr_html_()
    assert "not computed yet" in html
    assert "flip" in html
    assert later._repr_png_() is None
    assert "not computed yet" in later._repr_html_()
    later.evaluate()
    assert "Batch of 3" in later._repr_html_()


def test_what_was_called_eagerly_is_shown() -> None:
    for _ in range(20):
        assert "Batch of 3" in ndd.flip(photos())._repr_html_()


def test_numbers_are_read_rather_than_looked_at() -> None:
    labels = ndd.batch([[4], [2]])
    assert "<pre>4, 2</pre>" in labels._repr_html_()
    assert labels._repr_png_() is None


def test_files_are_shown_with_their_names() -> None:
    reader = ndd.readers.File(file_root=str(ASSETS))
    jpegs, _ = next(iter(reader.next_epoch(batch_size=2)))
    html = jpegs._repr_html_()
    assert sorted(ASSETS.glob("*/*.jpg"))[0].name in html
    assert html.count("<img") == 2


CELLS = [
    """
import numpy as np
import penstock.dynamic as ndd
images = ndd.batch(np.random.default_rng(3).integers(0, 256, (30, 64, 64, 3), np.uint8), layout="HWC")
images
""",
    "images.tensors[0]",
    "ndd.tensor(np.sin(np.arange(4000) / 30).astype(np.float32))",
    """
with ndd.EvalMode.deferred:
    later = ndd.flip(images)
later
""",
    "later.evaluate()",
    "ndd.show(images, boxes=[np.float32([[0.1, 0.1, 0.6, 0.6]])] * 30, labels=range(30), count=4)",
]


# In a process of its own: the client leaves sockets open, of which it is warned.
IN_A_KERNEL = """
import json, sys
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

notebook = new_notebook(cells=[new_code_cell(cell) for cell in json.load(sys.stdin)])
manager = KernelManager(connection_file="connection.json", transport="ipc")
manager.kernel_spec.argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
NotebookClient(notebook, km=manager, timeout=120).execute()
with open("outputs.json", "w") as file:
    json.dump([cell.outputs[0]["data"] for cell in notebook.cells], file)
"""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """What each cell shows, by kind."""
    pytest.importorskip("nbclient", exc_type=ImportError)
    folder = tmp_path_factory.mktemp("kernel")
    command = [sys.executable, "-c", IN_A_KERNEL]
    done = subprocess.run(command, input=json.dumps(CELLS), cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    shown: list[dict[str, str]] = json.loads((folder / "outputs.json").read_text())
    return shown


def test_a_notebook_shows_a_batch(outputs: list[dict[str, str]]) -> None:
    batch = outputs[0]
    assert batch["text/html"].count("<img") == 24
    assert "+6 more" in batch["text/html"]
    sheet = cv2.imdecode(np.frombuffer(base64.b64decode(batch["image/png"]), np.uint8), cv2.IMREAD_COLOR)
    assert sheet.shape[1] == 6 * 120 + 8
    assert batch["text/plain"].startswith("Batch(")


def test_a_notebook_shows_one_image_and_a_sound(outputs: list[dict[str, str]]) -> None:
    assert [outputs[k]["text/html"].count("<img") for k in (1, 2)] == [1, 1]
    assert "4000, -1 to 1" in outputs[2]["text/html"]


def test_a_notebook_computes_nothing_that_is_deferred(outputs: list[dict[str, str]]) -> None:
    assert "not computed yet" in outputs[3]["text/html"]
    assert outputs[3]["text/plain"].startswith("Batch: waiting to be run")
    assert "image/png" not in outputs[3]
    assert outputs[4]["text/html"].count("<img") == 24


def test_a_notebook_shows_boxes(outputs: list[dict[str, str]]) -> None:
    assert outputs[5]["text/html"].count("<img") == 4
    assert "+26 more" in outputs[5]["text/html"]
