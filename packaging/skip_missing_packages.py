"""A plugin for pytest: skips what needs packages that are not installed, as they have no wheels for many platforms."""

from __future__ import annotations

import re
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

# By the extra of Penstock that brings each, where users of that platform are told to install it.
EXTRAS = {
    "torch": "torch",
    "soundfile": "audio",
    "av": "video",
    "fsspec": "remote",
    "aiohttp": "remote",
    "lmdb": "",
    "datasets": "",
}
MISSING = {name: extra for name, extra in EXTRAS.items() if find_spec(name) is None}
TOLD = [f"pip install penstock[{extra}]" for extra in MISSING.values() if extra]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Modules that import one at once; None leaves the decision to others."""
    imports = rf"^(?:import|from) (?:{'|'.join(MISSING)})\b"
    module = MISSING and collection_path.suffix == ".py" and collection_path.read_text(encoding="utf-8")
    return True if module and re.search(imports, module, re.MULTILINE) else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, pytest.CollectReport]:
    """Modules that import another one of the tests that does."""
    report: pytest.CollectReport = yield
    found = re.search(r"No module named '(\w+)'", str(report.longrepr)) if report.failed else None
    if found and found[1] in MISSING:
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 0, f"Skipped: {found[1]} is not installed")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, Any, Any]:
    """Tests that come to import one: with torch those of functions for GPUs, for which its CPU device stands in."""
    try:
        return (yield)
    except (ImportError, RuntimeError) as error:
        name = getattr(error, "name", "")
        if name in MISSING or any(told in str(error) for told in TOLD):
            pytest.skip(f"{name or 'a package'} is not installed")
        raise
