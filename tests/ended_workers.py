"""Waiting for background threads and worker processes that end when their owner is garbage collected."""

from __future__ import annotations

import faulthandler
import gc
import threading
from collections.abc import Iterable
from multiprocessing.process import BaseProcess


def collect_until_ended(workers: Iterable[threading.Thread | BaseProcess]) -> None:
    """Collects garbage again and again.

    One collection may not do: a thread that is busy holds its owner until it is done, and `gc.collect` returns at once
    while another thread collects.
    """
    for worker in workers:
        for _ in range(600):
            gc.collect()
            worker.join(0.1)
            if not worker.is_alive():
                break
        else:
            faulthandler.dump_traceback()
            raise AssertionError(f"{worker.name} has not ended")
