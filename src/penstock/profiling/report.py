"""A profile as one page of HTML: verdict, advice, where the threads' time went, queues, readers, slowest samples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from penstock.engine.explanation import WAYS
from penstock.profiling.advice import advice, is_input_bound, milliseconds, verdict
from penstock.profiling.totals import StepTotal, Totals
from penstock.viz.page import card, page
from penstock.viz.pixels import bytes_text
from penstock.viz.svg import escape

# The colours that drawings of plans have for the same ways.
_COLOURS = {
    "native": "blue", "stacked": "green", "batchwise": "violet", "storage": "teal", "gpu": "pink", "plain": "amber",
    "recovered": "red",
}  # fmt: skip
_MOST_STEPS = 40
_SMALLEST = 0.002

_STYLE = """
.verdict { margin: 1.2rem 0; padding: 0.9rem 1.2rem; background: var(--panel); border-left: 6px solid var(--green);
  border-radius: 0 10px 10px 0; }
.verdict.bound { border-color: var(--orange); }
.verdict b { font-size: 1.15rem; }
.verdict ul { margin: 0.5rem 0 0; padding-left: 1.2rem; }
.verdict li { margin: 0.25rem 0; max-width: 60rem; overflow-wrap: anywhere; }
.cards { grid-template-columns: repeat(auto-fit, minmax(8.6rem, 1fr)); }
.bar { display: flex; gap: 2px; width: 100%; min-width: 0; margin-bottom: 0.5rem; }
.bar > div { min-width: 2px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; border-radius: 4px;
  padding: 0.2rem 0.4rem; font-size: 0.8rem; line-height: 1.3; color: #fff; text-shadow: 0 0 3px rgb(0 0 0 / 45%); }
.bar > div.thin { padding-left: 0; padding-right: 0; }
.bar small { display: block; opacity: 0.85; overflow: hidden; text-overflow: ellipsis; }
.bar :is(.amber, .grey) { color: #1c2430; text-shadow: none; }
.bar.stages > div { background: var(--well); color: var(--ink); text-shadow: none; }
.flame { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; margin: 0.6rem 0; }
.flame .bar { margin: 0; }
.legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; margin: 0.6rem 0; color: var(--muted);
  font-size: 0.87em; }
.legend i { display: inline-block; width: 0.75rem; height: 0.75rem; border-radius: 3px; margin-right: 0.4rem;
  vertical-align: -1px; }
.meter { width: 6rem; height: 0.55rem; background: var(--well); border-radius: 4px; overflow: hidden;
  display: inline-block; vertical-align: middle; margin-left: 0.5rem; }
.meter > div { height: 100%; border-radius: 4px; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 1rem; }
.chart { padding: 0.8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  min-width: 0; }
.chart h3 { margin: 0; font-size: 0.95rem; }
.chart p { margin: 0 0 0.5rem; font-size: 0.82rem; }
.chart svg { display: block; width: 100%; height: 5.5rem; background: var(--panel); border-radius: 6px; }
.chart .axis { display: flex; justify-content: space-between; color: var(--muted); font-size: 0.75rem; }
td.line { min-width: 10rem; max-width: 28rem; overflow-wrap: anywhere; }
td.file { min-width: 13rem; overflow-wrap: anywhere; }
td.file b { overflow-wrap: normal; }
td.number { white-space: nowrap; }
"""


def report(title: str, totals: Totals) -> str:
    """Returns the whole page."""
    subtitle = f"{totals.samples:,} samples in {totals.batches:,} batches, {totals.seconds:.2f} s"
    parts = [_verdict(totals), _cards(totals), _program(totals)]
    if totals.steps:
        parts += [_flame(totals), _steps(totals)]
    parts += [_charts(totals), _readers(totals), _threads(totals), _slowest(totals)]
    return page(f"Where the time goes: {title}", "\n".join(filter(None, parts)), subtitle, _STYLE)


def _verdict(totals: Totals) -> str:
    items = "".join(f"<li>{escape(each)}</li>" for each in advice(totals))
    kind = "verdict bound" if is_input_bound(totals) else "verdict"
    return f'<div class="{kind}"><b>{escape(verdict(totals))}</b><ul>{items}</ul></div>'


def _cards(totals: Totals) -> str:
    bound = is_input_bound(totals)
    cards = [
        card(f"{totals.samples_per_second:,.0f}", "samples per second"),
        card(f"{totals.wait_share:.0%}", "of the time the program waited", "orange" if bound else "green"),
        card(milliseconds(totals.data_waited), "a batch waited for the program"),
        card(f"{totals.idle_share:.0%}", f"of the time {totals.pool_threads} threads were idle"),
        card(f"{totals.cpu_share:.0%}", f"of {totals.cores} CPUs used by the process"),
        card(bytes_text(totals.arena_peak), "largest arena of batches"),
        card(bytes_text(totals.peak_bytes), "largest size of the process"),
    ]
    return f'<div class="cards">{"".join(cards)}</div>'


def _program(totals: Totals) -> str:
    """One bar: what the program did with its time."""
    if totals.seconds <= 0:
        return ""
    following = sum(wait.seconds for wait in totals.waits if wait.what.startswith("next "))
    results = max(0.0, totals.waited - following)
    parts = [
        ("working", "grey", totals.seconds - totals.waited),
        ("waiting for the next batch", "orange", following),
        ("waiting for results", "amber", results),
    ]
    bar = "".join(
        _segment(name, f"{seconds / totals.seconds:.0%}", colour, seconds / totals.seconds, f"{name}: {seconds:.2f} s")
        for name, colour, seconds in parts
        if seconds > 0
    )
    rows = [
        (f"<code>{escape(wait.what)}</code>", f"<code>{escape(wait.place)}</code>", f"{wait.times:,}",
         milliseconds(wait.seconds / max(wait.times, 1)), _metered(wait.seconds / totals.seconds, "orange"))
        for wait in totals.waits[:8]
    ]  # fmt: skip
    below = _table(("waited for", "line", "times", "each", "of the time"), rows, text=2) if rows else ""
    return f'<h2>The program</h2><div class="bar">{bar}</div>{below}'


def _flame(totals: Totals) -> str:
    """Stages above, the steps inside of them below, as wide as the time that threads spent in them."""
    stages, steps = [], []
    for stage in sorted(totals.stages, key=lambda stage: -totals.share(stage.steps)):
        share = totals.share(stage.steps)
        if share < _SMALLEST:
            continue
        name = " + ".join(stage.operators)
        tip = f"{name}: {stage.runs} runs, {stage.samples:,} samples, {milliseconds(stage.seconds / stage.runs)} each"
        stages.append(_segment(name, f"{share:.0%}", "well", share, tip))
        for step in stage.steps:
            share = totals.share([step])
            tip = f"{step.operator} at {step.place}\n{step.line}\n{WAYS[step.way].legend}, {share:.1%} {_whose(totals)}"
            said = f"{share:.0%}  {_file(step.place)}"
            steps.append(_segment(step.operator, said, _COLOURS.get(step.way, "grey"), share, tip))
    ways = dict.fromkeys(step.way for step in totals.steps)
    legend = "".join(
        f'<span><i style="background: var(--{_COLOURS.get(way, "grey")})"></i>{escape(WAYS[way].legend)}</span>'
        for way in ways
    )
    return (
        f"<h2>Where {_whose(totals).removeprefix('of ')} went</h2>"
        f'<div class="flame"><div class="bar stages">{"".join(stages)}</div>'
        f'<div class="bar">{"".join(steps)}</div></div>'
        f'<div class="legend"><span>above: stages, below: their steps</span>{legend}</div>'
    )


def _whose(totals: Totals) -> str:
    return "of the threads' CPU time" if totals.is_contended else "of the threads' time"


def _steps(totals: Totals) -> str:
    rows = [_step_row(step, totals.share([step])) for step in totals.heaviest_first[:_MOST_STEPS]]
    return _table(("step", "line", f"share {_whose(totals)}", "per sample", "CPU"), rows, text=2)


def _step_row(step: StepTotal, share: float) -> tuple[str, ...]:
    samples = max(step.samples, 1)
    line = f'<br><span class="muted code">{escape(step.line)}</span>' if step.line else ""
    return (
        f"<b>{_operator(step.operator)}</b>",
        f"<code>{escape(_file(step.place))}</code>{line}",
        _metered(share, _COLOURS.get(step.way, "grey")),
        milliseconds(step.seconds / samples),
        milliseconds(step.cpu / samples),
    )


def _charts(totals: Totals) -> str:
    charts = []
    if len(totals.rates) > 1:
        top = max(rate for _, rate in totals.rates)
        charts.append(
            _chart("Samples per second", f"up to {top:,.0f}", totals.rates, top, totals.seconds, "green", steps=True)
        )
    for queue in totals.queues:
        taken = max(queue.takes, 1)
        said = (
            f"{queue.ready / taken:.1f} of {queue.depth} ready on average, empty {queue.empty / taken:.0%} of the times"
        )
        points = [(point.at, float(point.ready)) for point in queue.points]
        name = f"Queue: {queue.name}"
        charts.append(_chart(name, said, points, queue.depth, totals.seconds, "blue", steps=True))
    if len(totals.memory) > 1:
        peak = totals.arena_peak
        points = [(point.at, float(point.live + point.kept)) for point in totals.memory]
        charts.append(_chart("Arena of batches", f"up to {bytes_text(peak)}", points, peak, totals.seconds, "violet"))
    return f'<h2>Over time</h2><div class="charts">{"".join(charts)}</div>' if charts else ""


def _chart(
    title: str,
    said: str,
    points: Sequence[tuple[float, float]],
    top: float,
    seconds: float,
    colour: str,
    steps: bool = False,
) -> str:
    width, height = 600.0, 100.0
    scale_x, scale_y = width / max(seconds, 1e-9), (height - 8) / max(top, 1e-9)
    placed = [(at * scale_x, height - value * scale_y) for at, value in points]
    way = f"M{placed[0][0]:.1f} {placed[0][1]:.1f}" if placed else "M0 0"
    for x, y in placed[1:]:
        way += f" H{x:.1f} V{y:.1f}" if steps else f" L{x:.1f} {y:.1f}"
    last, first = (placed[-1][0], placed[0][0]) if placed else (0.0, 0.0)
    return (
        f'<div class="chart"><h3>{escape(title)}</h3><p class="muted">{escape(said)}</p>'
        f'<svg viewBox="0 0 600 100" preserveAspectRatio="none" role="img" aria-label="{escape(title)}">'
        f'<path d="{way} L{last:.1f} 100 L{first:.1f} 100 Z" style="fill: var(--{colour}); opacity: 0.25"/>'
        f'<path d="{way}" style="fill: none; stroke: var(--{colour}); stroke-width: 1.6" '
        'vector-effect="non-scaling-stroke"/></svg>'
        f'<div class="axis"><span>0</span><span>{seconds:.3g} s</span></div></div>'
    )


def _readers(totals: Totals) -> str:
    rows = []
    for reader in totals.readers:
        seconds = max(reader.seconds, 1e-9)
        asked = reader.cached + reader.fetched
        rows.append(
            (
                f"<b>{escape(reader.name)}</b>",
                f"<code>{escape(_file(reader.place))}</code>",
                f"{reader.samples:,}",
                bytes_text(reader.bytes),
                f"{bytes_text(int(reader.bytes / seconds))}/s",
                _metered(reader.waited / seconds, "teal"),
                f"{reader.cached / asked:.0%}" if asked else "-",
            )
        )
    head = ("reader", "line", "samples", "read", "while reading", "I/O wait", "from the cache")
    return "<h2>Readers</h2>" + _table(head, rows, text=2) if rows else ""


def _threads(totals: Totals) -> str:
    rows = [
        (escape(thread.name), _metered(thread.busy / totals.seconds, "blue"), f"{thread.cpu:.2f} s")
        for thread in totals.threads
        if totals.seconds > 0
    ]
    return "<h2>Threads</h2>" + _table(("thread", "busy", "CPU"), rows, text=1) if rows else ""


def _slowest(totals: Totals) -> str:
    rows = [
        (f"<code>{escape(slow.source)}</code>", f"<span class='muted'>{escape(' + '.join(slow.operators))}</span>",
         milliseconds(slow.seconds))
        for slow in totals.slowest
    ]  # fmt: skip
    return "<h2>Slowest samples</h2>" + _table(("file", "in", "took"), rows, text=2) if rows else ""


def _segment(name: str, said: str, colour: str, share: float, tip: str) -> str:
    kind = f"{colour} thin" if share < 0.03 else colour
    words = "" if share < 0.03 else f"{escape(name)}<small>{escape(said)}</small>"
    return (
        f'<div class="{kind}" style="flex: {max(share, 1e-4):.4f} 1 0; background: var(--{colour})" '
        f'title="{escape(tip)}">{words}</div>'
    )


def _metered(share: float, colour: str) -> str:
    width = min(100.0, 100 * share)
    return f"{share:.0%}<span class='meter'><div style='width: {width:.1f}%; background: var(--{colour})'></div></span>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], text: int) -> str:
    """A table whose first `text` columns hold words, the others numbers. Cells are HTML."""

    def cells(tag: str, row: Sequence[str]) -> str:
        kinds = [("line" if at else "file") if at < text else "number" for at in range(len(row))]
        return "".join(f'<{tag} class="{kind}">{cell}</{tag}>' for kind, cell in zip(kinds, row, strict=True))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{cells("th", head)}</tr></thead><tbody>{body}</tbody></table></div>'


def _operator(name: str) -> str:
    """The name of an operator, which a narrow column may break between its words only."""
    return re.sub(r"([._])", r"\1<wbr>", escape(name))


def _file(place: str) -> str:
    """The name of the file and the line, without folders."""
    return place.replace("\\", "/").rsplit("/", 1)[-1]
