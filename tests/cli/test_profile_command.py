"""penstock profile."""

from __future__ import annotations

import json
import sys

import pytest

import penstock.dynamic as ndd
from penstock.cli import main, profile
from profiling.loops import LOOPS, PICTURES

SCRIPT = f"""
import sys
import penstock.dynamic as ndd

reader = ndd.readers.File(files={PICTURES!r})
for jpegs, labels in reader.next_epoch(batch_size=4, compile=True):
    images = ndd.resize(ndd.decoders.image(jpegs), size=[int(sys.argv[1])] * 2)
    images.evaluate()
if "fail" in sys.argv:
    raise KeyError("fail")
"""


@pytest.fixture
def script(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(SCRIPT)
    return tmp_path


def test_profile_of_a_script_prints_the_summary_and_writes_report_and_trace(script, capsys):
    before = sys.argv, sys.path[:]
    assert main(["profile", "--trace", "trace.json", "train.py", "64"]) == 0
    assert (sys.argv, sys.path) == before
    said = capsys.readouterr().out
    assert "the program waited for data" in said
    assert "decoders.image  train.py:7" in said
    assert said.endswith("profile.html\ntrace.json\n")
    assert "Where the time goes: train.py" in (script / "profile.html").read_text()
    assert json.loads((script / "trace.json").read_text())["traceEvents"]


def test_the_report_of_a_script_that_fails_is_written_too(script, capsys):
    with pytest.raises(KeyError, match="fail"):
        main(["profile", "--out", "failed.html", "train.py", "64", "fail"])
    assert "12 samples" in (script / "failed.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "why"), [(["nothing.py"], "is not a file"), (["--out", "p.txt", "train.py"], "p.txt is no .html")]
)
def test_profile_refuses_before_it_runs_anything(script, capsys, arguments, why):
    assert main(["profile", *arguments]) == 1
    assert why in capsys.readouterr().err


def test_a_terminal_has_a_line_of_status_while_the_script_runs(script, capsys, monkeypatch):
    monkeypatch.setattr(profile, "_STATUS_SECONDS", 0.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert main(["profile", "train.py", "64"]) == 0
    shown = capsys.readouterr().err
    assert "samples  " in shown
    assert "input wait" in shown
    assert shown.endswith("\r\x1b[K")


def test_the_status_names_what_matters():
    with ndd.profile() as p:
        LOOPS["compiled"]()
    said = profile.status(p)
    assert said.startswith("24 samples  ")
    for word in ("input wait", "threads idle", "queue", "most time: "):
        assert word in said
