"""The benchmark's loops still run, and its tables say what was measured."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.fixture
def report():
    spec = importlib.util.spec_from_file_location("benchmark_report", ROOT / "benchmarks/report.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
