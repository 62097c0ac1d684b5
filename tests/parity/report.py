"""Verdicts as tables: in the terminal and in docs/parity.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/parity.md"


class Verdict(NamedTuple):
    """How a call compares; `problem` is empty where the libraries agree."""

    call: str
    problem: str
    largest: float = 0.0
    total: float = 0.0
    elements: int = 0


Judged = list[tuple[dict[str, Any], list[Verdict]]]
HEADER = ("operator", "calls", "largest difference", "mean difference", "verdict")


def rows(judged: Judged) -> list[tuple[str, ...]]:
    return [_row(case, verdicts) for case, verdicts in judged]


def _row(case: dict[str, Any], verdicts: list[Verdict]) -> tuple[str, ...]:
    largest = max(verdict.largest for verdict in verdicts)
    mean = sum(verdict.total for verdict in verdicts) / max(1, sum(verdict.elements for verdict in verdicts))
    problems = sum(bool(verdict.problem) for verdict in verdicts)
    if problems:
        said = "deliberate" if "deliberate" in case else "differs"
        verdict = f"{said} in {problems} of {len(verdicts)}"
    else:
        most = f" for {case['share']:.1%}" if "share" in case else ""
        close = (
            f"{case['snr']:g} dB above the difference" if "snr" in case else f"within {case.get('within', 0):g}{most}"
        )
        verdict = "equal" if largest == 0 else close
    return case["operator"], str(len(verdicts)), f"{largest:.3g}", f"{mean:.3g}", verdict


def problems(judged: Judged) -> list[tuple[str, str]]:
    """Calls that differ, and how."""
    return [
        (verdict.call, f"{case['deliberate']}; {verdict.problem}" if "deliberate" in case else verdict.problem)
        for case, verdicts in judged
        for verdict in verdicts
        if verdict.problem
    ]


def as_text(judged: Judged) -> str:
    lines = [HEADER, *rows(judged)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([*table, "", *(f"{call}: {how}" for call, how in problems(judged))])


def write(judged: Judged) -> None:
    """Writes docs/parity.md."""
    DOCUMENT.parent.mkdir(exist_ok=True)
    calls = sum(len(verdicts) for _, verdicts in judged)
    operators = len({case["operator"].split(" (")[0] for case, _ in judged})
    differing = "\n".join(f"- `{call}`: {how}" for call, how in problems(judged))
    DOCUMENT.write_text(
        f"""<!-- Written by `make parity`: edit tests/parity. -->

# Parity

Written by `make parity` (tests/parity/compare.py): {calls} calls of {operators} operators, made in penstock and in DALI
2.4.0 on the CPU with the same inputs and seeds; {len(problems(judged))} differ. Compared are values, types, shapes,
layouts, and the type of the exception where one is raised. Differences are in units for integer results; for floats
they are relative to 1 or to the value, whichever is larger. What differs on purpose is explained in
[differences.md](differences.md).

{_tables(judged)}

## Calls that differ

{differing or "None."}
"""
    )


def _tables(judged: Judged) -> str:
    """A table for each family."""
    families = dict.fromkeys(case["family"] for case, _ in judged)
    return "\n\n".join(
        f"## {family.capitalize()}\n\n| {' | '.join(HEADER)} |\n|---|--:|--:|--:|---|\n"
        + "\n".join(f"| {' | '.join(row)} |" for row in rows([each for each in judged if each[0]["family"] == family]))
        for family in families
    )
