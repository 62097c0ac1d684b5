"""Imports point one way, as docs/architecture.md draws it: between the folders, and between the files of a folder.

An import counts wherever it stands: at the top of a file, late in a function, or as the name that `import_module` is
given. Folders reach for each other by public names only. What is not yet so is listed here, and only that.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
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
for face in ("compat", "viz", "cli", "plugin", "ray", "torch"):
    MAY_IMPORT[face] = MAY_IMPORT["capture"] | {"capture", "types"}
MAY_IMPORT["testing"] = MAY_IMPORT["capture"] | {"capture", "fn"}
MAY_IMPORT["compat"] |= {"auto_aug", "fn", "plugin", "tfrecord"}
MAY_IMPORT["cli"] |= {"compat", "viz"}
MAY_IMPORT["profiling"] = MAY_IMPORT["viz"] | {"viz"}
MAY_IMPORT["cli"] |= {"profiling", "fn"}
MAY_IMPORT["events"] = {"engine"}
MAY_IMPORT["fn"] = {"pipeline"}
MAY_IMPORT["math"] = {"pipeline", "ops"}
MAY_IMPORT["types"] = {"values"}
MAY_IMPORT["tfrecord"] = {"readers"}

# Names that users know lead up the arrow. They are resolved by import_module when somebody asks for them.
AGAINST_THE_ARROW = {
    ("ops/classes.py", "pipeline"): "penstock.ops has the declarations, and for users the classes drawn from them",
    ("dynamic/readers.py", "capture"): "next_epoch(compile=True)",
    ("dynamic/sources/external_source.py", "capture"): "ExternalSource.captured()",
    ("dynamic/capture.py", "capture"): "ndd.capture",
    ("dynamic/profiling.py", "profiling"): "ndd.profile and ndd.progress",
    ("dynamic/values/pictures.py", "viz"): "what notebooks ask Tensors and Batches for",
    ("dynamic/show.py", "viz"): "ndd.show gives a sheet",
}

# Private attributes of one folder that another one uses.
PRIVATE_BUT_USED = {
    ("testing/gpu.py", "_placed"): "to see in which memory a result is",
    ("compat/internals.py", "_of_samples"): "what programs reach for in DALI's own objects, and is private there, too",
    ("compat/internals.py", "_samples"): "likewise",
    ("compat/internals.py", "_entries"): "likewise",
}

# Said of NamedTuples, of modules of Python's and of enumerations whose members have such names.
_NOT_PRIVATE = re.compile(r"_(replace|asdict|fields|make|getframe|value_|name_|[A-Z0-9_]+)$")
_MODULE = re.compile(r"penstock(\.\w+)+\.?")


def text_of(node: ast.AST) -> str:
    """A string as far as it is written down: an f-string up to its first value."""
    if isinstance(node, ast.JoinedStr):
        node = node.values[0] if node.values else node
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def is_for_types(node: ast.AST) -> bool:
    """`if TYPE_CHECKING:`, whose imports never run."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def names_a_home(node: ast.AST) -> bool:
    """`call.__module__ = ...`, which tells where something is shown to be and imports nothing."""
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith(".__module__")


def nodes_of(tree: ast.AST, types: bool = True) -> Iterator[ast.AST]:
    """All that a file consists of, as far as imports may be in it."""
    yield tree
    for child in ast.iter_child_nodes(tree):
        if not names_a_home(child) and (types or not is_for_types(child)):
            yield from nodes_of(child, types)


def imports_by_name(tree: ast.AST) -> bool:
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(ast.unparse(call).rpartition(".")[2] in ("import_module", "__import__") for call in calls)


def imports_of(file: Path, types: bool = True) -> Iterator[tuple[str, str]]:
    """What a file takes from penstock: the module, and the name in it or "". With `types`, also for annotations only.

    In a file that calls import_module, every string that names a module of penstock counts, since it may be a table
    that the call looks into.
    """
    tree = ast.parse(file.read_text())
    named = imports_by_name(tree)
    for node in nodes_of(tree, types):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.startswith("penstock."))
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            if node.module is not None and node.module.partition(".")[0] == "penstock":
                yield from ((node.module, alias.name) for alias in node.names)
        elif named and (written := _MODULE.match(text_of(node))):
            yield written.group(), ""


def layer_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def place_of(file: Path) -> str:
    return file.relative_to(SOURCE).as_posix()


def wrong_imports(file: Path) -> list[str]:
    """The folders that a file uses and may not."""
    layer = layer_of(file)
    used = {f"{module}.{name}".split(".")[1] for module, name in imports_of(file)}
    return sorted(used - MAY_IMPORT[layer] - NEUTRAL - {layer})


