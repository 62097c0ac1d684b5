"""The Python of the README runs as pasted, in a folder where `penstock demo` has left its pictures.

It runs after `make demo`, so with nothing installed but what Penstock itself needs.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from one_interpreter import Outcome, blocks_of, outcomes

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
EXTRAS = ["torch", "torchdata", "jax", "numba", "soundfile", "fsspec", "aiohttp", "s3fs", "av", "astropy", "pyarrow"]


BLOCKS = blocks_of(README)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    scripts = []
    for block in BLOCKS:
        folder = tmp_path_factory.mktemp("block")
        shutil.copytree(ROOT / "src/penstock/cli/assets", folder / "demo/photos")
        scripts.append(folder / "train.py")
        scripts[-1].write_text(block)
    return dict(zip(BLOCKS, outcomes(scripts, EXTRAS, PENSTOCK_NUM_THREADS="2"), strict=True))


def test_what_is_not_installed_is_missed(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import penstock.dynamic as ndd\nndd.tensor([1]).torch()\n")
    [outcome] = outcomes([script], EXTRAS)
    assert "requires PyTorch to be installed" in outcome.error


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.strip().splitlines()[0])
def test_a_python_block_runs(block: str, made: dict[str, Outcome]) -> None:
    assert not made[block].error


def test_the_readme_opens_with_a_loop() -> None:
    assert BLOCKS
    assert "next_epoch" in BLOCKS[0]
    assert ".torch()" in BLOCKS[0]


def test_the_files_it_points_to_are_there() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)", README)
    assert [link for link in links if not (ROOT / link).exists()] == []
