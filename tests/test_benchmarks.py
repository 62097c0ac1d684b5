"""The benchmark's loops still run, and its tables say what was measured."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.dynamic.functions import declaration
from penstock.ops._index import OPERATORS
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


def test_loops_over_videos_run_in_penstock(tmp_path):
    (tmp_path / "a.webm").write_bytes(clip(count=40))
    command = [sys.executable, ROOT / "benchmarks/clip_loops.py", "penstock", tmp_path, "2"]
    lines = "random a.webm\nsequential a.webm\nplain a.webm"
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    _, *answers = map(json.loads, done.stdout.splitlines())
    assert [answer.get("items") for answer in answers] == [96, 64, 40], answers


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


def ask_op_worker(*requests: tuple[str, int, str, float]) -> list[dict[str, object]]:
    command = [sys.executable, ROOT / "benchmarks/op_worker.py", "penstock", "1"]
    lines = "\n".join(map(json.dumps, requests))
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()[1:]]


def test_a_case_is_timed_and_a_wrong_one_told():
    families = importlib.import_module("op_cases").FAMILIES
    flip = next(number for number, case in enumerate(families["existing"]) if case["operator"] == "flip")
    call, plain, wrong = ask_op_worker(
        ("existing", flip, "call", 0), ("existing", flip, "plain", 0), ("existing", 999, "call", 0)
    )
    assert call["wall"] > 0
    assert plain["cpu"] > 0
    assert "call_999" in wrong["error"]


def test_every_case_names_an_operator_and_parses():
    for family, cases in importlib.import_module("op_cases").FAMILIES.items():
        for case in cases:
            assert set(case) <= {"operator", "call", "plain"}, family
            for kind in ("call", "plain"):
                compile(case.get(kind, "None"), family, "eval")


def test_every_operator_is_timed():
    timed = {case["operator"] for cases in importlib.import_module("op_cases").FAMILIES.values() for case in cases}
    public = [declaration(path) for path in OPERATORS if not path.startswith("_") and declaration(path).path == path]
    assert [op.path for op in public if op.path not in timed and not op.needs_gpu] == []


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
