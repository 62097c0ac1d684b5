"""Figures: in the terminal, in docs/benchmarks.md, and between marks in README and on the first page of the site."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MARKS = ("<!-- benchmarks -->", "<!-- /benchmarks -->")
# The lines that the README shows; docs/benchmarks.md has all.
IN_README = (
    "decode only",
    "train, eager",
    "train, compiled, beside a pipeline of DALI",
    "train, pipeline",
    "RandAugment of 64 images of 480x640, pipeline",
    "one call on a batch of 8, eager, awaited",
    "import",
    "peak memory in val",
    "installed size with dependencies",
)
# Around the figures on the first page of the site, docs/index.md: the line each is of, and what it says beside it.
FRONT_PAGE = ("<!-- figures -->", "<!-- /figures -->")
ON_FRONT_PAGE = {
    "train, compiled, beside a pipeline of DALI": "in a training loop on two cores, where DALI makes {theirs}",
    "one call on a batch of 8, eager, awaited": "for a call that is awaited, batch of 8",
    "peak memory in val": "peak memory of a validation loop",
    "import": "to import; NumPy, OpenCV and cloudpickle are the only dependencies",
}
# Around the table of benchmarks/profile_overhead.py in docs/benchmarks.md, which `make bench` leaves as it is.
OVERHEAD = ("<!-- profile overhead -->", "<!-- /profile overhead -->")
# As OVERHEAD, of benchmarks/lock_held.py.
LOCK = ("<!-- lock held -->", "<!-- /lock held -->")
# As OVERHEAD, of benchmarks/compiled_beside_eager.py.
COMPILED = ("<!-- compiled beside eager -->", "<!-- /compiled beside eager -->")
# As OVERHEAD, of benchmarks/first_epoch.py.
FIRST_EPOCHS = ("<!-- first epochs -->", "<!-- /first epochs -->")
# Figures of which more is better; of the others less is.
RATES = ("images/s", "items/s")


PROFILE_SECTION = """## With a profile on

How much longer loops take inside of `with ndd.profile():`, written by benchmarks/profile_overhead.py: with and without
it in turns, of each the mean of the quarter that took least. Runs differ by 1 to 2 %.
Without a profile nothing is measured: an empty list is tested once per stage, batch and wait.
"""

LOCK_SECTION = """## The interpreter lock

How long threads hold Python's interpreter lock for each image, written by benchmarks/lock_held.py. Decoders and kernels
run without it. The lock keeps so many cores busy that one image's CPU time divided by the time it is held gives; the
speed-up on 64 cores is that of Amdahl's law, were nothing else done while it is held. Other things, such as memory
bandwidth and disks, may well set lower limits: these are bounds on paper. Images of 16x16 pixels take the same Python
code in less time, probably because photos, decoded on the same cores, leave less of the interpreter in the caches.
"""

COMPILED_SECTION = """## Compiled loops beside eager ones

The same loops compiled and call by call, in turns, each in a process of its own, written by
benchmarks/compiled_beside_eager.py: images per second by the clock, the best of all turns and the median. *One core
taken*: another process wants a core all the time.
"""

FIRST_EPOCHS_SECTION = """## First epochs of readers

