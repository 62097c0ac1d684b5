"""Waiting for background threads and worker processes that end when their owner is garbage collected."""

from __future__ import annotations

import faulthandler
import gc
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess

from penstock.engine.lookahead import _Worker


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


@contextmanager
def ending_lookaheads() -> Iterator[None]:
    """Waits at the end for the threads that have begun to work ahead inside, whose owners must be gone by then."""
    before = {*threading.enumerate()}
    yield
    collect_until_ended(each for each in threading.enumerate() if each not in before and isinstance(each, _Worker))
