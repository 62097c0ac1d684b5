"""What type checkers see of `nvidia.dali`."""

from __future__ import annotations

from pathlib import Path

_STUBS = Path(__file__).parent / "typed"


def mypy_path() -> str:
    """Where type checkers find stubs of `nvidia.dali` that lead to penstock; empty where they need not be told.

    A wheel has the stubs in a package that mypy and others find by themselves. In a checkout, which they do not look
    into: `MYPYPATH=$(python -c "import penstock.compat; print(penstock.compat.mypy_path())") mypy program.py`.
    """
    return str(_STUBS) if _STUBS.exists() else ""
