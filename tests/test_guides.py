"""The Python of the guides runs, page by page as in a notebook, and prints or raises what the page says.

A page is run in a folder where `penstock demo` has left its pictures. A block of text right below one of Python is
what that prints, or the end of the error it raises; `...` stands for anything. Where its title is "for example", as
with measurements, only the first words of its lines are looked for.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from one_interpreter import Fence, Outcome, block_outcomes, blocks_of, fences_of

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
GUIDES = [DOCS / "index.md", *sorted(DOCS.glob("guides/*.md"))]
every_guide = pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, list[Outcome]]:
    copies = []
    for guide in GUIDES:
        folder = tmp_path_factory.mktemp(guide.stem)
        shutil.copytree(ROOT / "src/penstock/cli/assets", folder / "demo/photos")
        copies.append(Path(shutil.copy(guide, folder)))
    return dict(zip(GUIDES, block_outcomes(copies, PENSTOCK_NUM_THREADS="2"), strict=True))


def shown_by(text: str) -> list[Fence | None]:
    """What a page shows right below each of its blocks of Python."""
    shown: list[Fence | None] = []
    for fence in fences_of(text):
        if fence.language == "python":
            shown.append(None)
        elif fence.language == "text" and fence.below_python:
            shown[-1] = fence
    return shown


def prints(shown: Fence, printed: str) -> bool:
    """Whether a block of text shows what was printed."""
    if shown.title != "for example":
        return agrees(shown.code, printed)
    return first_words(shown.code) <= first_words(printed)


def first_words(text: str) -> set[str]:
    """The words that lines begin with, without figures. On another machine a verdict may be the opposite."""
    return set(re.findall(r"^ *(?:not )?([^\s\d]\S*)", text, re.M))


def agrees(shown: str, really: str) -> bool:
    """Whether it is all that was printed, or the end of an error."""
    before = r"(?:.*\n)?" if is_error(shown) else ""
    return (
        re.fullmatch(before + ".*?".join(map(re.escape, shown.strip().split("..."))), really.strip(), re.S) is not None
    )


def is_error(shown: str) -> bool:
    return re.match(r"[\w.]*(Error|Exception|Warning)\b", shown) is not None


@every_guide
def test_a_guide_does_what_it_says(guide: Path, made: dict[Path, list[Outcome]]) -> None:
    text = guide.read_text()
    blocks = zip(blocks_of(text), shown_by(text), made[guide], strict=True)
    for block, shown, outcome in blocks:
        if shown and is_error(shown.code):
            assert agrees(shown.code, outcome.error), f"{block}\n{outcome.error}"
        else:
            assert not outcome.error, f"{block}\n{outcome.error}"
            assert shown is None or prints(shown, outcome.printed), f"{block}\n{outcome.printed}"


def test_what_a_guide_shows_is_compared(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 3\nprint(x)\n```\n\n```text\n3\n```\n\n```python\nraise ValueError(x)\n```\n")
    [[first, second]] = block_outcomes([page])
    assert shown_by(page.read_text()) == [Fence("text", "", "3\n", True), None]
    assert agrees("3", first.printed)
    assert not agrees("4", first.printed)
    assert not agrees("3", "2\n3")
    assert agrees("ValueError: ...", second.error)
    assert prints(Fence("text", "for example", "speed 3 ms\n", True), "\nspeed  4 ms\nqueue 2\n")
    assert not prints(Fence("text", "for example", "speed 3 ms\n", True), "queue 2\n")


def test_every_environment_variable_is_explained() -> None:
    files = [*(ROOT / "src/penstock").rglob("*.py"), *(ROOT / "native").rglob("*.[ch]*")]
    sources = "".join(file.read_text() for file in files)
    read = {*re.findall(r"\"((?:PENSTOCK|DALI)_[A-Z_]+)\"", sources)}
    assert read == {*re.findall(r"^\| `(\w+)`", (DOCS / "environment.md").read_text(), re.M)}


class _Site(yaml.SafeLoader):
    """Reads mkdocs.yml without what only MkDocs knows."""


_Site.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: None)


def pages_in(navigation: Any) -> set[str]:
    if isinstance(navigation, str):
        return {navigation}
    inside = navigation.values() if isinstance(navigation, dict) else navigation
    return {page for each in inside for page in pages_in(each)}


def test_every_page_has_its_place_on_the_site() -> None:
    """A folder stands for all of its pages; what lies outside of docs is added by tools/site/hooks.py."""
    named = pages_in(yaml.load((ROOT / "mkdocs.yml").read_text(), _Site)["nav"])
    folders = tuple(page for page in named if page.endswith("/"))
    there = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    outside = {"CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"}
    assert {page for page in there if not page.startswith(folders)} == named - {*folders} - outside