From making a reader to the end of its first epoch, in a process that has read nothing yet, written by
benchmarks/first_epoch.py. *Warm*: the files are in the system's page cache. *Cold*: their pages have just been dropped
from it, so that the disk is part of what is timed.
"""


class Figure(NamedTuple):
    """What one library reached; `cpu_ms` is CPU time per item, where it says something."""

    value: float | None
    cpu_ms: float | None = None
    error: str = ""


class Line(NamedTuple):
    """A line of the table."""

    title: str
    unit: str
    at_least: float | None
    ours: Figure
    theirs: Figure

    @property
    def failed(self) -> bool:
        return self.ours.value is None or self.theirs.value is None

    @property
    def ratio(self) -> float | None:
        """How many times better penstock is."""
        if self.ours.value is None or self.theirs.value is None:
            return None
        more_is_better = self.unit in RATES
        return self.ours.value / self.theirs.value if more_is_better else self.theirs.value / self.ours.value

    @property
    def cpu_ratio(self) -> float | None:
        return self.theirs.cpu_ms / self.ours.cpu_ms if self.ours.cpu_ms and self.theirs.cpu_ms else None


def best(answers: list[dict[str, Any]], unit: str, with_cpu: bool) -> Figure:
    """The best of several runs, wall-clock and CPU time each by itself."""
    errors = [answer["error"] for answer in answers if "error" in answer]
    if errors:
        return Figure(None, error=errors[0])
    if "value" in answers[0]:
        scale = 1e6 if unit == "MB" else 1
        return Figure(min(answer["value"] for answer in answers) / scale)
    seconds = min(answer["wall"] / answer["items"] for answer in answers)
    cpu_ms = 1e3 * min(answer["cpu"] / answer["items"] for answer in answers)
    return Figure(1 / seconds if unit in RATES else 1e6 * seconds, cpu_ms if with_cpu else None)


def as_text(line: Line) -> str:
    ours, theirs, ratio = _cells(line)
    cpu = f"CPU ms {_cpu(line.ours):>7} {_cpu(line.theirs):>7} {times(line.cpu_ratio):>7}"
    errors = "".join(f"\n    {figure.error}" for figure in (line.ours, line.theirs) if figure.error)
    return f"{line.title:<56}{ours:>16} {theirs:>16} {ratio:>7} {_goal(line):>8}  {cpu}{errors}"


def markdown(lines: list[Line]) -> str:
    """The whole table."""
    head = ("", "penstock", "DALI", "ratio", "goal", "CPU ms per item", "DALI's", "ratio")
    rows = [
        (line.title, *_cells(line), _goal(line), _cpu(line.ours), _cpu(line.theirs), times(line.cpu_ratio))
        for line in lines
    ]
    return markdown_table(head, rows)


def readme_table(lines: list[Line]) -> str:
    return markdown_table(("", "penstock", "DALI", "ratio"), [(line.title, *_cells(line)) for line in lines])


def front_page_figures(lines: list[Line]) -> str:
    by_title = {line.title: line for line in lines}
    cards = []
    for title, text in ON_FRONT_PAGE.items():
        ours, theirs, _ = _cells(by_title[title])
        cards.append(f"<div markdown>**{ours}** {text.format(theirs=theirs.split()[0])}</div>")
    return "\n".join(['<div class="figures" markdown>', *cards, "</div>"])


def _cells(line: Line) -> tuple[str, str, str]:
    return _value(line.ours, line.unit), _value(line.theirs, line.unit), times(line.ratio)


def markdown_table(head: tuple[str, ...], rows: list[tuple[str, ...]], left: int = 1) -> str:
    """A table whose first `left` columns hold text, the others numbers."""
    rule = (*["---"] * left, *["--:"] * (len(head) - left))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def write(lines: list[Line], threads: int, rounds: int) -> None:
    """Writes docs/benchmarks.md, and the figures of README and of the site's first page."""
    page = ROOT / "docs/benchmarks.md"
    others = (OVERHEAD, LOCK, COMPILED, FIRST_EPOCHS)
    overhead, lock, compiled, firsts = (_between(marks, page.read_text()) for marks in others)
    page.write_text(
        f"""<!-- Written by `make bench`: edit benchmarks/report.py. -->

# Benchmarks

Written by `make bench DIR=...` (benchmarks/compare.py) on {machine()}.
Both libraries on the same folder of photos, {threads} threads each, in turns, best of {rounds}. A ratio above 1 means
penstock is better; the goal is what it must reach. Runs are timed right behind one that is not, so that what was made
ahead is as much at the start as at the end. CPU time counts all threads of the process and is steadier than the
clock on a shared machine.

{markdown(lines)}

- *val*: decode, resize to 224x224, normalise to float CHW. *train*: decode a random crop, resize, mirror, normalise.
  Batches of 64, each handed to PyTorch.
- *One call* is the mean of flip, cast and add on a batch of eight 4x4 images. Such short runs are repeated six times
  as often as the others, those on small arrays three times, because their best takes longer to settle.
- *Import* is timed inside a fresh process; *import to first val batch* does not count importing PyTorch.
- *Peak memory* is the largest resident size of a fresh process that runs val twice and never imports PyTorch.

{PROFILE_SECTION}
{OVERHEAD[0]}{overhead}{OVERHEAD[1]}

{LOCK_SECTION}
{LOCK[0]}{lock}{LOCK[1]}

{COMPILED_SECTION}
{COMPILED[0]}{compiled}{COMPILED[1]}

{FIRST_EPOCHS_SECTION}
{FIRST_EPOCHS[0]}{firsts}{FIRST_EPOCHS[1]}
"""
    )
    replace(ROOT / "README.md", MARKS, readme_table([line for line in lines if line.title in IN_README]))
    replace(ROOT / "docs/index.md", FRONT_PAGE, front_page_figures(lines))


def put(marks: tuple[str, str], table: str) -> None:
    """Puts the table of another benchmark, in batches of 64, between its marks in docs/benchmarks.md."""
    replace(ROOT / "docs/benchmarks.md", marks, f"On {machine()}, batches of 64.\n\n{table}")


def replace(page: Path, marks: tuple[str, str], shown: str) -> None:
    """Puts something between the marks of a page."""
    text = page.read_text()
    page.write_text(text.replace(marks[0] + _between(marks, text) + marks[1], f"{marks[0]}\n{shown}\n{marks[1]}"))


def _between(marks: tuple[str, str], text: str) -> str:
    return text.split(marks[0])[1].split(marks[1])[0]


def machine() -> str:
    names = [line.split(":")[1].strip() for line in _cpuinfo() if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()} with {os.cpu_count()} cores"


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []


def _value(figure: Figure, unit: str) -> str:
    if figure.value is None:
        return "failed"
    return f"{figure.value:,.0f} {unit}" if figure.value >= 100 else f"{figure.value:.3g} {unit}"


def times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}x"


def _goal(line: Line) -> str:
    return "" if line.at_least is None else f"{line.at_least:g}x"


def _cpu(figure: Figure) -> str:
    return "" if figure.cpu_ms is None else f"{figure.cpu_ms:.3g}"
