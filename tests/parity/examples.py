"""The examples that stand beside the operators, as cases of the comparison."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from penstock.ops.declaration import declaration
from penstock.ops.families import families
from penstock.schema.example import renamed

Case = dict[str, Any]

# What a kind of input is called in inputs.py and in the families; the other kinds have the same name there.
NAMES = {
    "types": "T",
    "image": "photos",
    "float_image": "floats",
    "frames": "video",
    "jpeg": "jpegs",
    "clip": "clip_mjpeg",
    "sound": "clips",
    "power": "bands",
    "mosaic": "raw",
}
CLOSENESS = {"within": 0, "share": 1.0, "snr": None}
SPEC = json.loads((Path(__file__).resolve().parents[1] / "ops/spec_data.json").read_text())


def is_in_dali(path: str) -> bool:
    """Whether DALI has the operator where it can be asked: some it has on GPUs only."""
    now = declaration(path).path
    return now.startswith("math.") or (now in SPEC and not SPEC[now].get("gpu_only"))


def with_examples(written: list[Case]) -> list[Case]:
    """The cases of the families, each led by its operator's examples that agree as closely.

    The examples of an operator without such a case are one more.
    """
    found = examples()
    led = []
    for case in written:
        leading = found.pop(_key(case), {}) if "deliberate" not in case else {}
        led.append(case | {"calls": [*leading.get("calls", ()), *case["calls"]]})
    return led + list(found.values())


def examples() -> dict[tuple[Any, ...], Case]:
    """By operator and closeness."""
    found: dict[tuple[Any, ...], Case] = {}
    for family, ops in families():
        for op in filter(lambda op: is_in_dali(op.path), ops):
            for example in (each for each in op.examples if each.compared):
                close = {
                    name: getattr(example, name) for name in CLOSENESS if getattr(example, name) != CLOSENESS[name]
                }
                case = {"operator": op.path, "family": family, "inputs": "examples", "calls": [], **close}
                found.setdefault(_key(case), case)["calls"].append(renamed(example.call, NAMES))
    return found


def _key(case: Case) -> tuple[Any, ...]:
    return case["operator"], *(case.get(name, default) for name, default in CLOSENESS.items())
