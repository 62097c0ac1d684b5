"""Parity is checked for every operator, and a call that differs is seen."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import numpy as np
import pytest

from parity.all_cases import CASES, FORMS
from parity.compare import Outcome, judge, write_calls
from parity.examples import SPEC, is_in_dali
from parity.report import rows
from penstock.ops._index import OPERATORS

FEWEST = 4
COMPARED = [path for path in OPERATORS if is_in_dali(path)]
CALLS = [call for case in CASES for call in case["calls"]]


def test_every_operator_is_compared_in_several_calls() -> None:
    counts = {
        path: sum(re.search(rf"\bndd\.{re.escape(path)}\(", call) is not None for call in CALLS) for path in COMPARED
    }
    assert {path: count for path, count in counts.items() if count < FEWEST} == {}


def test_every_argument_is_compared_in_other_forms() -> None:
    written = [call for case in FORMS for call in case["calls"]]
    missing = [
        (path, name)
        for path in COMPARED
        for name in SPEC.get(path, {}).get("arguments", {})
        if not any(call.startswith(f"ndd.{path}(") and f"{name}=" in call for call in written)
    ]
    # One writes files, and one of the other's values ends DALI's process.
    assert missing == [("dump_image", "input_layout"), ("dump_image", "suffix"), ("paste", "n_channels")]


def test_calls_are_written_to_modules_beside_the_names_they_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_calls([f"x + {number}" for number in range(50)], ["one"] * 30 + ["two"] * 20, tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    calls = importlib.import_module("calls").CALLS
    assert [(family, call(x=100)) for family, call in calls] == [
        ("one" if number < 30 else "two", 100 + number) for number in range(50)
    ]


def result(*values: float, dtype: type = np.uint8) -> Outcome:
    return Outcome([], "", [{"kind": "Tensor", "layout": "", "samples": 1}], [np.array(values, dtype)])


@pytest.mark.parametrize(("value", "same"), [(1.0, True), (1.0005, True), (1.01, False), (float("nan"), False)])
def test_a_signal_is_judged_by_its_noise(value: float, same: bool) -> None:
    case = {"operator": "audio_resample", "snr": 60}
    verdict = judge("ndd.audio_resample(x)", case, result(value, 1, dtype=np.float32), result(1, 1, dtype=np.float32))
    assert (verdict.problem == "") == same
    assert ("differs" in rows([(case, [verdict])])[0][-1]) != same


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        (result(1, 2), result(1, 2), True),
        (result(1, 2), result(2, 2), True),
        (result(1, 2), result(3, 2), False),
        (result(1, 2), result(1, 2, 3), False),
        (result(1, 2), result(1, 2, dtype=np.int8), False),
        (result(1, 2), Outcome(["ValueError"], "no", [], []), False),
        (Outcome(["IndexError", "LookupError"], "x", [], []), Outcome(["LookupError"], "y", [], []), True),
    ],
)
def test_a_difference_is_seen(ours: Outcome, theirs: Outcome, same: bool) -> None:
    case = {"operator": "flip", "within": 1}
    verdict = judge("ndd.flip(x)", case, ours, theirs)
    assert (verdict.problem == "") == same
    assert ("differs" in rows([(case, [verdict])])[0][-1]) != same


@pytest.mark.parametrize(
    ("message", "told"),
    [("", "RuntimeError"), ("no\nindeed", "RuntimeError: no"), ("\nlate", "RuntimeError")],
)
def test_errors_are_told_by_their_first_line(message: str, told: str) -> None:
    failed = Outcome(["RuntimeError", "Exception"], message, [], [])
    verdict = judge("ndd.flip(x)", {"operator": "flip"}, failed, result(1))
    assert verdict.problem == f"penstock: {told}; DALI: a result"
