"""The calls of one step of a program's loop, with pictures of what each was given and has made."""

from __future__ import annotations

import linecache
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.dynamic.values.pictures import normalization_of
from penstock.engine import events
from penstock.engine.explanation import place, shown
from penstock.engine.site import Site
from penstock.values.dtypes import BY_CODE, DType
from penstock.viz.pixels import Picture, picture
from penstock.viz.show import normalization, shape_text, word

Array = np.ndarray[Any, Any]

_MOST_VIEWS = 4  # of the same samples by the same call: a loop may go over one batch again and again
_SKIPPED = ("_conditional.", "_transfer")  # which only hand samples on


@dataclass
class Step:
    """A call, or a source of data where `operator` is empty: pictures of its first samples, None where one has none.

    `before` has for each sample the place of the step that it comes from, None where that is not known.
    """

    operator: str
    where: str
    code: str
    spec: str
    pictures: list[Picture | None]
    captions: list[str]
    before: list[int | None]
    arguments: str = ""


@dataclass
class _Known:
    samples: Samples  # kept alive, so that its identity stays its own
    steps: list[int | None]  # that made them, for each of those that are shown


@dataclass
class StepRecorder:
    """Listens to calls and keeps those of the first step of every loop.

    A call that was made before, on samples that are new, begins the next step: it is not kept, and `on_repeat` is
    called. The same call on samples of this step, as for a second view of an image, is.
    """

    count: int
    on_repeat: Callable[[], None] = lambda: None
    steps: list[Step] = field(default_factory=list)
    others: dict[str, None] = field(default_factory=dict)  # calls that made numbers, which are not shown as steps
    _known: dict[int, _Known] = field(default_factory=dict)
    _seen: Counter[tuple[str, Site]] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, run: events.CallRun) -> None:
        """Called for every call, by any thread."""
        with self._lock:
            repeated = self._note(run)
        if repeated:
            self.on_repeat()

    def _note(self, run: events.CallRun) -> bool:
        key = run.op.path, run.site
        times = self._seen[key]
        if times:
            of_this_step = all(id(samples) in self._known for samples in run.inputs)
            if not of_this_step or times == _MOST_VIEWS:
                return True
            if not run.inputs:
                return False
        self._seen[key] += 1
        skipped = run.op.path.startswith(_SKIPPED)
        before = self._merged([self._origin(samples) for samples in (run.inputs if skipped else run.inputs[:1])])
        made = before if skipped else [self._record(run, before)] * self.count
        for samples in run.outputs:
            self._known[id(samples)] = _Known(samples, made)
        return False

    def _merged(self, origins: list[list[int | None]]) -> list[int | None]:
        """For each sample the first of several origins at which it can be seen: it went through one branch of many."""

        def seen(column: int) -> Iterator[int]:
            for origin in origins:
                step = origin[column]
                if step is not None and self.steps[step].pictures[column] is not None:
                    yield step

        return [next(seen(column), None) for column in range(self.count)]

    def _origin(self, samples: Samples) -> list[int | None]:
        """The steps that made samples, or a new one for a source that nobody knows of."""
        known = self._known.get(id(samples))
        if known is None:
            known = self._known[id(samples)] = _Known(samples, [self._source(samples)] * self.count)
        return known.steps

    def _source(self, samples: Samples) -> int | None:
        pictures = self._pictures(samples, None, None)
        if not any(pictures):
            return None
        names = samples.sources or []
        captions = [names[k].rsplit("/", 1)[-1] if k < len(names) else "" for k in range(len(pictures))]
        self.steps.append(Step("", "", "", _spec(samples), pictures, captions, [None] * self.count))
        return len(self.steps) - 1

    def _record(self, run: events.CallRun, before: list[int | None]) -> int | None:
        made = run.outputs[0] if run.outputs else None
        known = normalization(**normalization_of(run.arguments)) if run.op.normalizes else None
        pictures = [] if made is None else self._pictures(made, run.numbers, known)
        if made is None or not any(pictures):
            self.others[f"{shown(run.op.path)} at {place(run.site)}"] = None
            return None
        code = linecache.getline(run.site.code.co_filename, run.site.line).strip()
        captions = [_by_sample(run.tensors, run.numbers, number) for number in range(len(pictures))]
        told = _told(run, code)
        spec = _spec(made)
        self.steps.append(Step(shown(run.op.path), place(run.site), code, spec, pictures, captions, before, told))
        return len(self.steps) - 1

    def _pictures(self, samples: Samples, numbers: Samples | None, known: Any) -> list[Picture | None]:
        host = samples.host()
        places = [_place_of(number, numbers) for number in range(self.count)]
        found: list[Picture | None] = []
        for at in places:
            if at is None or at >= len(host):
                found.append(None)
                continue
            drawn = picture(host.sample(at), samples.layout, known)
            found.append(drawn if drawn.frames else None)
        return found


@contextmanager
def recording(count: int, on_repeat: Callable[[], None]) -> Iterator[StepRecorder]:
    """Records the calls made inside the block, with pictures of the first `count` samples."""
    recorder = StepRecorder(count, on_repeat)
    with events.inspecting(recorder.note):
        yield recorder


def _place_of(number: int, numbers: Samples | None) -> int | None:
    """Where a sample of the whole batch is among those with these numbers."""
    if numbers is None:
        return number
    found = [k for k in range(len(numbers)) if int(numbers.sample(k)) == number]
    return found[0] if found else None


def _spec(samples: Samples) -> str:
    shape = shape_text(samples.shape(0)) if len(samples) and samples.uniform else "shapes differ"
    return " ".join(filter(None, (str(BY_CODE[samples.code]), samples.layout, shape)))


def _by_sample(tensors: Mapping[str, Samples], numbers: Samples | None, number: int) -> str:
    """The arguments that differ from sample to sample, as one sample has them."""
    said = []
    for name, samples in tensors.items():
        at = _place_of(number, numbers)
        at = 0 if len(samples) == 1 else at
        if at is not None and at < len(samples):
            said.append(f"{name}={word(samples.host().sample(at))}")
    return ", ".join(said)


def _told(run: events.CallRun, code: str) -> str:
    """The arguments that are not as they would be without having been given, but for those that the code shows."""
    said = [
        f"{name}={_value(value)}"
        for name, value in run.arguments.items()
        if name not in run.tensors and f"{name}=" not in code and _value(value) != _value(run.op.defaults.get(name))
    ]
    return ", ".join(said)


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple, np.ndarray)):
        flat: Sequence[Any] = np.asarray(value).ravel().tolist()
        return "[" + ", ".join(map(_value, flat[:6])) + (", …]" if len(flat) > 6 else "]")
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value) if isinstance(value, (int, str, bool, DType)) else getattr(value, "name", str(value))
