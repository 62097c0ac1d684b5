"""Pages of HTML in one file: styles and pictures are inside, nothing is fetched, and no script runs."""

from __future__ import annotations

from penstock.viz.palette import variables
from penstock.viz.svg import escape

_STYLE = """
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem clamp(0.8rem, 4vw, 2.5rem) 3rem; max-width: 84rem; background: var(--paper);
  color: var(--ink); font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2.2rem 0 0.8rem; font-size: 1.1rem; }
p { margin: 0.5rem 0; max-width: 46rem; }
.muted { color: var(--muted); }
a { color: var(--blue); }
code, pre, .code { font: 0.87em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { overflow-x: auto; padding: 0.8rem 1rem; background: var(--panel); border: 1px solid var(--line);
  border-radius: 8px; }
figure { margin: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.9rem 0.3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-weight: 600; white-space: nowrap; }
td.number, th.number { text-align: right; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 0.8rem; margin: 1.2rem 0; }
.card { padding: 0.8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.card b { display: block; font-size: 1.45rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.card span { color: var(--muted); font-size: 0.87em; }
@media (max-width: 32rem) { body { padding-top: 1.2rem; } }
"""


def page(title: str, body: str, subtitle: str = "", style: str = "") -> str:
    """A whole page. `title` and `subtitle` are text, `body` is HTML, `style` is CSS for this page alone."""
    below = f'<p class="muted">{escape(subtitle)}</p>\n' if subtitle else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{variables()}{_STYLE}{style}</style></head>\n"
        f"<body>\n<h1>{escape(title)}</h1>\n{below}{body}\n</body></html>\n"
    )


def card(value: str, what: str, colour: str = "ink") -> str:
    """A number that is seen first, and what it counts; `colour` is a name of the palette."""
    return f'<div class="card"><b style="color: var(--{colour})">{escape(value)}</b><span>{escape(what)}</span></div>'
