"""Imports point one way, as STYLE says: each folder may use those on its left."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src/penstock"
NEUTRAL = {"_native", "__version__"}

MAY_IMPORT: dict[str, set[str]] = {"values": set()}
MAY_IMPORT |= {side: {"values"} for side in ("interop", "gpu", "video", "storage")}
MAY_IMPORT["schema"] = {"values", "interop", "gpu"}
MAY_IMPORT["ops"] = MAY_IMPORT["schema"] | {"schema", "video", "storage"}
MAY_IMPORT["engine"] = MAY_IMPORT["schema"] | {"schema"}
MAY_IMPORT["readers"] = MAY_IMPORT["engine"] | {"engine", "ops", "video", "storage"}
MAY_IMPORT["dynamic"] = MAY_IMPORT["readers"] | {"readers"}
MAY_IMPORT["pipeline"] = MAY_IMPORT["readers"] | {"readers"}
MAY_IMPORT["capture"] = MAY_IMPORT["dynamic"] | {"dynamic", "pipeline"}
MAY_IMPORT["auto_aug"] = MAY_IMPORT["pipeline"] | {"dynamic", "pipeline", "types"}
for face in ("compat", "viz", "cli", "plugin"):
    MAY_IMPORT[face] = MAY_IMPORT["capture"] | {"capture", "types"}
MAY_IMPORT["compat"] |= {"auto_aug", "tfrecord"}
MAY_IMPORT["cli"] |= {"compat", "viz"}
MAY_IMPORT["fn"] = {"pipeline"}
MAY_IMPORT["math"] = {"pipeline", "ops"}
MAY_IMPORT["types"] = {"values"}
MAY_IMPORT["tfrecord"] = {"readers"}


def imported_names(tree: ast.AST) -> Iterator[str]:
    """Dotted names of what a file takes from penstock, wherever in the file it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("penstock."))
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            if node.module == "penstock":
                yield from (f"penstock.{alias.name}" for alias in node.names)
            elif node.module and node.module.startswith("penstock."):
                yield node.module


def layer_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def wrong_imports(file: Path) -> list[str]:
    layer = layer_of(file)
    used = {name.split(".")[1] for name in imported_names(ast.parse(file.read_text()))}
    return sorted(used - MAY_IMPORT[layer] - NEUTRAL - {layer})


FILES = sorted(
    file for file in SOURCE.rglob("*.py") if file.parent != SOURCE or file.stem in ("math", "types", "tfrecord")
)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_a_file_imports_only_what_its_layer_may(file: Path) -> None:
    assert wrong_imports(file) == []


def test_an_import_against_the_arrow_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.SOURCE", tmp_path)
    (tmp_path / "ops").mkdir()
    file = tmp_path / "ops/bad.py"
    file.write_text("def late():\n    from penstock.engine import context\n    import penstock.dynamic.tensor\n")
    assert wrong_imports(file) == ["dynamic", "engine"]
