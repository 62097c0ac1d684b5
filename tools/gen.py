"""Writes what is drawn from operators, readers and the native core: indexes, stubs and reference pages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gen_docs
import gen_drawings
import gen_fn
import gen_readers
import gen_reference
import gen_stubs
from declared import find_operators

from penstock.ops._index import OPERATORS

ROOT = Path(__file__).resolve().parent.parent
INDEX = ROOT / "src/penstock/ops/_index.py"
NATIVE_STUB = ROOT / "src/penstock/_native.pyi"
TYPES_STUB = ROOT / "src/penstock/types.pyi"
PACKAGE = ROOT / "src/penstock"
STUBS = ROOT / "src/nvidia-stubs"
SIGNATURES = ROOT / "src/penstock/dynamic/_signatures"
PAGES = ROOT / "docs/ops"
READER_INDEX = ROOT / "src/penstock/readers/_index.py"
READER_NAMES = ROOT / "src/penstock/readers/_names.pyi"
READER_PAGES = ROOT / "docs/readers"
REFERENCE_PAGES = ROOT / "docs/reference"
DRAWINGS = ROOT / "docs/drawings"
# Folders in which every file of such a name is written here.
WRITTEN = [(SIGNATURES, "*.*"), (PAGES, "*.*"), (READER_PAGES, "*.*"), (REFERENCE_PAGES, "*.*")]
WRITTEN += [(PACKAGE / folder, "**/*.pyi") for folder in ("fn", "pipeline/ops")]
WRITTEN += [(STUBS, "**/*.pyi")]


def index_text(places: dict[str, str]) -> str:
    lines = [f'    "{path}": "{where}",' for path, where in places.items()]
    head = ['"""Where each operator is declared. Written by tools/gen.py."""', "", "OPERATORS: dict[str, str] = {"]
    return "\n".join([*head, *lines, "}", ""])


def native_stub_text() -> str:
    from nanobind.stubgen import StubGen

    import penstock._native

    stub = StubGen(penstock._native)
    stub.put(penstock._native)
    return f"# Written by tools/gen.py from the bindings in native/bind.\n{stub.get()}"


def outputs(readers: dict[str, str]) -> dict[Path, str]:
    operators = find_operators()
    places = {path: declared.where for path, declared in operators.items()}
    OPERATORS.clear()  # what is drawn below knows a new operator at once
    OPERATORS.update(places)
    made = {
        INDEX: index_text(places),
        NATIVE_STUB: native_stub_text(),
        TYPES_STUB: gen_stubs.types_stub(),
        READER_NAMES: gen_readers.names_stub(readers),
    }
    made |= {SIGNATURES / name: text for name, text in gen_stubs.stubs(operators).items()}
    made |= {SIGNATURES / name: text for name, text in gen_readers.ndd_stubs().items()}
    made |= {(PACKAGE / name).resolve(): text for name, text in gen_fn.stubs(operators).items()}
    made |= {READER_PAGES / name: text for name, text in gen_readers.pages().items()}
    made |= {REFERENCE_PAGES / name: text for name, text in gen_reference.pages().items()}
    made |= {DRAWINGS / name: text for name, text in gen_drawings.drawings().items()}
    return made | {PAGES / name: text for name, text in gen_docs.pages(operators).items()}


def main() -> int:
    readers = gen_readers.find_readers()
    if READER_INDEX.read_text() != gen_readers.index_text(readers):
        if "--check" in sys.argv:
            print(f"{READER_INDEX.relative_to(ROOT)} is stale: run make gen")
            return 1
        READER_INDEX.write_text(gen_readers.index_text(readers))
        print(f"wrote {READER_INDEX.relative_to(ROOT)}", flush=True)
        return subprocess.call([sys.executable, *sys.argv])  # ndd and fn have read the older one
    made = outputs(readers)
    stale = [path for path, text in made.items() if not path.exists() or path.read_text() != text]
    left_over = [path for folder, names in WRITTEN for path in sorted(folder.glob(names)) if path not in made]
    if "--check" in sys.argv:
        for path in stale + left_over:
            print(f"{path.relative_to(ROOT)} is stale: run make gen")
        return len(stale + left_over)
    for path in left_over:
        path.unlink()
        print(f"removed {path.relative_to(ROOT)}")
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path])
        print(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
