"""Bytes on disk of a distribution and everything it depends on: python installed.py NAME [MODULE]"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name


def with_dependencies(name: str) -> set[str]:
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [Requirement(name)]
    while waiting:
        wanted = waiting.pop()
        current, extras = canonicalize_name(wanted.name), frozenset(wanted.extras)
        if (current, extras) in seen:
            continue
        seen.add((current, extras))
        for text in importlib.metadata.requires(current) or []:
            needed = Requirement(text)
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
                waiting.append(needed)
    return {name for name, _ in seen}


def files_of(distribution: str) -> set[Path]:
    listed = importlib.metadata.files(distribution) or []
    return {Path(str(file.locate())).resolve() for file in listed}


def files_under(module: str) -> set[Path]:
    """The package's own folders: an editable install lists only what was built."""
    spec = importlib.util.find_spec(module)
    folders = (spec.submodule_search_locations or []) if spec else []
    return {file.resolve() for folder in folders for file in Path(folder).rglob("*") if file.is_file()}


def main() -> None:
    name, *modules = sys.argv[1:]
    files = {file for distribution in with_dependencies(name) for file in files_of(distribution)}
    files |= {file for module in modules for file in files_under(module)}
    print(sum(file.stat().st_size for file in files if file.exists() and "__pycache__" not in file.parts))


if __name__ == "__main__":
    main()
