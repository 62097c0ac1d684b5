"""The benchmark's loops still run, and its tables say what was measured."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.cli import main
from penstock.dynamic.calls.functions import declaration
from penstock.ops._index import OPERATORS
from penstock.schema.example import Example
from video.clips import clip

ROOT = Path(__file__).resolve().parent.parent
LOOPS = ("decode", "val_eager", "val_deferred", "val_beside_python", "train_eager", "small_arrays", "call_eager",
         "call_deferred", "first_batch")  # fmt: skip


def test_every_loop_runs_in_penstock():
    command = [sys.executable, ROOT / "benchmarks/loops.py", "penstock", ROOT / "src/penstock/cli/assets", "2"]
    done = subprocess.run(command, input="\n".join(LOOPS), capture_output=True, text=True, check=True)
    imported, *answers = map(json.loads, done.stdout.splitlines())
    assert imported["import"] > 0
    assert [answer.get("error") for answer in answers] == [None] * len(LOOPS)
    assert all(answer["items"] > 0 and answer["wall"] > 0 for answer in answers)


def test_own_operators_are_timed(capsys, benchmarks):
    importlib.import_module("own_operators").main(1)
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()] == ["us"] * 6


def test_calls_whose_instructions_are_counted_run():
    subprocess.run([sys.executable, ROOT / "benchmarks/instruction_worker.py"], check=True)


def test_loops_over_prepared_data_run_in_penstock(tmp_path):
    photos = str(ROOT / "src/penstock/cli/assets")
    assert main(["pack", photos, str(tmp_path / "packed256"), "--max-size", "256"]) == 0
    command = [sys.executable, ROOT / "benchmarks/prepared_loops.py", "penstock", tmp_path]
    done = subprocess.run(command, input="256 jpeg\n256 raw\n", capture_output=True, text=True, check=True)
    _, *answers = map(json.loads, done.stdout.splitlines())
    assert all(answer["items"] >= 2000 and answer["cpu"] > 0 for answer in answers)
    assert len(answers) == 2


def test_loops_over_videos_run_in_penstock(tmp_path):
    (tmp_path / "a.webm").write_bytes(clip(count=40))
    command = [sys.executable, ROOT / "benchmarks/clip_loops.py", "penstock", tmp_path, "2"]
    lines = "random a.webm\nsequential a.webm\nplain a.webm"
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    _, *answers = map(json.loads, done.stdout.splitlines())
    assert [answer.get("items") for answer in answers] == [96, 64, 40], answers


@pytest.mark.parametrize("stand_in", ["cpu", "torch-cpu"])
def test_loops_on_a_gpu_run_where_something_stands_in_for_it(stand_in):
    loops = ("train", "color_twist", "normalize", "mean", "mel")
    command = [sys.executable, ROOT / "benchmarks/gpu_loops.py", "penstock", ROOT / "src/penstock/cli/assets", "2"]
    lines = "\n".join(["device", *(f"{loop} gpu 1" for loop in loops)])
    settings = os.environ | {"PENSTOCK_GPU": stand_in}
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, env=settings)
    _, told, *answers = map(json.loads, done.stdout.splitlines())
    assert told["device"].startswith(f"{stand_in}: ")
    assert [answer.get("items") for answer in answers] == [16] * len(loops), answers


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")


@pytest.fixture
def report():
    return importlib.import_module("report")


@pytest.fixture
def op_report():
    return importlib.import_module("op_report")


def test_the_best_run_counts_for_clock_and_cpu_each(report):
    runs = [{"items": 10, "wall": 2.0, "cpu": 1.0}, {"items": 10, "wall": 1.0, "cpu": 3.0}]
    assert report.best(runs, "images/s", True) == (10.0, 100.0, "")
    assert report.best(runs, "images/s", False).cpu_ms is None
    assert report.best([*runs, {"error": "gone"}], "images/s", True) == (None, None, "gone")


@pytest.mark.parametrize(("unit", "ours", "theirs"), [("images/s", 300, 100), ("µs", 10, 30), ("MB", 200, 600)])
def test_a_ratio_above_one_means_penstock_is_better(report, unit, ours, theirs):
    line = report.Line("x", unit, None, report.Figure(ours), report.Figure(theirs))
    assert line.ratio == pytest.approx(3)
    assert report.readme_table([line]).splitlines()[2].endswith("| 3.00x |")


def test_the_first_page_of_the_site_has_the_figures_of_the_readme(report):
    page, readme = ((report.ROOT / name).read_text() for name in ("docs/index.md", "README.md"))
    shown = page.split(report.FRONT_PAGE[0])[1].split(report.FRONT_PAGE[1])[0]
    figures = re.findall(r"\*\*(.+?)\*\*", shown)
    assert len(figures) == len(report.ON_FRONT_PAGE)
    for title, figure in zip(report.ON_FRONT_PAGE, figures, strict=True):
        assert f"| {title} | {figure} |" in readme


def test_a_table_of_another_benchmark_takes_the_place_of_the_one_before(report, tmp_path, monkeypatch):
    monkeypatch.setattr(report, "ROOT", tmp_path)
    monkeypatch.setattr(report, "machine", lambda: "a machine")
    page = tmp_path / "docs/benchmarks.md"
    page.parent.mkdir()
    page.write_text("a\n<!-- lock held -->\nold\n<!-- /lock held -->\nz\n")
    report.put(report.LOCK, "| new |")
    said = "On a machine, batches of 64.\n\n| new |"
    assert page.read_text() == f"a\n<!-- lock held -->\n{said}\n<!-- /lock held -->\nz\n"


def test_what_holding_the_lock_bounds():
    cost = importlib.import_module("lock_held").Cost(held=1e-5, cpu=1e-3)
    assert cost.most_cores == pytest.approx(100)
    assert cost.speedup(1) == pytest.approx(1)
    assert cost.speedup(10**9) == pytest.approx(100)


def test_the_time_the_lock_is_held_is_counted_only_while_somebody_asks():
    lock_held = importlib.import_module("lock_held")
    run = importlib.import_module("loops").decode(lock_held.ndd, str(ROOT / "src/penstock/cli/assets"))
    before = lock_held.held_seconds()
    run()
    assert lock_held.held_seconds() == before
    cost = lock_held.measure(run, 1)
    assert 0 < cost.held < cost.cpu
    assert lock_held.held_seconds() > before


@pytest.fixture
def op_calls():
    return importlib.import_module("op_calls")


def test_a_case_is_timed_and_a_wrong_one_told(op_calls, tmp_path):
    calls = op_calls.timed_calls()
    op_calls.write_modules(calls, tmp_path)
    number, flip = next((number, each) for number, each in enumerate(calls) if each.operator == "flip")
    requests = [
        (flip.module, flip.source, place, kind, 0)
        for place, kind in ((number, "call"), (number, "plain"), (number, "bytes"), (999, "call"))
    ]
    command = [sys.executable, ROOT / "benchmarks/op_worker.py", "penstock", "1", tmp_path]
    lines = "\n".join(map(json.dumps, requests))
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    call, plain, moved, wrong = (json.loads(line) for line in done.stdout.splitlines()[1:])
    assert call["wall"] > 0
    assert plain["cpu"] > 0
    assert moved["bytes"] == 2 * 32 * 480 * 640 * 3
    assert "call_999" in wrong["error"]


def test_every_case_names_an_operator_and_parses(op_calls):
    for family, cases in importlib.import_module("op_cases").FAMILIES.items():
        for case in cases:
            assert set(case) <= {"operator", "call", "plain"}, family
    for timed in op_calls.timed_calls():
        compile(timed.call, timed.family, "eval")
        compile(timed.plain or "None", timed.family, "eval")


def test_every_operator_is_timed(op_calls):
    timed = {each.operator for each in op_calls.timed_calls()}
    public = [declaration(path) for path in OPERATORS if not path.startswith("_") and declaration(path).path == path]
    assert [op.path for op in public if op.path not in timed and not op.needs_gpu] == []


def test_an_example_is_given_what_its_kinds_of_inputs_are_called(op_calls):
    example = Example("ndd.flip(image, types.image, image='image')", plain="cv2.flip(image, 1)")
    timed = op_calls.Timed(
        "image", "flip", "ndd.flip(images, T.image, image='image')", "[cv2.flip(image, 1) for image in arrays]"
    )
    assert op_calls._read("image", "flip", example) == timed
    with pytest.raises(ValueError, match="needs the inputs of color and existing"):
        op_calls._read("image", "flip", Example("ndd.flip(mosaic, jpeg)"))


@pytest.mark.parametrize(
    ("seconds", "verdict"),
    [
        ((1.0, 2.0, 1.0, 2.0), "ok"),
        ((1.0, 0.97, 1.0, None), "ok"),
        ((1.0, 0.5, 1.0, 2.0), "slower than DALI"),
        ((1.0, 0.5, 1.0, 0.5), "slower than DALI and plain"),
        ((1.0, None, None, None), "ok"),
    ],
)
def test_the_verdict_on_an_operator(op_report, seconds, verdict):
    assert op_report.Line("family", "flip", "ndd.flip(images)", *seconds).verdict == verdict


def test_medians_leave_out_what_has_no_ratio(op_report):
    lines = [op_report.Line("image", "flip", "", 1.0, dali, 1.0, None) for dali in (1.0, 2.0, 9.0, None)]
    assert op_report.medians(lines) == [("image", "4", "2.00x", ""), ("all", "4", "2.00x", "")]


def test_the_roofline_is_the_time_of_a_copy_in_parts_of_the_call(op_report):
    lines = [
        op_report.Line("image", name, "ndd.flip(images)", seconds, memory=memory)
        for name, seconds, memory in (
            ("near", 0.01, 0.009),
            ("far", 0.01, 0.001),
            ("tiny", 1e-5, 1e-9),
            ("none", 1, None),
        )
    ]
    assert [op_report.cells(line)[5] for line in lines] == ["90%", "10%", "0%", ""]
    assert [line.operator for line in op_report.furthest(lines)] == ["far", "near"]


def test_a_copy_moves_bytes_in_time(monkeypatch):
    roofline = importlib.import_module("roofline")
    monkeypatch.setattr(roofline, "COPIED_BYTES", 1 << 20)
    assert roofline.copy_bandwidth(2) > 0
