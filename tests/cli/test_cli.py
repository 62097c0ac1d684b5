"""The command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import pytest

import penstock.dynamic as ndd
from penstock.cli import main
from penstock.cli.terminal import table

ASSETS = Path(__file__).resolve().parents[2] / "src/penstock/cli/assets"


@pytest.fixture(autouse=True)
def usual_threads():
    yield
    ndd.set_num_threads(None)


def test_demo_times_every_operator_and_draws_the_batch(tmp_path, capsys):
    assert main(["demo", "--out", str(tmp_path), "--images", "48", "--threads", "2"]) == 0
    said = capsys.readouterr().out
    assert "images/s" in said
    for operator in ("decoders.image_random_crop", "resize", "crop_mirror_normalize", "random.coin_flip"):
        assert operator in said
    sheet = cv2.imread(str(tmp_path / "contact_sheet.png"))
    assert sheet.shape == (4 * 230 + 6, 6 * 230 + 6, 3)
    assert sheet[10:220, 10:220].std() > 1
    assert len(list((tmp_path / "photos").glob("*/*.jpg"))) == 12


def test_bench_prints_both_loops(capsys):
    assert main(["bench", str(ASSETS), "--batch-size", "6", "--epochs", "1"]) == 0
    said = capsys.readouterr().out
    assert "val:" in said
    assert "train:" in said
    assert "CPU ms per image" in said


def test_bench_of_a_missing_folder_says_so_and_fails(tmp_path, capsys):
    assert main(["bench", str(tmp_path / "nothing")]) == 1
    assert "nothing" in capsys.readouterr().err


def test_doctor_names_threads_and_codecs(capsys):
    ndd.set_num_threads(3)
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "3 (set_num_threads)" in said
    assert "libjpeg-turbo" in said
    assert "PNG" in said
    assert "torch" in said


def test_help_does_not_import_the_library():
    probe = (
        "import sys, penstock.cli\n"
        "try: penstock.cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'cv2', 'penstock.dynamic'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "doctor" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "the following arguments are required: command\n"),
        (["fly"], "invalid choice: 'fly'"),
        (["run"], "the following arguments are required: PROGRAM\n"),
        (["run", "--force"], "the following arguments are required: PROGRAM\n"),
        (["demo", "somewhere"], "unrecognized arguments: somewhere\n"),
        (["demo", "--images", "0"], "argument --images: must be at least 1, got 0\n"),
        (["demo", "--images", "many"], "argument --images: must be a whole number, got 'many'\n"),
        (["bench"], "the following arguments are required: DIR\n"),
        (["index"], "the following arguments are required: FILE\n"),
        (["graph"], "the following arguments are required: SCRIPT\n"),
        (
            ["graph", "train.py", "--steps", "3"],
            "unrecognized arguments: --steps 3; the script's own options go",
        ),
        (["gallery", "--out"], "argument --out: expected one argument\n"),
        (["doctor", "who"], "unrecognized arguments: who\n"),
    ],
)
def test_wrong_arguments_are_refused_by_name(arguments, said, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    told = capsys.readouterr().err
    known = [each for each in arguments[:1] if each != "fly"]
    assert told.startswith(" ".join(["usage: penstock", *known]) + " [-h]")
    assert said in told


@pytest.mark.parametrize("command", ["demo", "gallery"])
def test_a_folder_that_cannot_be_written_to_is_said(command, tmp_path, capsys):
    (tmp_path / "taken").touch()
    assert main([command, "--out", str(tmp_path / "taken")]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"penstock {command}: ")
    assert "taken" in told


def test_table_lines_up_its_columns():
    assert table(("name", "n"), [("a", "10"), ("long", "2")]).splitlines() == [
        "  name   n",
        "  ----  --",
        "  a     10",
        "  long   2",
    ]
