"""The tests that are run on other systems, where all would take too long or need packages that are not there."""

from __future__ import annotations

import argparse

# Operators, readers of files, the engine and values: what a compiler or a system could change.
TESTS = ["tests/ops", "tests/engine", "tests/capture", "tests/dynamic", "tests/readers/core", "tests/test_arena.py"]


def read_arguments(description: str | None) -> argparse.Namespace:
    """The arguments of a script that tries a wheel: its smoke suite, and `tests` unless `smoke` alone is asked for."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*", default=TESTS, help="files and folders of tests (default: a chosen part)")
    parser.add_argument("--smoke", action="store_true", help="only the smoke suite")
    return parser.parse_args()
