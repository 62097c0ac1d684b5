"""Writes what is drawn from the operators and the native core: ops/_index.py and _native.pyi."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INDEX = ROOT / "src/penstock/ops/_index.py"
NATIVE_STUB = ROOT / "src/penstock/_native.pyi"


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
    head = ['"""Where each operator is declared. Written by tools/gen.py."""', "", "OPERATORS: dict[str, str] = {"]
    return "\n".join([*head, *lines, "}", ""])


def native_stub_text() -> str:
    from nanobind.stubgen import StubGen

    import penstock._native

    stub = StubGen(penstock._native)
    stub.put(penstock._native)
    return f"# Written by tools/gen.py from the bindings in native/bind.\n{stub.get()}"


def outputs() -> dict[Path, str]:
    return {INDEX: index_text(), NATIVE_STUB: native_stub_text()}


def main() -> int:
    stale = {path: text for path, text in outputs().items() if not path.exists() or path.read_text() != text}
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is stale: run make gen")
        return len(stale)
    for path, text in stale.items():
        path.write_text(text)
        print(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
