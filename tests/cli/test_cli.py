"""The command line."""

from __future__ import annotations

import subprocess
import sys

import pytest

import penstock.cli
from penstock.cli import main


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
        (["check"], "the following arguments are required: DIR|FILE\n"),
        (["stats"], "the following arguments are required: DIR|FILE\n"),
        (["stats", "photos", "--size", "0"], "argument --size: must be at least 1, got 0\n"),
        (["index"], "the following arguments are required: FILE\n"),
        (["graph"], "the following arguments are required: SCRIPT\n"),
        (
            ["graph", "train.py", "--steps", "3"],
            "unrecognized arguments: --steps 3; the script's own options go",
        ),
        (["show"], "the following arguments are required: SCRIPT\n"),
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


HELLO = """
HELP = "greet somebody"


def arguments(parser):
    parser.add_argument("name")


def run(given):
    print(f"hello {given.name}")
    return 3
"""


def test_a_new_command_is_one_file(tmp_path, monkeypatch, capsys):
    (tmp_path / "hello.py").write_text(HELLO)
    monkeypatch.setattr(penstock.cli, "__path__", [*penstock.cli.__path__, str(tmp_path)])
    assert penstock.cli.commands()["hello"] == "greet somebody"
    assert main(["hello", "you"]) == 3
    assert capsys.readouterr().out == "hello you\n"


@pytest.mark.parametrize("name", penstock.cli.commands())
def test_every_command_tells_its_arguments(name, capsys):
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: penstock {name} [-h]")


def test_the_package_runs_as_a_module():
    command = [sys.executable, "-m", "penstock", "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    assert said == f"penstock {penstock.__version__}\n"
    assert "usage: penstock " in subprocess.run([*command[:-1], "--help"], capture_output=True, text=True).stdout
