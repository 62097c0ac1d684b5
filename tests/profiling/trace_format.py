"""A strict reader of the Trace Event Format: what it returns, Perfetto and chrome://tracing show as it was meant."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]
_REQUIRED = {"ph", "name", "cat", "pid", "tid", "ts"}
_KNOWN = {
    "X": {"dur", "args"}, "M": {"args"}, "C": {"args"}, "s": {"id"}, "t": {"id", "bp"}, "f": {"id", "bp"},
}  # fmt: skip
_METADATA = {"process_name": "name", "thread_name": "name", "thread_sort_index": "sort_index"}


class Slice(NamedTuple):
    name: str
    kind: str
    lane: str
    start: float
    end: float
    about: Json


class Read(NamedTuple):
    """The slices of a trace, and for each flow the slices it leads through."""

    slices: list[Slice]
    flows: list[list[Slice]]
    counters: dict[str, list[tuple[float, Json]]]


def read(path: Path) -> Read:
    """Reads a trace; raises AssertionError for whatever the format does not allow."""
    whole = json.loads(path.read_text())
    assert set(whole) == {"traceEvents", "displayTimeUnit"}
    assert whole["displayTimeUnit"] in ("ms", "ns")
    lanes: dict[int, str] = {}
    for event in whole["traceEvents"]:
        _check_fields(event)
        if event["ph"] == "M" and event["name"] == "thread_name":
            assert event["tid"] not in lanes, "a lane has two names"
            lanes[event["tid"]] = event["args"]["name"]
    by_lane: defaultdict[int, list[Slice]] = defaultdict(list)
    for event in whole["traceEvents"]:
        if event["ph"] == "X":
            end = round(event["ts"] + event["dur"], 3)  # whole nanoseconds, as importers count
            lane = lanes[event["tid"]]
            by_lane[event["tid"]].append(Slice(event["name"], event["cat"], lane, event["ts"], end, event["args"]))
    for slices in by_lane.values():
        _check_nesting(slices)
    flows = _flows([event for event in whole["traceEvents"] if event["ph"] in "stf"], by_lane)
    counters: defaultdict[str, list[tuple[float, Json]]] = defaultdict(list)
    for event in whole["traceEvents"]:
        if event["ph"] == "C":
            assert event["args"]
            assert all(isinstance(value, int | float) for value in event["args"].values())
            counters[event["name"]].append((event["ts"], event["args"]))
    return Read([each for slices in by_lane.values() for each in slices], flows, dict(counters))


def _check_fields(event: Json) -> None:
    assert event["ph"] in _KNOWN, event
    extra = set(event) - _REQUIRED
    assert set(event) >= _REQUIRED, event
    assert extra <= _KNOWN[event["ph"]], event
    assert extra >= _KNOWN[event["ph"]] - {"bp"}, event
    assert isinstance(event["name"], str), event
    assert event["name"], event
    for number in ("pid", "tid"):
        assert isinstance(event[number], int), event
    for time in ("ts", "dur"):
        assert math.isfinite(event.get(time, 0)), event
        assert event.get(time, 0) >= 0, event
    if event["ph"] == "M":
        assert _METADATA[event["name"]] in event["args"], event


def _check_nesting(slices: list[Slice]) -> None:
    """Two slices of a lane are apart, or one is inside the other: an importer would drop the rest."""
    open_slices: list[Slice] = []
    for each in sorted(slices, key=lambda each: (each.start, -each.end)):
        while open_slices and open_slices[-1].end <= each.start:
            open_slices.pop()
        if open_slices:
            assert each.end <= open_slices[-1].end, f"{each} overlaps {open_slices[-1]}"
        open_slices.append(each)


def _flows(events: list[Json], by_lane: dict[int, list[Slice]]) -> list[list[Slice]]:
    """Each flow starts once, ends once, goes on in time, and is inside of a slice wherever it goes."""
    steps: defaultdict[int, list[Json]] = defaultdict(list)
    for event in events:
        steps[event["id"]].append(event)
    flows = []
    for flow in steps.values():
        phases = "".join(event["ph"] for event in flow)
        assert phases[0] == "s", phases
        assert phases[-1] == "f", phases
        assert set(phases[1:-1]) <= {"t"}, phases
        times = [event["ts"] for event in flow]
        assert times == sorted(times), times
        assert {event.get("bp") for event in flow[1:]} == {"e"}
        flows.append([_around(event, by_lane[event["tid"]]) for event in flow])
    return flows


def _around(event: Json, slices: list[Slice]) -> Slice:
    around = [each for each in slices if each.start <= event["ts"] <= each.end]
    assert around, f"{event} is in no slice"
    return max(around, key=lambda each: each.start)
