"""What type checkers see of `nvidia.dali`."""

from __future__ import annotations

from pathlib import Path


def mypy_path() -> str:
    """A folder with stubs of `nvidia.dali` that lead to penstock.

    For type checkers that are given programs written for DALI: `MYPYPATH=$(python -c "import penstock.compat;
    print(penstock.compat.mypy_path())") mypy program.py`.
    """
    return str(Path(__file__).parent / "typed")
