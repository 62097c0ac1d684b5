"""The Python of the README and the guides runs as pasted, in a folder where `penstock demo` has left its pictures.

That of the README runs after `make demo`, so with nothing installed but what Penstock itself needs; that of a
guide with what the guide says it needs.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from one_interpreter import Outcome, outcomes

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
GUIDES = {"docs/parquet.md": ["pyarrow"]}  # and what each needs
EXTRAS = ["torch", "torchdata", "jax", "numba", "soundfile", "fsspec", "aiohttp", "s3fs", "av", "astropy", "pyarrow"]


def blocks_of(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


BLOCKS = blocks_of(README)
IN_GUIDES = {guide: blocks_of((ROOT / guide).read_text()) for guide in GUIDES}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    found: dict[str, Outcome] = {}
    for blocks, needed in ((BLOCKS, []), *((IN_GUIDES[guide], needed) for guide, needed in GUIDES.items())):
        missing = [each for each in EXTRAS if each not in needed]
        scripts = []
        for block in blocks:
            folder = tmp_path_factory.mktemp("block")
            shutil.copytree(ROOT / "src/penstock/cli/assets", folder / "demo/photos")
            scripts.append(folder / "train.py")
            scripts[-1].write_text(block)
        found |= zip(blocks, outcomes(scripts, missing, PENSTOCK_NUM_THREADS="2"), strict=True)
    return found


def test_what_is_not_installed_is_missed(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import penstock.dynamic as ndd\nndd.tensor([1]).torch()\n")
    [outcome] = outcomes([script], EXTRAS)
    assert "requires PyTorch to be installed" in outcome.error


@pytest.mark.parametrize(
    "block",
    [*BLOCKS, *(block for blocks in IN_GUIDES.values() for block in blocks)],
    ids=lambda block: block.strip().splitlines()[0],
)
def test_a_python_block_runs(block: str, made: dict[str, Outcome]) -> None:
    assert not made[block].error


def test_the_plan_it_shows_is_the_real_one(made: dict[str, Outcome]) -> None:
    [printed] = [made[block].printed for block in BLOCKS if "ndd.explain(" in block]
    [shown] = re.findall(r"^```\n(compiled loop.*?)^```", README, flags=re.DOTALL | re.MULTILINE)
    assert printed.endswith(shown)


def test_the_readme_opens_with_a_loop() -> None:
    assert BLOCKS
    assert "next_epoch" in BLOCKS[0]
    assert ".torch()" in BLOCKS[0]


def test_the_files_it_points_to_are_there() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)", README)
    assert [link for link in links if not (ROOT / link).exists()] == []