@cache
def modules(source: Path) -> dict[str, Path]:
    """Every file of the package by its dotted name."""
    found = {}
    for file in source.rglob("*.py"):
        parts = ("penstock", *file.relative_to(source).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def graph() -> dict[str, set[str]]:
    """The modules that each module imports. Packages that only resolve names for users, by a table, are no part."""
    known = modules(SOURCE)
    found: dict[str, set[str]] = {}
    for module, file in known.items():
        if file.name == "__init__.py" and "def __getattr__" in file.read_text():
            continue
        for target, name in imports_of(file, types=False):
            inner = f"{target}.{name}"
            used = inner if inner in known else target
            layer = f"{used}.".split(".")[1]
            if used in known and used != module and (place_of(file), layer) not in AGAINST_THE_ARROW:
                found.setdefault(module, set()).add(used)
    return found


def cycle_in(imports: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a circle, or none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def private_names(file: Path) -> set[str]:
    """The private names that a file gives something: functions, classes, variables, attributes and slots."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return {name for name in found if name.startswith("_") and not name.startswith("__")}


@cache
def names_by_layer(source: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for file in source.rglob("*.py"):
        found.setdefault(layer_of(file), set()).update(private_names(file))
    return found


def borrowed_names(file: Path) -> list[str]:
    """Private names of other folders that a file uses: imported, or asked of anything but `self`.

    An attribute is another folder's if it is given there and nowhere in the folder of the file itself.
    """
    layer, known = layer_of(file), names_by_layer(SOURCE)
    elsewhere = set().union(*(names for other, names in known.items() if other != layer)) - known[layer]
    found = set()
    for module, name in imports_of(file):
        parts = f"{module}.{name}".split(".")
        if parts[1] not in {layer, *NEUTRAL}:
            found |= {part for part in parts[2:] if part.startswith("_")}
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Attribute) and node.attr in elsewhere and not _NOT_PRIVATE.match(node.attr):
            of_itself = ast.unparse(node.value) in ("self", "cls", "super()")
            found |= set() if of_itself else {node.attr}
    return sorted(found)


FILES = sorted(
    file for file in SOURCE.rglob("*.py") if file.parent != SOURCE or file.stem in ("math", "types", "tfrecord")
)
every_file = pytest.mark.parametrize("file", FILES, ids=place_of)


@every_file
def test_a_file_imports_only_what_its_layer_may(file: Path) -> None:
    assert [layer for layer in wrong_imports(file) if (place_of(file), layer) not in AGAINST_THE_ARROW] == []


def test_what_is_against_the_arrow_is_still_there() -> None:
    assert [(place, layer) for place, layer in AGAINST_THE_ARROW if layer not in wrong_imports(SOURCE / place)] == []


def test_no_modules_import_each_other() -> None:
    assert cycle_in(graph()) == []


def test_what_readers_share_knows_none_of_them() -> None:
    used = {module for file in SOURCE.glob("readers/core/*.py") for module, _ in imports_of(file)}
    assert sorted(name for name in used if re.match(r"penstock\.readers\.(?!core\b)", name)) == []


@every_file
def test_a_file_uses_no_private_name_of_another_folder(file: Path) -> None:
    assert [name for name in borrowed_names(file) if (place_of(file), name) not in PRIVATE_BUT_USED] == []


def test_private_names_that_are_used_still_are() -> None:
    assert [(place, name) for place, name in PRIVATE_BUT_USED if name not in borrowed_names(SOURCE / place)] == []


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(f"{__name__}.SOURCE", tmp_path)
    (tmp_path / "ops").mkdir()
    (tmp_path / "engine").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    "written",
    [
        "def late():\n    from penstock.engine import context\n    import penstock.dynamic.values.tensor\n",
        'importlib.import_module("penstock.engine.context")\nimport_module(f"penstock.dynamic.{name}")\n',
        'PLACES = ("penstock.engine.context", "penstock.dynamic.values.tensor:Tensor")\nimport_module(PLACES[0])\n',
    ],
    ids=["late", "by a string", "by a table"],
)
def test_an_import_against_the_arrow_is_seen(package: Path, written: str) -> None:
    file = package / "ops/bad.py"
    file.write_text(written)
    assert wrong_imports(file) == ["dynamic", "engine"]


def test_a_circle_of_late_imports_is_seen(package: Path) -> None:
    (package / "ops/one.py").write_text("from penstock.ops import two\n")
    (package / "ops/two.py").write_text("def late():\n    from penstock.ops.one import name\n")
    assert set(cycle_in(graph())) == {"penstock.ops.one", "penstock.ops.two"}
    (package / "ops/two.py").write_text("name = 1\n")
    assert cycle_in(graph()) == []


def test_private_names_of_another_folder_are_seen(package: Path) -> None:
    (package / "engine/call.py").write_text("class Call:\n    def __init__(self):\n        self._words = 1\n")
    file = package / "ops/bad.py"
    file.write_text("from penstock.engine.call import _memo\n_own = 1\ncall._words, call._own, self._words, x._other\n")
    assert borrowed_names(file) == ["_memo", "_words"]
