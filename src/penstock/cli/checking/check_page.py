"""The report of a check as a page of HTML, with thumbnails of what is bad or odd."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import penstock.dynamic as ndd
from penstock.cli.checking.archives import ARCHIVES, read_member
from penstock.cli.checking.coco_report import COCO
from penstock.cli.checking.file_report import FileReport
from penstock.cli.checking.findings import Findings
from penstock.cli.checking.media_report import SOUNDS, VIDEOS
from penstock.engine.explanation import counted
from penstock.ops.decode import opencv
from penstock.ops.decode.headers import format_of
from penstock.video import VideoFile
from penstock.viz.page import card, page
from penstock.viz.pixels import bytes_text, curve
from penstock.viz.progress import duration
from penstock.viz.sheet import Tile, data_url, thumbnail
from penstock.viz.svg import escape

Array = np.ndarray[Any, Any]

_BAD_SHOWN, _ODD_SHOWN, _DUPLICATES_SHOWN, _NAMED = 48, 6, 12, 500
_CLASSES_SHOWN = 40
_SIDE = 176
_END_OF_JPEG = np.frombuffer(b"\xff\xd9", np.uint8)

_STYLE = """
.thumbs { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 0.9rem; }
.thumbs figure { min-width: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  overflow: hidden; }
.thumbs img, .thumbs .none { display: block; width: 100%; height: 8rem; object-fit: contain; background: var(--panel); }
.thumbs .none { display: grid; place-items: center; color: var(--muted); font-size: 0.87em; }
.thumbs figcaption { padding: 0.45rem 0.6rem 0.6rem; font-size: 0.8em; line-height: 1.4; overflow-wrap: anywhere; }
.thumbs .name { font-weight: 600; }
.tag { display: inline-block; padding: 0 0.5em; border-radius: 1em; font-size: 0.8em; line-height: 1.6;
  font-weight: 600; white-space: nowrap; color: var(--paper); background: var(--red); }
.tag.odd { background: var(--blue); } .tag.twice { background: var(--violet); }
.bars { display: grid; grid-template-columns: max-content minmax(4rem, 1fr) max-content; gap: 0.25rem 0.7rem;
  align-items: center; font-size: 0.9em; font-variant-numeric: tabular-nums; max-width: 46rem; }
