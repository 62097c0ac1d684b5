"""What will run, or runs again and again, as data first: stages of calls; and as text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from penstock.engine.events import Pass
from penstock.engine.site import Site
from penstock.values.spec import Spec

_ALONE = {
    "native": "native",
    "stacked": "NumPy on the whole batch",
    "batchwise": "Python on the whole batch",
    "storage": "on the storage of the whole batch",
    "plain": "Python, sample by sample",
    "recovered": "again, without its bad samples",
    "open": "native or NumPy, as its data allow",
}
_TOGETHER = {**_ALONE, "native": "one native pass"}


class Link(NamedTuple):
    """A result of a call, or of a source, by its number."""

    of_call: bool
    number: int
    result: int


class Source(NamedTuple):
    """Where data comes from, and what it is."""

    name: str
    site: Site | None
    specs: tuple[Spec, ...]


class Call(NamedTuple):
    """An operator at a line of the program, what it is given, and what it makes."""

    number: int
    operator: str
    site: Site
    links: tuple[Link, ...]
    specs: tuple[Spec, ...]


class Stage(NamedTuple):
    """Calls that a sample, or the batch, goes through at a time; `seconds` is what all its runs took so far."""

    calls: tuple[Call, ...]
    passes: tuple[Pass, ...]
    samples: int
    seconds: float = 0.0

    def parts(self) -> Iterator[tuple[str, tuple[Call, ...]]]:
        """The calls that are carried out together, and how; "open" stands for all that are left."""
        start = 0
        for way, count in self.passes:
            calls = self.calls[start : start + count]
            yield (_TOGETHER if count > 1 else _ALONE)[way], calls
            start += count
        if start < len(self.calls):
            yield "not run yet", self.calls[start:]


class Dropped(NamedTuple):
    """A call that is not made, and why."""

    call: Call
    reason: str


@dataclass(frozen=True)
class Plan:
    """What runs: its stages in order. `str()` of it is text to read."""

    title: str
    threads: int
    stages: tuple[Stage, ...]
    sources: tuple[Source, ...] = ()
    outputs: tuple[Link | None, ...] = ()  # None for a constant
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        seconds = sum(stage.seconds for stage in self.stages)
        lines = [self.title, *(f"source   {_told(source)}" for source in self.sources)]
        width = max((len(shown(call.operator)) for call in self.calls()), default=0)
        for number, stage in enumerate(self.stages, 1):
            share = f", {stage.seconds / seconds:.0%} of the time" if seconds else ""
            lines.append(
                f"stage {number}  {counted(stage.samples, 'sample')} on {counted(self.threads, 'thread')}{share}"
            )
            for way, calls in stage.parts():
                lines += [f"  {way}", *(f"    {_line(call, width)}" for call in calls)]
        lines += [f"dropped  {shown(call.operator)} at {place(call.site)}: {reason}" for call, reason in self.dropped]
        return "\n".join([*lines, *self.notes])

    def calls(self) -> list[Call]:
        """All calls that are made, in the order they are."""
        return [call for stage in self.stages for call in stage.calls]


def shown(operator: str) -> str:
    """Arithmetic and conditions under their own names."""
    return operator.removeprefix("_arithmetic.").removeprefix("_conditional.")


def place(site: Site) -> str:
    """ "train.py:15", the file as it is seen from the working directory."""
    file = site.code.co_filename
    here = os.getcwd() + os.sep
    return f"{file.removeprefix(here)}:{site.line}"


def described(spec: Spec) -> str:
    """ "uint8 HWC"; nothing where nothing is known."""
    if spec.dtype is None:
        return ""
    axes = spec.layout or ("" if spec.ndim is None else "scalar" if spec.ndim == 0 else f"{spec.ndim}-d")
    return f"{spec.dtype} {axes}".rstrip()


def of_specs(specs: Iterable[Spec]) -> str:
    return ", ".join(filter(None, map(described, specs)))


def _line(call: Call, width: int) -> str:
    return f"{shown(call.operator):{width}}  {place(call.site)}  {of_specs(call.specs)}".rstrip()


def _told(source: Source) -> str:
    where = f" at {place(source.site)}" if source.site is not None else ""
    made = of_specs(source.specs)
    return source.name + where + (f": {made}" if made else "")


def counted(number: int, what: str) -> str:
    """ "1 step", "2 steps"."""
    return f"{number} {what}" + ("" if number == 1 else "s")
