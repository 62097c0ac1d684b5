"""The skill for coding assistants: its code runs, its names exist, and the command prints it."""

from __future__ import annotations

import re
import shutil
from functools import reduce
from pathlib import Path

import pytest

import penstock.dynamic as ndd
from one_interpreter import block_outcomes
from penstock import types
from penstock.cli import main
from penstock.cli.skill import FOLDER, PARTS

FILES = sorted(FOLDER.glob("*.md"))
ROOT = Path(__file__).resolve().parent.parent.parent


def test_its_code_runs(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src/penstock/cli/assets", tmp_path / "demo/photos")
    copies = [Path(shutil.copy(file, tmp_path)) for file in FILES]
    errors = [outcome.error for outcomes in block_outcomes(copies) for outcome in outcomes]
    assert len(errors) >= 3
    assert [error for error in errors if error] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_its_names_exist(file: Path) -> None:
    text = file.read_text()
    for root, where in ((ndd, "ndd"), (types, "types")):
        for name in {*re.findall(rf"\b{where}\.([a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*)*)", text)}:
            reduce(getattr, name.split("."), root)


def test_it_names_all_of_its_files() -> None:
    linked = re.findall(r"\]\((\w+)\.md\)", (FOLDER / "SKILL.md").read_text())
    assert linked == [*PARTS]
    assert {file.stem for file in FILES} == {*PARTS, "SKILL"}


def test_its_head_is_what_assistants_look_for() -> None:
    head = (FOLDER / "SKILL.md").read_text().split("---")[1]
    assert re.search(r"^name: penstock$", head, re.M)
    assert re.search(r"^description: .{80,}", head, re.M)


def test_the_command_prints_a_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["skill"]) == 0
    assert capsys.readouterr().out.startswith("---\nname: penstock\n")
    assert main(["skill", "review"]) == 0
    assert capsys.readouterr().out == (FOLDER / "review.md").read_text()


def test_the_command_writes_all_files(tmp_path: Path) -> None:
    assert main(["skill", "--out", str(tmp_path)]) == 0
    assert {file.name for file in (tmp_path / "penstock").iterdir()} == {file.name for file in FILES}
