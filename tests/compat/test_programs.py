"""Programs written for DALI, as they are, under `penstock run`."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from compat.running import penstock, printed

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> str:
    root = tmp_path_factory.mktemp("pictures")
    random = np.random.default_rng(5)
    for k in range(6):
        (root / f"{k // 3}").mkdir(exist_ok=True)
        cv2.imwrite(str(root / f"{k // 3}/{k}.jpg"), random.integers(0, 256, (30 + k, 40, 3), np.uint8))
    return str(root)


def run(name: str, *arguments: str) -> list[str]:
    return printed(penstock("run", str(PROGRAMS / f"{name}.py"), *arguments))


def test_a_pipeline_of_a_function(pictures: str) -> None:
    assert run("classification", pictures) == ["epoch 6 seen 8 dtype DALIDataType.FLOAT"]


def test_a_pipeline_of_a_subclass(pictures: str) -> None:
    assert run("subclass", pictures) == ["[(16, 20, 3), (16, 20, 3), (16, 20, 3)] [0, 0, 0]"]


def test_a_loop_in_dynamic_mode(pictures: str) -> None:
    assert run("dynamic", pictures) == ["same resize Resize"]


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_processes_below_a_program(method: str) -> None:
    assert run("children", method) == ["(42, 23.0)", "DALIDataType.FLOAT"]


def test_modules_run_too_and_programs_get_their_arguments(tmp_path: Path) -> None:
    (tmp_path / "shows.py").write_text("import sys, nvidia.dali\nprint(__name__, sys.argv[1:])\n")
    assert printed(penstock("run", "-m", "shows", "--force", "-x", path=tmp_path)) == ["__main__ ['--force', '-x']"]


def test_a_program_that_fails_fails() -> None:
    done = penstock("run", "no_such_program.py")
    assert done.returncode == 2
    assert "no_such_program.py" in done.stderr
