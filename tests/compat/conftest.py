"""What tests below `nvidia.dali` need."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

import penstock.compat


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`nvidia.dali` is penstock for the length of a test."""
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(os, "environ", {**os.environ})
    penstock.compat.install()
    yield
    for name in [name for name in sys.modules if name == "nvidia" or name.startswith("nvidia.dali")]:
        del sys.modules[name]
