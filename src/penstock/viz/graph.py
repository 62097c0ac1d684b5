"""Plans as pictures: sources above, stages as boxes around the calls they fuse, outputs below."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from penstock.engine.explanation import (
    WAYS,
    ExplainedCall,
    ExplainedSource,
    ExplainedStage,
    Explanation,
    Link,
    counted,
    described,
    place,
    shown,
)
from penstock.values.spec import Spec
from penstock.viz import svg
from penstock.viz.layout import Edge, Layout, Size, laid_out
from penstock.viz.page import page as html_page

_CALL, _INNER_GAP, _PAD, _HEAD = 40.0, 26.0, 10.0, 26.0
_ASIDE = 14.0
_MARGIN, _TITLE, _LINE = 28.0, 44.0, 18.0


class _Drawn(NamedTuple):
    parts: list[str]
    size: Size


def drawing(plans: Sequence[Explanation]) -> str:
    """An SVG of all plans, one below the other, and what the colours mean."""
    drawn = [_plan(plan) for plan in plans]
    legend = _legend(plans)
    width = max([each.size.width for each in (*drawn, legend)]) + 2 * _MARGIN
    parts: list[str] = []
    top = _MARGIN
    for each in (*drawn, legend):
        parts.append(svg.group(each.parts, "", _MARGIN, top))
        top += each.size.height + _MARGIN
    return svg.picture(parts, width, top, "; ".join(plan.title for plan in plans))


def page(plans: Sequence[Explanation], title: str) -> str:
    """The same as a page of HTML, with the plans as text below."""
    texts = "".join(f"<pre>{svg.escape(str(plan))}</pre>" for plan in plans)
    drawn = f'<figure class="wide">{drawing(plans)}</figure>'
    return html_page(title, f"{drawn}\n{texts}", "Rest the pointer on a box to see its line.")


def _plan(plan: Explanation) -> _Drawn:
    sizes: dict[Hashable, Size] = {}
    for number, source in enumerate(plan.sources):
        sizes["source", number] = _end_size(source.name, len(source.specs))
    for number, stage in enumerate(plan.stages):
        sizes["stage", number] = _stage_size(stage, _heading(plan, number))
    outputs = [("output", number) for number, link in enumerate(plan.outputs) if link is not None]
    sizes |= {key: _end_size(f"output {key[1]}") for key in outputs}
    stage_of = {call.number: number for number, stage in enumerate(plan.stages) for call in stage.calls}
    ways = _ways(plan, stage_of)
    layout = laid_out(sizes, [edge for edge, _, _ in ways], outputs)
    parts = [svg.text(0, 14, plan.title, "title"), svg.text(0, 32, counted(plan.threads, "thread"), "small")]
    inner = _edges(plan, ways, layout, sizes)
    inner += [_source(source, layout.corners["source", k]) for k, source in enumerate(plan.sources)]
    inner += [_stage(plan, k, sizes["stage", k], layout.corners["stage", k]) for k in range(len(plan.stages))]
    inner += [_end(f"output {key[1]}", "", layout.corners[key]) for key in outputs]
    parts.append(svg.group(inner, "", 0, _TITLE))
    below = [f"dropped: {shown(call.operator)} at {place(call.site)}, {reason}" for call, reason in plan.dropped]
    lines = [*below, *plan.notes]
    top = _TITLE + layout.size.height + 26
    parts += [svg.text(0, top + _LINE * k, line, "small") for k, line in enumerate(lines)]
    width = max([layout.size.width, svg.width_of(plan.title, 16), *(svg.width_of(line, 11) for line in lines)])
    return _Drawn(parts, Size(width, top + _LINE * len(lines)))


def _heading(plan: Explanation, number: int) -> str:
    seconds = sum(stage.seconds for stage in plan.stages)
    stage = plan.stages[number]
    ways = list(dict.fromkeys(WAYS[way].legend for way, _ in stage.passes))
    share = f" · {stage.seconds / seconds:.0%}" if seconds else ""
    return f"{number + 1} · {ways[0] if len(ways) == 1 else f'{len(stage.passes)} passes'}{share}"


def _end_size(name: str, results: int = 1) -> Size:
    return Size(max(svg.width_of(name) + 32, 75 * results), 30)


def _stage_size(stage: ExplainedStage, heading: str) -> Size:
    widest = max(max(svg.width_of(shown(call.operator)), svg.width_of(_short(call), 11)) for call in stage.calls)
    width = max(widest + 34, svg.width_of(heading, 11) + 8)
    count = len(stage.calls)
    return Size(width + 2 * _PAD, _HEAD + count * _CALL + (count - 1) * _INNER_GAP + _PAD)


def _short(call: ExplainedCall) -> str:
    return place(call.site).replace("\\", "/").rsplit("/", 1)[-1]


def _call_top(position: int) -> float:
    return _HEAD + position * (_CALL + _INNER_GAP)


_Way = tuple[Edge, Link, int]


def _ways(plan: Explanation, stage_of: dict[int, int]) -> list[_Way]:
    """The edges between boxes: what flows, and which call of the box takes it."""

    def start(link: Link) -> Hashable:
        return ("stage", stage_of[link.number]) if link.of_call else ("source", link.number)

    ways: list[_Way] = []
    for number, stage in enumerate(plan.stages):
        for position, call in enumerate(stage.calls):
            for link in dict.fromkeys(call.links):
                if start(link) != ("stage", number):
                    ways.append((Edge(start(link), ("stage", number)), link, position))
    ends = [(k, link) for k, link in enumerate(plan.outputs) if link is not None]
    return ways + [(Edge(start(link), ("output", k)), link, 0) for k, link in ends]


def _edges(plan: Explanation, ways: Sequence[_Way], layout: Layout, sizes: dict[Hashable, Size]) -> list[str]:
    """Curves between the boxes, then what flows along them, so that no curve goes through a word."""
    curves: dict[str, None] = {}
    labels: dict[str, None] = {}
    for edge, link, position in ways:
        x, y = layout.corners[edge.start]
        leaving = sorted({other.result for way, other, _ in ways if way.start == edge.start})
        room = sizes[edge.start].width / (len(leaving) + 1)
        start = x + room * (leaving.index(link.result) + 1), y + sizes[edge.start].height
        middle = [(at, side) for at, top, bottom in layout.ways[edge] for side in (top, bottom)]
        if position:
            curves[_to_side(edge, position, [start, *middle], layout, sizes)] = None
        else:
            curves[svg.curve([start, *middle, _entry(edge, ways, layout, sizes)])] = None
        said = described(_specs(plan, link)[link.result])
        if said:
            labels[svg.label(start[0] + 6, start[1] + 15, said)] = None
    return [*curves, *labels]


def _specs(plan: Explanation, link: Link) -> tuple[Spec, ...]:
    if link.of_call:
        return next(call.specs for call in plan.calls() if call.number == link.number)
    return plan.sources[link.number].specs


def _entry(edge: Edge, ways: Sequence[_Way], layout: Layout, sizes: dict[Hashable, Size]) -> tuple[float, float]:
    """Where an edge meets the top of its box: edges from the left stay left of the others."""
    entering = list(dict.fromkeys(way for way, _, position in ways if way.end == edge.end and not position))
    entering.sort(key=lambda way: layout.ways[way][-1][0] if layout.ways[way] else layout.corners[way.start][0])
    x, y = layout.corners[edge.end]
    return x + sizes[edge.end].width / (len(entering) + 1) * (entering.index(edge) + 1), y


def _to_side(
    edge: Edge, position: int, points: list[tuple[float, float]], layout: Layout, sizes: dict[Hashable, Size]
) -> str:
    """A curve to a call that is not the first of its stage: beside the box, then in from that side."""
    x, y = layout.corners[edge.end]
    width = sizes[edge.end].width
    from_left = points[-1][0] < x + width / 2
    side = x - _ASIDE if from_left else x + width + _ASIDE
    at = y + _call_top(position) + _CALL / 2
    return svg.curve([*points, (side, y)], head=False) + svg.elbow(side, y, x if from_left else x + width, at)


def _source(source: ExplainedSource, corner: tuple[float, float]) -> str:
    where = place(source.site) if source.site is not None else ""
    return _end(source.name, where, corner, len(source.specs))


def _end(name: str, tip: str, corner: tuple[float, float], results: int = 1) -> str:
    width, height = _end_size(name, results)
    said = svg.text(width / 2, height / 2 + 4.5, name, "", "middle")
    return svg.group([svg.box(0, 0, width, height, "end", 15), said], tip, *corner)


def _stage(plan: Explanation, number: int, size: Size, corner: tuple[float, float]) -> str:
    stage = plan.stages[number]
    seconds = sum(each.seconds for each in plan.stages)
    parts = [svg.box(0, 0, *size, "stage", 9), svg.text(_PAD, 17, _heading(plan, number), "small")]
    if seconds:
        parts.append(svg.box(_PAD, 21, size.width - 2 * _PAD, 2.5, "track", 1))
        parts.append(svg.box(_PAD, 21, (size.width - 2 * _PAD) * stage.seconds / seconds, 2.5, "share", 1))
    ways = [way for way, count in stage.passes for _ in range(count)]
    for position, call in enumerate(stage.calls):
        way = ways[position] if position < len(ways) else "open"
        top = _call_top(position)
        parts.append(_call(call, way, size.width - 2 * _PAD, top))
        if position + 1 < len(stage.calls):
            middle = size.width / 2
            parts.append(svg.curve([(middle, top + _CALL), (middle, top + _CALL + _INNER_GAP)]))
            parts.append(svg.text(middle + 8, top + _CALL + 17, described(call.specs[0]), "small"))
    return svg.group(parts, f"stage {number + 1}: {counted(stage.samples, 'sample')}", *corner)


def _call(call: ExplainedCall, way: str, width: float, top: float) -> str:
    tip = f"{shown(call.operator)}\n{call.site.describe()}\n{WAYS[way].legend}"
    parts = [
        svg.box(0, 0, width, _CALL, "call", 5),
        svg.box(0, 0, 6, _CALL, way, 3),
        svg.text(16, 17, shown(call.operator), "name"),
        svg.text(16, 32, _short(call), "small"),
    ]
    return svg.group(parts, tip, _PAD, top)


def _legend(plans: Sequence[Explanation]) -> _Drawn:
    seen = {way for plan in plans for stage in plan.stages for way, _ in stage.passes}
    parts, left = [], 0.0
    for way, words in WAYS.items():
        if way in seen:
            said = words.legend
            parts += [svg.box(left, 0, 12, 12, way, 3), svg.text(left + 18, 10.5, said, "small")]
            left += svg.width_of(said, 11) + 40
    parts += [svg.box(left, 5, 24, 2.5, "share", 1), svg.text(left + 30, 10.5, "share of the time", "small")]
    return _Drawn(parts, Size(left + 150, 12))
