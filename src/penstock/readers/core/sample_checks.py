"""`check` of readers: a user's function that tests samples when they are read; those that fail count as unreadable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakMethod

import numpy as np

from penstock.engine.errors import source_of
from penstock.engine.modes import EvalMode
from penstock.readers.core.order import Indices
from penstock.readers.core.sample_source import Outputs, SampleSource, bytes_of_samples, expect_samples
from penstock.values.bad_samples import BadSample, UnreadableError, collected_doubts, is_about_data

Check: TypeAlias = Callable[[Any], Any]


def as_checks(check: Any) -> list[Check | None]:
    """The check of each output; a single function is for the first one."""
    if check is None:
        return []
    checks = [*check] if isinstance(check, (list, tuple)) else [check]
    for each in checks:
        if each is not None and not callable(each):
            raise TypeError(f"check is a function, or a list of one for each output, got {each!r}")
    return checks


class FailedCheck(NamedTuple):
    """A sample that failed a check: its source and the error to raise for it."""

    source: str
    why: RuntimeError


class CheckedSource:
    """A source whose samples are checked once each, when they are first read."""

    def __init__(self, source: SampleSource, checks: Sequence[Check | None], as_outputs: Callable[..., Any]) -> None:
        self._source = source
        self._checks = checks
        self._as_outputs = WeakMethod(
            as_outputs
        )  # weak: the background thread holds this and must not keep its reader alive
        self._good = np.zeros(len(source), bool)
        self._bad: dict[int, FailedCheck] = {}
        self.doubtful: dict[int, BadSample] = getattr(source, "doubtful", {})

    def __len__(self) -> int:
        return len(self._source)

    def expect(self, indices: Indices) -> None:
        expect_samples(self._source, indices)

    def bytes_of(self, indices: Indices) -> float | None:
        return bytes_of_samples(self._source, indices)

    def read(self, indices: Indices) -> Outputs:
        self._refuse_known(indices)
        outputs = self._source.read(indices)
        new = np.flatnonzero(~self._good[indices])
        if len(new):
            self._look_into(outputs, indices, new)
            self._refuse_known(indices)
        return outputs

    def _refuse_known(self, indices: Indices) -> None:
        found = {at: self._bad[int(index)] for at, index in enumerate(indices) if int(index) in self._bad}
        if found:
            failures = {at: known.why for at, known in found.items()}
            raise UnreadableError(failures, {at: known.source for at, known in found.items()})

    def _look_into(self, outputs: Outputs, indices: Indices, new: Indices) -> None:
        as_outputs = self._as_outputs()
        if as_outputs is None:
            return
        chosen = as_outputs(tuple(samples.select(new.tolist()) for samples in outputs), single=False)
        batches = [*(chosen.values() if isinstance(chosen, Mapping) else chosen)]
        if len(self._checks) > len(batches):
            raise ValueError(f"there are {len(self._checks)} checks, the reader has {len(batches)} outputs")
        for check, batch in zip(self._checks, batches, strict=False):
            if check is None:
                continue
            with collected_doubts() as doubts:
                failed = _failure(check, batch) is not None
            for each in doubts:  # their indices are positions in the checked batch
                if each.index < len(new):
                    index = int(indices[new[each.index]])
                    self.doubtful[index] = replace(each, index=index)
            if failed:
                self._find(check, batch, outputs, indices, new)
        passed = [index for index in indices[new].tolist() if index not in self._bad]
        self._good[passed] = True

    def _find(self, check: Check, batch: Any, outputs: Outputs, indices: Indices, new: Indices) -> None:
        for place, at in enumerate(new.tolist()):
            why = _failure(check, batch.select([place]))
            if why is not None:
                index, source = int(indices[at]), source_of([*outputs], at) or ""
                told = RuntimeError(f"sample {index}{source and f', {source},'} does not pass the check: {_line(why)}")
                self._bad[index] = FailedCheck(source, told)


def _failure(check: Check, batch: Any) -> Exception | None:
    try:
        with EvalMode.sync_cpu:
            check(batch)
    except Exception as error:
        if not is_about_data(error):
            raise
        return error
    return None


def _line(error: Exception) -> str:
    """The first line of an error: the notes on where the operator was called name a thread of the reader."""
    return str(error).partition("\n")[0] or type(error).__name__
