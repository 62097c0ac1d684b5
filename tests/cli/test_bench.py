"""penstock bench."""

from __future__ import annotations

from pathlib import Path

from penstock.cli import main

ASSETS = Path(__file__).resolve().parents[2] / "src/penstock/cli/assets"


def test_bench_prints_both_loops(capsys):
    assert main(["bench", str(ASSETS), "--batch-size", "6", "--epochs", "1"]) == 0
    said = capsys.readouterr().out
    assert "val:" in said
    assert "train:" in said
    assert "CPU ms per image" in said


def test_bench_of_a_missing_folder_says_so_and_fails(tmp_path, capsys):
    assert main(["bench", str(tmp_path / "nothing")]) == 1
    assert "nothing" in capsys.readouterr().err
