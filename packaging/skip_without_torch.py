"""A plugin for pytest: skips what needs torch where it is not installed, as many Pythons have no small build of it."""

from __future__ import annotations

import re
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

MISSING = find_spec("torch") is None
IMPORT = re.compile(r"^(import|from) torch\b", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Modules that import it at once; None leaves the decision to others."""
    module = collection_path.suffix == ".py" and collection_path.read_text()
    return True if MISSING and module and IMPORT.search(module) else None


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, Any, Any]:
    """Tests that come to import it: those of functions for GPUs, for which torch's CPU device stands in."""
    try:
        return (yield)
    except (ImportError, RuntimeError) as error:
        if MISSING and (getattr(error, "name", "") == "torch" or "pip install penstock[torch]" in str(error)):
            pytest.skip("torch is not installed")
        raise
