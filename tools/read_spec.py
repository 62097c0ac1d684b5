"""Writes what each operator and reader must have, for tests/ops, tests/readers and tests/pipeline:
read_spec.py operators.json

The input lists the operators of DALI with their inputs, arguments, defaults and layouts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent / "tests"
Facts = dict[str, Any]


def public_operators(spec: Facts) -> dict[str, Facts]:
    found = [op for op in spec["operators"] if op["kind"] == "function" and not op.get("private")]
    return {op["ndd_path"].removeprefix("ndd."): op for op in found}


def reader_classes(spec: Facts) -> dict[str, Facts]:
    """Those of dynamic mode, and the one that only pipelines have and that is no older name of another."""
    found = {op["ndd_path"].removeprefix("ndd."): op for op in spec["operators"] if op["kind"] == "reader_class"}
    found["readers.Sequence"] = next(op for op in spec["operators"] if op["schema"] == "readers__Sequence")
    return found


def names_in_pipelines(spec: Facts) -> dict[str, str]:
    """Functions of fn, and the classes of ops that are the same operators."""
    named = {op["fn_path"].removeprefix("fn."): op["ops_path"].removeprefix("ops.") for op in spec["operators"]}
    return {path: kind for path, kind in named.items() if not path.startswith("_")}


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
    for folder, found in (("ops", public_operators(spec)), ("readers", reader_classes(spec))):
        lines = [f'"{name}": {json.dumps(facts(op))}' for name, op in sorted(found.items())]
        (TESTS / folder / "spec_data.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
        print(f"{len(lines)} {folder}")
    names = json.dumps(names_in_pipelines(spec), indent=2, sort_keys=True)
    (TESTS / "pipeline/spec_data.json").write_text(f"{names}\n")


if __name__ == "__main__":
    main()
