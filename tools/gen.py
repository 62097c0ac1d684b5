"""Writes what is drawn from the operators: ops/_index.py."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INDEX = ROOT / "src/penstock/ops/_index.py"


def find_operators() -> dict[str, str]:
    """Public name of every operator and where it is declared."""
    import penstock.ops
    from penstock.schema.operator import Operator

    found = {}
    for module in pkgutil.walk_packages(penstock.ops.__path__, "penstock.ops."):
        if module.name.rsplit(".", 1)[-1].startswith("_"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Operator) and value.function.__module__ == module.name:
                found[value.path] = f"{module.name}:{name}"
    return dict(sorted(found.items()))


def index_text() -> str:
    lines = [f'    "{path}": "{where}",' for path, where in find_operators().items()]
    return "\n".join(
        ['"""Where each operator is declared. Written by tools/gen.py."""', "", "OPERATORS: dict[str, str] = {", *lines, "}", ""]
    )


def outputs() -> dict[Path, str]:
    return {INDEX: index_text()}


def main() -> int:
    stale = [path for path, text in outputs().items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is stale: run make gen")
        return len(stale)
    for path, text in outputs().items():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
