"""What a contributor reads and runs: documents name, and workflows and hooks call, what there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("docs/contributing/*.md"),
        *ROOT.glob("docs/guides/*.md"),
        *ROOT.glob("docs/reference/*.md"),
    ]
)
WORKFLOWS = sorted(ROOT.glob(".github/workflows/*.yml"))
TARGETS = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.M))

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def anchors(page: Path) -> set[str]:
    """The headings of a page as GitHub links to them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text())
    lost = []
    for link in links:
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            lost.append(link)
    assert lost == []


@every_page
def test_make_targets_that_are_named_exist(page: Path) -> None:
    text = page.read_text()
    blocks = "\n".join(re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S))
    named = re.findall(r"`make ([a-z-]+)", text) + re.findall(r"^make ([a-z-]+)", blocks, re.M)
    assert {*named} - TARGETS == set()


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_files_that_are_named_exist(page: str) -> None:
    """A path is below the root, src/penstock or native; a module may have become a folder."""
    named = re.findall(r"`([\w.]+(?:/[\w.]+)+)/?`", (ROOT / page).read_text())
    places = [ROOT, ROOT / "src/penstock", ROOT / "native"]
    lost = [
        name
        for name in named
        if not any((place / name).exists() or (place / f"{name}.py").exists() for place in places)
    ]
    assert named
    assert lost == []


def test_every_folder_has_its_paragraph() -> None:
    text = (ROOT / "docs/architecture.md").read_text()
    package, native = text.split("## The folders of native")
    for part, folder in ((package, ROOT / "src/penstock"), (native, ROOT / "native")):
        names = {path.relative_to(folder).parts[0] for kind in ("*.py", "*.cc", "*.h") for path in folder.rglob(kind)}
        names = {name for name in names if (folder / name).is_dir()}
        assert [name for name in sorted(names) if f"**{name}**" not in part and f"`{name}`" not in part] == []


def commands(workflow: Any) -> list[str]:
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    return [step["run"] for step in steps if "run" in step]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_workflows_call_what_there_is(file: Path) -> None:
    workflow = yaml.safe_load(file.read_text())
    called = [command.split()[1] for command in commands(workflow) if command.startswith("make ")]
    assert {*called} - TARGETS == set()
    assert workflow["permissions"] == {"contents": "read"}


def test_pull_requests_are_checked_and_tested_on_every_python() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text())
    assert "pull_request" in workflow[True]  # YAML takes `on` for a truth value
    assert commands(workflow) == ["make check PYTHON=python", "make test PYTHON=python"]
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == ["3.10", "3.11", "3.12", "3.13", "3.14"]


def test_ci_checks_and_tests() -> None:
    lines = (ROOT / ".ci/run").read_text().splitlines()
    assert lines[-2:] == ["make check", "exec make test"]


def test_hooks_do_what_make_check_does() -> None:
    """By the same tools, from the same environment."""
    [repository] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert repository["repo"] == "local"
    entries = [hook["entry"] for hook in repository["hooks"]]
    assert all(entry.startswith(".venv/bin/") for entry in entries)
    recipe = (ROOT / "Makefile").read_text().partition("\ncheck:")[2].partition("\n\n")[0]
    for tool in ("ruff check", "ruff format", "clang-format", "mypy", "tools/gen.py --check", "check-jsonschema"):
        assert tool in recipe
        assert any(tool in entry for entry in entries)


def test_issue_forms_ask_for_something() -> None:
    forms = [file for file in ROOT.glob(".github/ISSUE_TEMPLATE/*.yml") if file.stem != "config"]
    assert len(forms) == 3
    for form in map(yaml.safe_load, (file.read_text() for file in forms)):
        assert {"name", "description", "body"} <= {*form}
        assert any(
            field.get("validations", {}).get("required") or "options" in field["attributes"] for field in form["body"]
        )
