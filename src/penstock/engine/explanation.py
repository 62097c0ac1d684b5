"""The result of `explain`: the stages of a plan with their calls and data sources, as named tuples and as text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from penstock.engine.backends.backend import Words
from penstock.engine.backends.choice import LADDER
from penstock.engine.events import Pass
from penstock.engine.site import Site
from penstock.values.spec import Spec

WAYS: dict[str, Words] = {backend.way: backend.words for backend in LADDER} | {
    "recovered": Words("again, without its bad samples", "again after bad samples"),
    "open": Words("native or NumPy, as its data allow", "decided by its data"),
}


class Link(NamedTuple):
    """A reference to a result: of the call, or of the source, with that number."""

    of_call: bool
    number: int
    result: int


class ExplainedSource(NamedTuple):
    """A source of data, and the specs of its outputs."""

    name: str
    site: Site | None
    specs: tuple[Spec, ...]


class ExplainedCall(NamedTuple):
    """A call of an operator: its line in the program, the results it takes, and the specs of its own results."""

    number: int
    operator: str
    site: Site
    links: tuple[Link, ...]
    specs: tuple[Spec, ...]


class ExplainedStage(NamedTuple):
    """Calls that run as one stage; `seconds` is the total time of its runs so far."""

    calls: tuple[ExplainedCall, ...]
    passes: tuple[Pass, ...]
    samples: int
    seconds: float = 0.0

    def parts(self) -> Iterator[tuple[str, tuple[ExplainedCall, ...]]]:
        """Yields for each pass the text that says how its calls are carried out, and the calls."""
        start = 0
        for way, count in self.passes:
            calls = self.calls[start : start + count]
            yield WAYS[way].of(count), calls
            start += count
        if start < len(self.calls):
            yield "not run yet", self.calls[start:]


class Dropped(NamedTuple):
    """A call that is not run, and the reason."""

    call: ExplainedCall
    reason: str


@dataclass(frozen=True)
class Explanation:
    """A plan: its stages in the order they run. `str()` renders it as text."""

    title: str
    threads: int
    stages: tuple[ExplainedStage, ...]
    sources: tuple[ExplainedSource, ...] = ()
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

    def calls(self) -> list[ExplainedCall]:
        """Returns all calls of the stages, in the order they run."""
        return [call for stage in self.stages for call in stage.calls]


def shown(operator: str) -> str:
    """Returns the name of an operator without the prefix of the families that arithmetic and conditionals are in."""
    return operator.removeprefix("_arithmetic.").removeprefix("_conditional.")


def place(site: Site) -> str:
    """Returns "train.py:15", the file relative to the working directory where it is inside of that."""
    file = site.code.co_filename
    here = os.getcwd() + os.sep
    return f"{file.removeprefix(here)}:{site.line}"


def described(spec: Spec) -> str:
    """Returns the text of a spec, such as "uint8 HWC"; empty where the type is unknown."""
    if spec.dtype is None:
        return ""
    axes = spec.layout or ("" if spec.ndim is None else "scalar" if spec.ndim == 0 else f"{spec.ndim}-d")
    return f"{spec.dtype} {axes}".rstrip()


def of_specs(specs: Iterable[Spec]) -> str:
    return ", ".join(filter(None, map(described, specs)))


def _line(call: ExplainedCall, width: int) -> str:
    return f"{shown(call.operator):{width}}  {place(call.site)}  {of_specs(call.specs)}".rstrip()


def _told(source: ExplainedSource) -> str:
    where = f" at {place(source.site)}" if source.site is not None else ""
    made = of_specs(source.specs)
    return source.name + where + (f": {made}" if made else "")


def counted(number: int, what: str) -> str:
    """Returns a number with its noun: "1 step", "2 steps"."""
    return f"{number} {what}" + ("" if number == 1 else "s")
