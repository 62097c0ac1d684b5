"""Writes tests/ops/spec_data.json, what each operator must have: python tools/read_spec.py operators.json

The input lists the operators of DALI's dynamic mode with their inputs, arguments, defaults and layouts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent.parent / "tests/ops/spec_data.json"
Facts = dict[str, Any]


def public_operators(spec: Facts) -> dict[str, Facts]:
    found = [op for op in spec["operators"] if op["kind"] == "function" and not op.get("private")]
    return {op["ndd_path"].removeprefix("ndd."): op for op in found}


def facts(op: Facts) -> Facts:
    """What is empty is left out: `outputs`, where their number depends on the arguments; `ignored` arguments, which are
    accepted and do nothing; and so on.
    """
    arguments = [argument for argument in op["args"] if not argument.get("hidden") and not argument.get("not_in_ndd")]
    outdated = {argument["name"]: argument["deprecated"] for argument in arguments if "deprecated" in argument}
    outputs = op["outputs"]["default_count"]
    found = {
        "inputs": [op["inputs"]["min"], op["inputs"]["max"]],
        "outputs": outputs if isinstance(outputs, int) else None,
        "layouts": op["inputs"]["list"][0].get("layouts", []) if op["inputs"]["list"] else [],
        "random": "random_state_arg" in op["flags"],
        "gpu_only": not op["cpu_supported"],
        "renamed": {name: how["renamed_to"] for name, how in outdated.items() if "renamed_to" in how},
        "ignored": [name for name, how in outdated.items() if "renamed_to" not in how],
        "arguments": {each["name"]: argument_facts(each) for each in arguments if each["name"] not in outdated},
    }
    return {key: value for key, value in found.items() if value}


def argument_facts(argument: Facts) -> Facts:
    kept: Facts = {"type": argument["type"]}
    if not argument.get("required"):
        kept["default"] = without_class(argument["default"])
    if argument.get("tensor"):
        kept["per_sample"] = True
    if "choices" in argument:
        kept["choices"] = argument["choices"]
    return kept


def without_class(default: Any) -> Any:
    """The name of a member of an enumeration; other values as they are."""
    return default.rsplit(".", 1)[-1] if isinstance(default, str) and default.startswith("DALI") else default


def main() -> None:
    spec = json.loads(Path(sys.argv[1]).read_text())
    lines = [f'"{name}": {json.dumps(facts(op))}' for name, op in sorted(public_operators(spec).items())]
    DATA.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(lines)} operators")


if __name__ == "__main__":
    main()
