"""What tests of several folders need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from penstock.values import accelerator


@pytest.fixture
def stand_in() -> Iterator[None]:
    """The CPU stands in for two GPUs."""
    accelerator.use("cpu:2")
    yield
    accelerator.use("")
