"""What the site has that docs/ does not: pages of other files, whole folders in the navigation, drawings, llms.txt.

MkDocs calls the functions named `on_...`; mkdocs.yml names this file.
"""

from __future__ import annotations

import posixpath
import re
import textwrap
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from penstock.viz.palette import DARK, LIGHT
from penstock.viz.svg import STYLE

ROOT = Path(__file__).resolve().parent.parent.parent
# Files outside of docs/ that are pages too, by their place on the site.
DOCUMENTS = {name: ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")}
EXAMPLES = {f"examples/{path.stem}.md": path for path in sorted((ROOT / "examples").glob("*.py"))}
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!\w+:|#)([^)\s#]+)(#[^)\s]*)?\)")
WRITTEN_BY = re.compile(r"\A<!--.*?-->\s*", re.S)  # before the title, which MkDocs would not find
DRAWING = re.compile(r'<img[^>]*?src="([^"]*drawings/([\w-]+)\.svg)"[^>]*>')


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Folders in the navigation become their pages."""
    config.nav = [_expanded(item) for item in config.nav or []]
    return config


def _expanded(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    [(title, inside)] = item.items()
    if isinstance(inside, list):
        return {title: [_expanded(each) for each in inside]}
    return {title: _pages_of(inside)} if inside.endswith("/") else item


def _pages_of(folder: str) -> list[Any]:
    """A folder's index, then the pages that it links to, in sections where they stand under headings."""
    if folder == "examples/":
        return [{path.stem.replace("_", " ").capitalize(): page} for page, path in EXAMPLES.items()]
    pages: list[Any] = [f"{folder}index.md"]
    for part in re.split(r"^## ", (ROOT / "docs" / folder / "index.md").read_text(), flags=re.M):
        linked = dict.fromkeys(re.findall(r"^\|[^|\n]*\[[^\]]+\]\(([^)/]+\.md)\)", part, flags=re.M))
        listed = [f"{folder}{name}" for name in linked]
        headed = part.partition("\n")[0] if len(pages) > 1 or not part.startswith(("#", "<")) else ""
        if listed:
            pages += [{headed: listed}] if headed and folder == "ops/" else listed
    return pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for page, path in DOCUMENTS.items():
        files.append(File.generated(config, page, content=path.read_text()))
    for page, path in EXAMPLES.items():
        files.append(File.generated(config, page, content=_example(path)))
    return files


def _example(path: Path) -> str:
    """A program and what it says of itself."""
    source = path.read_text()
    _, said, code = source.split('"""', 2)
    title = path.stem.replace("_", " ").capitalize()
    return f'# {title}\n\n{textwrap.dedent(said).strip()}\n\n```python title="{path.name}"\n{code.strip()}\n```\n'


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links that lead out of docs/, and those of files outside of it, lead to where the site has their targets."""
    written_in = ROOT if page.file.src_uri in DOCUMENTS else (ROOT / "docs" / page.file.src_uri).parent
    places = {path: page for page, path in (DOCUMENTS | EXAMPLES).items()}

    def moved(found: re.Match[str]) -> str:
        text, link, anchor = found.groups()
        target = Path(posixpath.normpath(written_in / link))
        if target in places:
            place = places[target]
        elif target.is_relative_to(ROOT / "docs"):
            place = target.relative_to(ROOT / "docs").as_posix()
            if target.is_dir():
                place += "/index.md"
        else:
            return text  # a file that the site does not have
        relative = posixpath.relpath(place, posixpath.dirname(page.file.src_uri) or ".")
        return f"[{text}]({relative}{anchor or ''})"

    return LINK.sub(moved, WRITTEN_BY.sub("", markdown))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Drawings become part of the page, so that they change their colours with it.

    An upright bar in a cell of a table is written with a backslash, which Python-Markdown leaves in code.
    """
    html = re.sub(r"<code>[^<]*</code>", lambda found: found[0].replace("\\|", "|"), html)
    return DRAWING.sub(lambda found: _inline(found[2]), html)


def _inline(name: str) -> str:
    drawn = (ROOT / f"docs/drawings/{name}.svg").read_text()
    drawn = re.sub(r"<style>.*?</style>", "", drawn, flags=re.S)
    return drawn.replace("<svg ", '<svg class="drawing" ', 1)


def on_post_build(config: MkDocsConfig) -> None:
    """The palette, and the colours of drawings, in the light and in the dark."""
    light, _, dark = STYLE.partition("@media (prefers-color-scheme: dark) {")
    dark = dark.rpartition("}")[0]
    rules = f"svg.drawing {{{light}}}\n[data-md-color-scheme=slate] svg.drawing {{{dark}}}\n"
    for scheme, theme in (("default", LIGHT), ("slate", DARK)):
        named = " ".join(f"--{name}: {colour};" for name, colour in theme._asdict().items())
        rules += f'[data-md-color-scheme="{scheme}"] {{ {named} }}\n'
    style = Path(config.site_dir, "assets/site.css")
    style.write_text(style.read_text() + "\n" + rules)


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    global _navigation
    _navigation = nav
    return nav


_navigation: Navigation


def on_env(env: Any, config: MkDocsConfig, files: Files) -> Any:
    """llms.txt lists the pages for programs that read: each is there as Markdown, too."""
    site = Path(config.site_dir)
    lines = [f"# {config.site_name}", "", f"> {config.site_description}", ""]
    for section in _navigation.items:
        if isinstance(section, Section):
            lines += [f"## {section.title}", "", *_listed(section, site), ""]
    (site / "llms.txt").write_text("\n".join(lines))
    return env


def _listed(section: Section, site: Path) -> list[str]:
    lines = []
    for item in section.children:
        if isinstance(item, Section):
            lines += _listed(item, site)
        elif isinstance(item, Page) and item.markdown is not None:
            copy = site / item.file.src_uri
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(item.markdown)
            lines.append(f"- [{item.title}]({item.file.src_uri}): {_first_sentence(item.markdown)}")
    return lines


def _first_sentence(markdown: str) -> str:
    """Of the first paragraph that is plain text."""
    for paragraph in markdown.split("\n\n"):
        plain = " ".join(paragraph.split())
        if plain and plain[0] not in "#<|`!-:>":
            return re.split(r"(?<=[.?]) ", plain)[0]
    return ""
