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


def test_the_readme_opens_with_a_loop() -> None:
    assert BLOCKS
    assert "next_epoch" in BLOCKS[0]
    assert ".torch()" in BLOCKS[0]


def test_the_files_it_points_to_are_there() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)", README)
    assert [link for link in links if not (ROOT / link).exists()] == []
