"""The fuzzer: its targets read what is not damaged, and what goes wrong with an input is found, told and kept."""

from __future__ import annotations

from random import Random

import pytest

from fuzz import run
from fuzz.mutate import mutated
from fuzz.targets import TARGETS

WORKER = """
import os, sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
from fuzz.case_file import CaseFile
CaseFile(Path(sys.argv[2]) / "case").note(5, b"the input")
{end}
"""


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_reads_its_corpus(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = list(TARGETS[name].corpus())
    assert files
    for data in files:
        TARGETS[name].run(data, tmp_path)
        if TARGETS[name].repair is not None:
            assert TARGETS[name].repair(data) == data


def test_a_seed_gives_the_same_inputs_again():
    corpus = [bytes(range(200)), b'{"a": 12}', b""]
    first, again = ([mutated(random, corpus) for _ in range(300)] for random in (Random(3), Random(3)))
    assert first == again
    assert len(set(first)) > 150


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("os.abort()", "SIGABRT"),
        ('raise KeyError("a")', "unexpected: KeyError"),
        ("time.sleep(600)", "no end"),
    ],
)
def test_an_input_that_ends_the_process_is_kept(end, told, tmp_path, monkeypatch, capsys, pytestconfig):
    script = tmp_path / "worker.py"
    script.write_text(WORKER.format(tests=str(pytestconfig.rootpath / "tests"), end=end))
    monkeypatch.setattr(run, "_WORKER", script)
    monkeypatch.setattr(run, "_PATIENCE", 1)
    assert run.fuzz("jpeg", 0.5, 1, tmp_path / "kept") == 1
    (kept,) = (path for path in (tmp_path / "kept").iterdir() if not path.suffix)
    assert kept.read_bytes() == b"the input"
    assert told in capsys.readouterr().out
