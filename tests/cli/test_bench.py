"""penstock bench."""

from __future__ import annotations

from pathlib import Path

import pytest

import penstock.dynamic as ndd
from penstock.cli import main

ASSETS = Path(__file__).resolve().parents[2] / "src/penstock/cli/assets"
SMALL = [str(ASSETS), "--batch-size", "6", "--epochs", "1", "--images", "6"]


@pytest.mark.parametrize("suffix", ["html", "svg"])
def test_bench_compares_modes_and_threads_and_draws_a_chart(suffix, tmp_path, capsys):
    out = tmp_path / f"bench.{suffix}"
    assert main(["bench", *SMALL, "--threads", "2", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    for words in ("val: ", "train: ", "eager", "compiled", "pipeline", "1 thread", "CPU ms per image", "█", str(out)):
        assert words in said
    drawn = out.read_text()
    assert drawn.startswith("<svg" if suffix == "svg" else "<!doctype html>")
    assert "train, compiled, 1 thread" in drawn
    assert ndd.get_num_threads() == 2
    ndd.set_num_threads(None)


def test_bench_of_a_missing_folder_says_so_and_fails(tmp_path, capsys):
    assert main(["bench", str(tmp_path / "nothing")]) == 1
    assert "nothing" in capsys.readouterr().err


def test_bench_draws_pages_and_svg_only(tmp_path, capsys):
    assert main(["bench", *SMALL, "--out", str(tmp_path / "chart.png")]) == 1
    assert "neither .html nor .svg" in capsys.readouterr().err
