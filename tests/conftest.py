"""What tests of several folders need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from capture.loops import leave_out_running_loops
from penstock.testing import gpu_of_tests
from penstock.values import accelerator


@pytest.fixture(autouse=True)
def loops_of_its_own() -> None:
    """`running_loops` tells of those of the test only."""
    leave_out_running_loops()


@pytest.fixture
def stand_in() -> Iterator[None]:
    """The CPU stands in for two GPUs."""
    accelerator.use("cpu:2")
    yield
    accelerator.use("")


@pytest.fixture(params=["cpu:2", "torch-cpu:2"])
def any_gpu(request: pytest.FixtureRequest) -> Iterator[str]:
    """The CPU stands in for two GPUs, or torch's CPU device does, with the kernels for accelerators."""
    torch = request.param.startswith("torch")
    if torch:
        pytest.importorskip("torch")
    accelerator.use(gpu_of_tests(request.param) if torch else request.param)
    yield request.param.partition(":")[0]
    accelerator.use("")