.bars .name { max-width: 13rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bars .bar { height: 0.85rem; border-radius: 3px; background: var(--blue); min-width: 1px; }
.bars .bar.few { background: var(--orange); }
.bars .number { text-align: right; color: var(--muted); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 0 3rem; }
details { margin: 0.8rem 0; } summary { cursor: pointer; color: var(--muted); }
.none-found { color: var(--green); font-weight: 600; }
"""


def check_page(findings: Findings, title: str, lists: str) -> str:
    """The whole page. `lists` says where the lists are and how readers take them."""
    reports = findings.reports
    size = sum(report.size for report in reports)
    odd = len({k for numbers in findings.odd.values() for k in numbers})
    cards = [
        card(f"{len(reports):,}", f"files, {bytes_text(size)}"),
        card(f"{len(reports) - findings.bad_count:,}", "can be decoded", "green"),
        card(f"{findings.bad_count:,}", "cannot", "red" if findings.bad_count else "muted"),
        card(f"{odd:,}", "are odd", "blue" if odd else "muted"),
        card(f"{len(findings.spare):,}", "are there twice", "violet" if findings.duplicates else "muted"),
    ]
    body = [
        f'<div class="cards">{"".join(cards)}</div>',
        f"<p>{escape(_formats(findings))}</p>",
        f"<pre>{escape(lists)}</pre>",
        _bad(findings),
        f'<div class="pair">{_classes(findings)}{_sides(findings)}</div>',
        _duplicates(findings),
        _odd(findings),
    ]
    subtitle = f"Checked in {duration(findings.seconds)} by penstock check"
    return page(title, "\n".join(filter(None, body)), subtitle, _STYLE)


def _formats(findings: Findings) -> str:
    said = ", ".join(f"{count:,} {name}" for name, count in findings.formats().items())
    ignored = findings.dataset.ignored
    others = f"; not looked at: {counted(ignored, 'file')} of other kinds" if ignored else ""
    return f"{said}{others}."


def _bad(findings: Findings) -> str:
    if not findings.bad:
        return '<h2>Bad files</h2><p class="none-found">Every file can be decoded.</p>'
    numbers = [k for kind in findings.bad.values() for k in kind]
    counts = ", ".join(f"{len(kind):,} {problem}" for problem, kind in findings.bad.items())
    figures = "".join(_figure(findings, k, [findings.reports[k].problem], "") for k in numbers[:_BAD_SHOWN])
    rest = _named(findings, numbers[_BAD_SHOWN:])
    return f'<h2>Bad files</h2><p class="muted">{escape(counts)}</p><div class="thumbs">{figures}</div>{rest}'


def _duplicates(findings: Findings) -> str:
    if not findings.duplicates:
        return ""
    conflicts = findings.conflicts
    groups = [*conflicts, *(group for group in findings.duplicates if group not in conflicts)]
    names = findings.dataset.names
    figures = "".join(
        _figure(findings, group[0], [f"{len(group)} times"], "twice", [names[k] for k in group[1:6]])
        for group in groups[:_DUPLICATES_SHOWN]
    )
    told = f"{counted(len(groups), 'group')} of files with the same bytes"
    told += f", {len(conflicts):,} of them across classes, where at least one label is wrong" if conflicts else ""
    return f'<h2>Duplicates</h2><p class="muted">{told}</p><div class="thumbs">{figures}</div>' + _named(
        findings, [k for group in groups[_DUPLICATES_SHOWN:] for k in group]
    )


def _odd(findings: Findings) -> str:
    """What the words mean, then a few files of every kind, each once, with all words that hold for it."""
    if not findings.odd:
        return ""
    kinds = sorted(findings.odd.items(), key=lambda item: -len(item[1]))
    rows = "".join(
        f'<tr><td><span class="tag odd">{escape(kind)}</span></td><td class="number">{len(numbers):,}</td>'
        f"<td>{escape(_MEANINGS[kind])}</td></tr>"
        for kind, numbers in kinds
    )
    shown = list(dict.fromkeys(k for _, numbers in kinds for k in numbers[:_ODD_SHOWN]))
    figures = "".join(_figure(findings, k, findings.reports[k].odd, "odd") for k in shown)
    rest = sorted({k for _, numbers in kinds for k in numbers} - {*shown})
    return (
        f'<h2>Odd files</h2><div class="wide"><table>{rows}</table></div><br>'
        f'<div class="thumbs">{figures}</div>{_named(findings, rest)}'
    )


_MEANINGS = {
    "CMYK": "four inks, converted to RGB when decoded",
    "EXIF-turned": "decoded upright, unless adjust_orientation=False",
    "16-bit": "8 bits are left, unless dtype=ndd.uint16",
    "animated": "or of several pages; the first picture is decoded",
    "huge": "more than 50 million pixels",
    "tiny": "a side of less than 32 pixels",
    "grey": "one channel, three equal ones when decoded",
    "transparent": "the last channel is dropped when decoded",
    "silent": "nothing but zeros",
    "short": "a sound of less than a tenth of a second",
    "variable rate": "frames are not equally far apart",
    "turned": "the file asks players to turn the picture",
    "not finite": "an array with NaN or infinity in it",
    "wrong suffix": "of another format than the name says; decoded by its content",
}


def _classes(findings: Findings) -> str:
    balance = findings.balance()
    if not balance:
        return ""
    counts = sorted(balance.values())
    told = (
        f"{len(counts):,} classes of {counts[0]:,} to {counts[-1]:,} files, {counts[len(counts) // 2]:,} in the middle"
    )
    shown = balance
    if len(balance) > _CLASSES_SHOWN:
        ranked = sorted(balance.items(), key=lambda item: item[1])
        half = _CLASSES_SHOWN // 2
        shown = dict([*ranked[:half], (f"… {len(ranked) - 2 * half:,} more …", 0), *ranked[-half:]])
    few = counts[len(counts) // 2] / 2
    return f'<div><h2>Classes</h2><p class="muted">{told}</p>{_bars(shown, few)}</div>'


def _sides(findings: Findings) -> str:
    sides = findings.sides()
    used = [k for k, count in enumerate(sides.values()) if count]
    if not used:
        return ""
    shown = dict([*sides.items()][used[0] : used[-1] + 1])
    return f'<div><h2>Shorter side</h2><p class="muted">in pixels</p>{_bars(shown)}</div>'


def _bars(counts: Mapping[str, int], few: float = 0) -> str:
    most = max(counts.values(), default=0) or 1
    rows = []
    for name, count in counts.items():
        kind = "bar few" if count < few else "bar"
        bar = f'<span class="{kind}" style="width: {100 * count / most:.1f}%"></span>' if count else "<span></span>"
        rows.append(f'<span class="name">{escape(name)}</span>{bar}<span class="number">{count:,}</span>')
    return f'<div class="bars">{"".join(rows)}</div>'


def _named(findings: Findings, numbers: Sequence[int]) -> str:
    """Files that are only named: a list that opens, cut where it would be very long."""
    if not numbers:
        return ""
    names = "\n".join(escape(findings.dataset.names[k]) for k in numbers[:_NAMED])
    rest = f"\n… and {len(numbers) - _NAMED:,} more, in report.json" if len(numbers) > _NAMED else ""
    return f"<details><summary>{len(numbers):,} more</summary><pre>{names}{rest}</pre></details>"


def _figure(findings: Findings, number: int, tags: Sequence[str], kind: str, also: Sequence[str] = ()) -> str:
    report = findings.reports[number]
    facts = [
        f"{report.height}x{report.width}" if report.height else "",
        f"{report.seconds:.1f} s" if report.seconds else "",
        report.format,
        bytes_text(report.size),
    ]
    said = [f'<span class="tag {kind}">{escape(tag)}</span> ' for tag in tags]
    said.append(f'<div class="name">{escape(findings.dataset.names[number])}</div>')
    said += [f"<div>= {escape(name)}</div>" for name in also]
    said.append(f'<div class="muted">{escape(", ".join(filter(None, facts)))}</div>')
    if report.reason:
        said.append(f"<div>{escape(report.reason)}</div>")
    return f"<figure>{_picture(report)}<figcaption>{''.join(said)}</figcaption></figure>"


def _picture(report: FileReport) -> str:
    image = salvaged(report)
    if image is None:
        return '<div class="none">nothing to see</div>'
    return f'<img loading="lazy" alt="" src="{data_url(thumbnail(Tile((image,)), _SIDE))}">'


def salvaged(report: FileReport) -> Array | None:
    """As much of a picture as can be seen, the rest filled; a sound's curve, a video's first frame; else None."""
    suffix = Path(report.path).suffix.lower()
    try:
        if suffix in VIDEOS:
            source = report.path if not report.archive else _bytes(report)
            with VideoFile(source, name="the video") as video:
                return np.asarray(video.read([0])[0])
        data = _bytes(report)
        if data is None or not data.size:
            return None
        if suffix in SOUNDS:
            return curve(np.asarray(ndd.decoders.audio(ndd.tensor(data))[0]).T[0])
    except (OSError, RuntimeError):
        return None
    image_format = format_of(data)
    if image_format is None:
        return None
    try:
        if image_format == "JPEG":
            ended = np.concatenate([data, _END_OF_JPEG])  # after which decoders fill what is missing
            return np.asarray(ndd.decoders.image(ndd.tensor(ended)))
    except RuntimeError:  # a decoder that is less strict may show more
        pass
    try:
        with _quiet():
            return np.ascontiguousarray(opencv.decode(data, cv2.IMREAD_COLOR, image_format)[..., ::-1])
    except RuntimeError:
        return None


def _bytes(report: FileReport) -> Array | None:
    if report.format == COCO:
        return None
    if report.archive:
        return read_member(report.archive, report.path, report.offset, report.size)
    return None if report.format in ARCHIVES.values() else np.fromfile(report.path, np.uint8)


@contextmanager
def _quiet() -> Iterator[None]:
    """Closes standard error for a while: the libjpeg in OpenCV writes there what it thinks of a file."""
    before = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(before, 2)
        os.close(nowhere)
        os.close(before)
