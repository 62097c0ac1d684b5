"""A step of a loop as a page: one row for each call, one column for each sample."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.viz.page import page
from penstock.viz.sheet import Tile, data_url, thumbnail
from penstock.viz.steps import Step
from penstock.viz.svg import escape

_SIDE = 208

_STYLE = """
body { max-width: none; }
.step { margin: 1.1rem 0; padding: 0.9rem 1rem 1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 12px; }
.step header { display: flex; flex-wrap: wrap; gap: 0.1rem 0.9rem; align-items: baseline; margin-bottom: 0.6rem; }
.step h2 { margin: 0; font-size: 1.05rem; }
.step h2 i { display: inline-grid; place-items: center; width: 1.55em; height: 1.55em; margin-right: 0.45em;
  border-radius: 50%; background: var(--blue); color: var(--paper); font: 600 0.8em system-ui, sans-serif; }
.step.source h2 i { background: var(--grey); }
.step .spec { color: var(--muted); font-size: 0.87em; }
.step code { flex-basis: 100%; overflow-wrap: anywhere; }
.step code .where { color: var(--muted); }
.row { display: grid; grid-template-columns: repeat(var(--samples), minmax(0, 1fr)); gap: 0.7rem; max-width: 84rem; }
.shot { aspect-ratio: 4 / 3; border-radius: 7px; background: var(--panel) center / contain no-repeat; outline: none;
  background-image: var(--after); border: 2px solid transparent; }
.shot[tabindex]:hover, .shot[tabindex]:focus { background-image: var(--before); border-color: var(--orange); }
.shot.none { display: grid; place-items: center; color: var(--muted); font-size: 0.8em; }
.row figcaption { padding-top: 0.25rem; font-size: 0.78em; line-height: 1.35; color: var(--muted);
  overflow-wrap: anywhere; }
.row.before { margin-bottom: 0.4rem; } .row.before .shot { aspect-ratio: 4 / 1.6; opacity: 0.8; }
@media (max-width: 40rem) {
  .step { padding: 0.7rem; }
  .row { gap: 0.4rem; grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .row figure:nth-child(n+4) { display: none; }
}
"""


def steps_page(steps: Sequence[Step], title: str, others: Sequence[str], more: str = "") -> str:
    """The page. Pictures are written once and used twice: after their step, and before the next."""
    images = [
        f"--p{row}-{column}: url({data_url(thumbnail(Tile(picture.frames), _SIDE))});"
        for row, step in enumerate(steps)
        for column, picture in enumerate(step.pictures)
        if picture is not None
    ]
    samples = 1 + max(
        (k for step in steps for k, picture in enumerate(step.pictures) if picture is not None), default=0
    )
    body = [f'<div style="--samples: {samples}">']
    body += [*(_section(steps, row, samples) for row in range(len(steps))), "</div>"]
    if others:
        listed = ", ".join(f"<code>{escape(each)}</code>" for each in others)
        body.append(f'<p class="muted">Numbers, not shown: {listed}</p>')
    if more:
        body.append(f'<p class="muted">{escape(more)}</p>')
    subtitle = (
        "One row for each call, one column for each sample. Rest the pointer on a picture to see it before the call; "
        "small pictures are what a call was given where that is not the row above."
    )
    return page(title, "\n".join(body), subtitle, _STYLE + ":root { " + "\n".join(images) + " }")


def _section(steps: Sequence[Step], row: int, samples: int) -> str:
    """A call with its samples; a batch may have fewer than were asked for."""
    step = steps[row]
    name = step.operator or "read"
    number = sum(bool(each.operator) for each in steps[: row + 1])
    mark = str(number) if step.operator else "·"
    head = [f'<h2><i>{mark}</i>{escape(name)}</h2><span class="spec">{escape(step.spec)}</span>']
    origins = sorted({k for k in step.before if k is not None})
    apart = bool(origins) and origins != [row - 1]
    if apart:
        head.append(f'<span class="spec">from {escape(", ".join(_named(steps, k) for k in origins))}</span>')
    if step.arguments:
        head.append(f'<span class="spec">{escape(step.arguments)}</span>')
    if step.code:
        head.append(f'<code><span class="where">{escape(step.where)}</span> {escape(step.code)}</code>')
    columns = range(min(samples, len(step.pictures)))
    earlier = f'<div class="row before">{"".join(_before(steps, row, k) for k in columns)}</div>' if apart else ""
    shots = "".join(_shot(steps, row, column) for column in columns)
    kind = "step" if step.operator else "step source"
    return f'<section class="{kind}"><header>{"".join(head)}</header>{earlier}<div class="row">{shots}</div></section>'


def _named(steps: Sequence[Step], row: int) -> str:
    number = sum(bool(each.operator) for each in steps[: row + 1])
    return f"{number} {steps[row].operator}" if steps[row].operator else "what was read"


def _before(steps: Sequence[Step], row: int, column: int) -> str:
    """A sample before a call whose input is not what the row above shows."""
    step = steps[row].before[column]
    if step is None or steps[row].pictures[column] is None:
        return "<figure></figure>"
    return f'<figure><div class="shot" style="--after: var(--p{step}-{column})"></div></figure>'


def _shot(steps: Sequence[Step], row: int, column: int) -> str:
    step = steps[row]
    said = f"<figcaption>{escape(step.captions[column])}</figcaption>" if step.captions[column] else ""
    if step.pictures[column] is None:
        return f'<figure><div class="shot none">not in this branch</div>{said}</figure>'
    before = step.before[column]
    style = f"--after: var(--p{row}-{column})"
    flips = ""
    if before is not None and steps[before].pictures[column] is not None:
        style += f"; --before: var(--p{before}-{column})"
        flips = ' tabindex="0"'
    label = f"sample {column} after {step.operator or 'reading'}"
    shot = f'<div class="shot"{flips} role="img" aria-label="{escape(label)}" style="{style}"></div>'
    return f"<figure>{shot}{said}</figure>"
