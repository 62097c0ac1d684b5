"""Waiting for background threads that end when their owner is garbage collected."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterable


def collect_until_ended(threads: Iterable[threading.Thread]) -> None:
    """Collects garbage again and again: a thread that is busy holds its owner until it is done."""
    for thread in threads:
        for _ in range(600):
            gc.collect()
            thread.join(0.1)
            if not thread.is_alive():
                break
        assert not thread.is_alive(), thread.name
