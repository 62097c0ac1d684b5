"""The scenarios of `make soak` work, for a moment each, and one that fails is seen to fail."""

from __future__ import annotations

import mmap
import os
import select
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from soak import leaks, run

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="scenarios look into /proc and kill processes"),
    pytest.mark.memory,
]

FAILING = """
import os, subprocess, sys, time

def fine(seconds, seed):
    print("beginning")
    print(f"done for {seconds} with {seed}")

def wrong(seconds, seed):
    assert seed == -1, "as it must"

def dead(seconds, seed):
    os._exit(3)

def stuck(seconds, seed):
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with open(os.path.join(os.path.dirname(__file__), "child"), "w") as file:
        file.write(str(child.pid))
    time.sleep(600)

def _helper(seconds, seed): ...
def helper(path): ...
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "odd"
    made.mkdir()
    (made / "some.py").write_text(FAILING)
    return made


@pytest.fixture(autouse=True)
def usual_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", sys.path[:])


@pytest.mark.parametrize("name", run.scenarios())
def test_a_scenario_works(name: str) -> None:
    outcome = run.run_one(name, seconds=0.2, seed=1)
    assert outcome.passed, outcome.trouble
    assert outcome.told


def test_the_scenarios_are_found(folder: Path) -> None:
    assert run.scenarios(folder) == ["some.fine", "some.wrong", "some.dead", "some.stuck"]


def test_what_it_did_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--in", str(folder), "--minutes", "0.05", "--seed", "7", "some.fine"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "1 scenarios, 3 s each, seed 7"
    assert told[1].startswith("ok      some.fine")
    assert told[1].endswith("done for 3.0 with 7")


def test_scenarios_are_listed_with_what_must_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--list"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in told] == run.scenarios()
    assert all(line.partition(": ")[2] for line in told)


def test_one_that_fails_is_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not run.report(["some.fine", "some.wrong", "some.dead"], 0.1, 7, folder=folder)
    told = capsys.readouterr().out
    assert "FAILED  some.wrong" in told
    assert "AssertionError: as it must" in told
    assert "FAILED  some.dead" in told
    assert "ended with code 3" in told
    assert told.endswith("2 of 3 failed; again with: --seed 7 some.wrong some.dead\n")


def test_one_that_does_not_end_is_aborted_with_all_it_started(folder: Path) -> None:
    outcome = run.run_one("some.stuck", 0.1, 7, grace=4, folder=folder)
    assert not outcome.passed
    assert outcome.told == "had not ended after 4 s"
    assert "in stuck" in outcome.trouble
    with suppress(ProcessLookupError):
        ended = os.pidfd_open(int((folder / "child").read_text()))
        assert select.select([ended], [], [], 60)[0]
        os.close(ended)


def test_unknown_names_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run.main(["--in", str(folder), "nothing"])
    assert "no scenario nothing; there are some.fine" in capsys.readouterr().err


def test_a_leak_is_seen() -> None:
    kept = []

    def epoch(pictures: Path, number: int) -> int:
        kept.append(mmap.mmap(-1, 2 << 20))  # never memory that the process has already
        kept[-1].write(b"x" * (2 << 20))
        return 1

    with pytest.raises(AssertionError, match="MB more after"):
        leaks._watch("leaking", 0.0, epoch)


def test_a_file_that_is_not_closed_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks, "PATIENCE", 0.0)
    kept = []

    def epoch(pictures: Path, number: int) -> int:
        kept.append(open(tmp_path / str(number), "w"))  # noqa: SIM115
        return 1

    with pytest.raises(AssertionError):
        leaks._watch("open files", 0.0, epoch)
    for file in kept:
        file.close()
