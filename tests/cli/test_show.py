"""penstock show."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from penstock.cli import main

ASSETS = str(Path(__file__).resolve().parents[2] / "src/penstock/cli/assets")

LOOP = """
import sys
import penstock.dynamic as ndd

reader = ndd.readers.File(file_root=sys.argv[1])
for step, (jpegs, labels) in enumerate(reader.next_epoch(batch_size=4, compile="compile" in sys.argv)):
    images = ndd.resize(ndd.decoders.image(jpegs), size=[40, 40])
    views = [ndd.rotate(images, angle=ndd.random.uniform(range=[-9.0, 9.0], batch_size=4)) for _ in range(2)]
    out = ndd.crop_mirror_normalize(images, mean=[128.0], std=[50.0])
    for each in (*views, out):
        each.evaluate()
    with open(sys.argv[2], "a") as file:
        file.write("step ")
    if "fail" in sys.argv:
        raise KeyError("of the script's own")
for _ in range(3):
    ndd.flip(ndd.batch([[[[7]]]], dtype=ndd.uint8, layout="HWC")).evaluate()
"""

PIPELINE = """
import sys
from penstock import fn, pipeline_def

@pipeline_def(batch_size=4, num_threads=2, device_id=None, enable_conditionals=True, seed=3)
def training():
    jpegs, labels = fn.readers.file(file_root=sys.argv[1])
    images = fn.resize(fn.decoders.image(jpegs), size=[40, 40])
    if labels[0] == 0:
        images = fn.rotate(images, angle=30.0, keep_size=True)
    return fn.flip(images)

pipe = training()
for _ in range(200):
    pipe.run()
    with open(sys.argv[2], "a") as file:
        file.write("step ")
"""


def show(tmp_path: Path, script: str, *words: str) -> str:
    (tmp_path / "train.py").write_text(script)
    steps, out = tmp_path / "steps.txt", tmp_path / "show.html"
    options = [word for word in words if word.startswith("--")]
    own = [word for word in words if not word.startswith("--")]
    assert main(["show", *options, "--out", str(out), str(tmp_path / "train.py"), ASSETS, str(steps), *own]) == 0
    return out.read_text()


def rows(page: str) -> list[str]:
    return [re.sub("<[^>]*>", "", row).lstrip("·0123456789") for row in re.findall(r"<h2>(.*?)</h2>", page)]


@pytest.mark.parametrize("mode", ["eager", "compile"])
def test_every_call_of_a_loop_is_a_row(mode: str, tmp_path: Path, capsys) -> None:
    page = show(tmp_path, LOOP, mode)
    assert rows(page) == ["read", "decoders.image", "resize", "rotate", "rotate", "crop_mirror_normalize"]
    assert page.count('class="shot" tabindex') == 5 * 4  # which show what was before
    assert "angle=" in page
    assert "images = ndd.resize(ndd.decoders.image(jpegs), size=[40, 40])" in page
    assert "random.uniform" in page
    assert "http" not in page
    assert "<script" not in page


def test_a_script_is_ended_after_a_step(tmp_path: Path) -> None:
    argv, path = sys.argv, sys.path[:]
    show(tmp_path, LOOP, "eager")
    assert (tmp_path / "steps.txt").read_text().count("step") in (1, 2)
    assert (sys.argv, sys.path) == (argv, path)


def test_a_script_may_run_to_its_end(tmp_path: Path) -> None:
    page = show(tmp_path, LOOP, "eager", "--to-end")
    assert (tmp_path / "steps.txt").read_text().count("step") == 3
    assert rows(page)[-2:] == ["read", "flip"]


def test_a_loop_over_one_batch_is_ended_too(tmp_path: Path) -> None:
    script = """
import penstock.dynamic as ndd
images = ndd.batch([[[[7]]]], dtype=ndd.uint8, layout="HWC")
while True:
    ndd.flip(images).evaluate()
"""
    assert rows(show(tmp_path, script)) == ["read", *["flip"] * 4]


def test_pipelines_and_their_branches_are_shown(tmp_path: Path) -> None:
    page = show(tmp_path, PIPELINE)
    assert rows(page) == ["read", "decoders.image", "resize", "rotate", "flip"]
    assert "from 2 resize, 3 rotate" in page  # by the way each sample took
    assert 1 <= (tmp_path / "steps.txt").read_text().count("step") < 200


def test_a_script_that_fails_is_shown_as_far_as_it_came(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="of the script's own"):
        show(tmp_path, LOOP, "eager", "fail")
    assert "crop_mirror_normalize" in (tmp_path / "show.html").read_text()


def test_a_batch_smaller_than_the_page_leaves_no_empty_places(tmp_path: Path) -> None:
    page = show(tmp_path, LOOP, "eager", "--samples=6")
    assert "--samples: 4" in page
    assert "not in this branch" not in page


def test_fewer_samples_are_shown_when_asked(tmp_path: Path) -> None:
    page = show(tmp_path, LOOP, "eager", "--samples=2")
    assert page.count('role="img"') == 6 * 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["none.py"], "none.py is not a file"), (["train.py", "--out", "show.txt"], "show.txt is no .html")],
)
def test_what_cannot_be_shown_is_said(arguments: list[str], said: str, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text("print('nothing')")
    assert main(["show", *arguments]) == 1
    assert said in capsys.readouterr().err


def test_a_script_without_images_is_said(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text("import penstock.dynamic as ndd\n(ndd.tensor([1]) + 1).evaluate()\n")
    assert main(["show", "train.py"]) == 1
    assert "ran no call on images" in capsys.readouterr().err
