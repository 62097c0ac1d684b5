"""A local Ray cluster of two nodes for the tests in this folder."""

from __future__ import annotations

import ctypes
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

# What a test has no use for is not started: each is a Python process that takes two seconds of a CPU to import Ray.
_NODE = {"resources": {"worker": 1}, "object_store_memory": 80 << 20, "include_log_monitor": False}
# A node that is killed is missed within a second; tests that take long because the machine is busy do not lose one.
# Workers start when they are needed, and stay for the next test: each takes four seconds of a CPU to import Ray Data.
_SYSTEM = {
    "health_check_initial_delay_ms": 0, "health_check_period_ms": 300, "health_check_failure_threshold": 3,
    "enable_worker_prestart": False, "idle_worker_killing_time_threshold_ms": 3_600_000,
}  # fmt: skip


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    pytest.importorskip("ray.data")
    import ray.data
    from ray.cluster_utils import Cluster

    head = {**_NODE, "num_cpus": 2, "include_dashboard": False, "no_monitor": True, "_system_config": _SYSTEM}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_DATA_PARQUET_FOOTER_NUM_ACTORS", "1")  # of 32, for one file
        nodes = Cluster(True, head_node_args=head)
        nodes.add_node(num_cpus=1, **_NODE)
        with _bus_errors_handled_as_before():
            ray.init(address=nodes.address, log_to_driver=False)
        ray.data.DataContext.get_current().enable_progress_bars = False
        yield nodes
        ray.shutdown()
        nodes.shutdown()


@contextmanager
def _bus_errors_handled_as_before() -> Iterator[None]:
    """Ray has handlers of its own for crashes; beside them readers map no files, which other tests look at."""
    action = ctypes.create_string_buffer(512)  # larger than a struct sigaction
    libc = ctypes.CDLL(None)
    libc.sigaction(signal.SIGBUS, None, action)
    yield
    libc.sigaction(signal.SIGBUS, action, None)
