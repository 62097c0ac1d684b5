"""`on_error` of Ray's rows: raise for a row that a loop body fails on, skip it, or take another one instead."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeAlias

import pyarrow as pa

from penstock.dynamic.calls.recorder import unrecorded
from penstock.engine.modes import EvalMode
from penstock.engine.rng import get_default_rng, thread_rng
from penstock.ray.row_batch import RowBatch
from penstock.values.bad_samples import BadSample, OnErrorMode, is_about_data

OnError: TypeAlias = "OnErrorMode | Callable[[BadSample], int | None]"
_log = logging.getLogger("penstock.ray")


class BadRows:
    """Runs a loop body on what is left of a batch in which some rows fail.

    Only batches with bad rows come here. Their rows are tried one by one.
    """

    def __init__(self, run: Callable[[RowBatch], pa.Table], on_error: OnError) -> None:
        self._run = run
        self._on_error = on_error
        self.any_good = False  # whether the body has ever worked: where it has not, it is not the data that is wrong

    def handles(self, error: Exception) -> bool:
        """Whether an error is one that the policy is for."""
        return self._on_error != "raise" and is_about_data(error)

    def rest(self, batch: RowBatch, error: Exception | None) -> pa.Table | None:
        """The results without the bad rows, or with others in their places; None where no row is left.

        Random draws are those of a generator of its own, so that later batches draw what they would have drawn.
        """
        drawn_from = get_default_rng()
        try:
            thread_rng.rng = drawn_from.clone()
            with unrecorded(), EvalMode.sync_cpu:
                bad = self._find(batch, error)
                chosen = self._chosen(batch, bad)
                return self._run(batch.select(chosen)) if chosen else None
        finally:
            thread_rng.rng = drawn_from

    def _find(self, batch: RowBatch, error: Exception | None) -> dict[int, Exception]:
        bad: dict[int, Exception] = {place: RuntimeError(why) for place, why in batch.nulls().items()}
        if error is not None or not bad:
            for place in range(len(batch.numbers)):
                if place not in bad:
                    try:
                        self._run(batch.select([place]))
                        self.any_good = True
                    except Exception as failure:
                        if not is_about_data(failure):
                            raise
                        bad[place] = failure
        if error is not None and not self.any_good and len(bad) == len(batch.numbers) > 1:
            raise error  # what fails on every row it has ever seen is the body
        return bad

    def _chosen(self, batch: RowBatch, bad: dict[int, Exception]) -> list[int]:
        """The places of the rows to run instead of all of them."""
        good = [place for place in range(len(batch.numbers)) if place not in bad]
        chosen = []
        for place in range(len(batch.numbers)):
            if place not in bad:
                chosen.append(place)
                continue
            other = self._instead(batch, BadSample(batch.numbers[place], batch.names[place], bad[place]), good)
            chosen += [] if other is None else [other]
        return chosen

    def _instead(self, batch: RowBatch, bad: BadSample, good: list[int]) -> int | None:
        """The place of the row to take in place of a bad one, or None to leave it out."""
        if callable(self._on_error):
            other = self._on_error(bad)
            if other is None:
                return None
            if other not in batch.numbers:
                raise IndexError(f"on_error asked for row {other}, which is not in the batch of row {bad.index}")
            return [*batch.numbers].index(other)
        first = str(bad.error).partition("\n")[0]
        if self._on_error == "replace":
            if not good:
                raise RuntimeError(f"there is no row to replace row {bad.source} with: {first}")
            _log.warning("replaced row %s: %s", bad.source, first)
            return next((place for place in good if batch.numbers[place] > bad.index), good[0])
        _log.warning("skipped row %s: %s", bad.source, first)
        return None
