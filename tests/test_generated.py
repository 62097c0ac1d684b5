"""Generated files are those the generator would write now."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_generated_files_are_fresh() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools/gen.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_generated_files_say_so_in_their_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    gen = importlib.import_module("gen")
    files = [*gen.outputs(gen.gen_readers.find_readers()), *ROOT.glob("docs/gallery/*.md")]
    files += [ROOT / "docs" / name for name in ("benchmarks.md", "op_speed.md", "parity.md")]
    files.remove(ROOT / "src/nvidia-stubs/py.typed")  # type checkers read its first line
    assert [file for file in files if "Written by" not in file.read_text().partition("\n")[0]] == []


def test_a_new_operator_is_drawn_everywhere_at_once() -> None:
    """The index that is loaded does not have it yet."""
    script = """if True:
        from penstock.ops import _index
        del _index.OPERATORS["flip"]
        import gen
        raise SystemExit(gen.main())
    """
    done = subprocess.run([sys.executable, "-c", script, "--check"], cwd=ROOT / "tools", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module("declared")


def test_every_operator_has_an_example(declared: ModuleType) -> None:
    public = {path: found.op for path, found in declared.find_operators().items() if declared.is_public(path)}
    silent = [
        path
        for path, op in public.items()
        if not path.startswith("math.") and not any(map(declared.is_code, declared.read_doc(op).blocks))
    ]
    assert silent == []


def test_every_argument_that_has_an_effect_is_described(declared: ModuleType) -> None:
    """Decoders take many that only matter on a GPU; their pages list them as such."""
    undescribed = [
        (path, name)
        for path, found in declared.find_operators().items()
        if declared.is_public(path) and ".decoders." not in f".{path}"
        for name in found.op.params
        if name not in declared.read_doc(found.op).arguments
    ]
    assert undescribed == []


def test_no_argument_is_described_that_is_not_there(declared: ModuleType) -> None:
    invented = [
        (path, name)
        for path, found in declared.find_operators().items()
        for name in declared.read_doc(found.op).arguments
        if name not in found.op.params and name not in found.op.inputs
    ]
    assert invented == []
