"""The Python of the README and the guides runs as pasted, in a folder where `penstock demo` has left its pictures."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
GUIDES = [README, (ROOT / "docs/parquet.md").read_text()]
BLOCKS = [
    block for text in GUIDES for block in re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.strip().splitlines()[0])
def test_a_python_block_runs(block: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src/penstock/cli/assets", tmp_path / "demo/photos")
    done = subprocess.run([sys.executable, "-W", "error", "-c", block], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_plan_it_shows_is_the_real_one(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src/penstock/cli/assets", tmp_path / "demo/photos")
    [block] = [block for block in BLOCKS if "ndd.explain(" in block]
    (tmp_path / "train.py").write_text(block)
    code = "import runpy, penstock.dynamic as ndd; ndd.set_num_threads(2); runpy.run_path('train.py')"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    [shown] = re.findall(r"^```\n(compiled loop.*?)^```", README, flags=re.DOTALL | re.MULTILINE)
    assert done.stdout.endswith(shown)


def test_the_readme_opens_with_a_loop() -> None:
    assert BLOCKS
    assert "next_epoch" in BLOCKS[0]
    assert ".torch()" in BLOCKS[0]


def test_the_files_it_points_to_are_there() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)", README)
    assert [link for link in links if not (ROOT / link).exists()] == []
