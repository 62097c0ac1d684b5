"""penstock graph."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from penstock.cli import main

SCRIPT = """
import sys
import numpy as np
import penstock.dynamic as ndd
from penstock import fn, pipeline_def

@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def images():
    return fn.flip(fn.external_source(lambda: np.zeros((2, 4, 4, 3), np.uint8), layout="HWC"))

images().run()
reader = ndd.readers.File(file_root=sys.argv[1])
for step, (jpegs, labels) in enumerate(reader.next_epoch(batch_size=3, compile=True)):
    ndd.resize(ndd.decoders.image(jpegs), size=[8, 8]).evaluate()
    if "fail" in sys.argv and step == 2:
        raise KeyError("of the script's own")
"""
ASSETS = str(Path(__file__).resolve().parents[2] / "src/penstock/cli/assets")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "train.py"
    file.write_text(SCRIPT)
    return file


def test_pipelines_and_loops_of_a_script_are_drawn(script, tmp_path, capsys):
    out = tmp_path / "graph.svg"
    argv, path = sys.argv, sys.path[:]
    assert main(["graph", str(script), ASSETS, "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    said = {element.text for element in ElementTree.parse(out).iter("{http://www.w3.org/2000/svg}text")}
    assert {"flip", "resize", "decoders.image", "File", "external_source"} <= said
    assert (sys.argv, sys.path) == (argv, path)


def test_a_page_has_the_picture_and_the_text(script, tmp_path):
    out = tmp_path / "graph.html"
    assert main(["graph", str(script), ASSETS, "--out", str(out)]) == 0
    page = out.read_text()
    assert "<svg" in page
    assert "compiled loop, batches of 3, 2 steps made ahead" in page
    assert "one native pass" in page


def test_a_script_that_fails_is_drawn_as_far_as_it_came(script, tmp_path):
    out = tmp_path / "graph.svg"
    with pytest.raises(KeyError, match="of the script's own") as raised:
        main(["graph", str(script), ASSETS, "fail", "--out", str(out)])
    assert raised.traceback[-1].path == script
    assert "decoders.image" in out.read_text()


@pytest.mark.parametrize(
    ("text", "out", "message"),
    [
        ("print(1)", "graph.svg", "ran no pipeline"),
        ("print(1)", "graph.png", "neither .html nor .svg"),
        (None, "graph.svg", "is not a file"),
    ],
)
def test_what_cannot_be_drawn_is_said(text, out, message, tmp_path, capsys):
    script = tmp_path / "script.py"
    if text is not None:
        script.write_text(text)
    assert main(["graph", str(script), "--out", str(tmp_path / out)]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / out).exists()
