"""Programs written for DALI, as they are, under `penstock run`."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from compat import program_data
from compat.running import penstock, printed

PROGRAMS = Path(__file__).parent / "programs"
OBSERVED = json.loads((PROGRAMS / "observed.json").read_text())  # what they print with DALI 2.4
ARGUMENTS = {
    "audio": ["recordings"], "augmented": ["pictures"], "checkpointing": ["pictures", "checkpoint"],
    "conditionals": ["pictures"], "custom_operators": [], "data_module": ["pictures"],
    "experimental_names": ["pictures"], "jax_training": ["pictures"], "numba_functions": [],
    "own_iterator": ["pictures"], "resnet50": ["pictures"], "resumed_iterator": ["pictures"],
    "rnnt": ["recordings"], "sources": [], "ssd": ["pictures", "annotations.json"],
    "torch_functions": ["pictures"],  # DALI needs CUDA for its stream; this was seen with a stream that does nothing
    "video": ["clip.webm"], "volumes": [], "webdataset": ["archive.tar"], "wrapped_iterator": ["pictures"],
}  # fmt: skip
NEEDED = {
    "data_module": "torch", "jax_training": "jax", "numba_functions": "numba", "resnet50": "torch",
    "resumed_iterator": "torch", "torch_functions": "torch", "video": "av", "volumes": "torch",
    "wrapped_iterator": "torch",
}  # fmt: skip


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


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("data")
    program_data.write(root)
    return root


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_program_prints_what_it_prints_with_dali(name: str, data: Path) -> None:
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    if name == "video":
        from video.clips import clip

        (data / "clip.webm").write_bytes(clip(count=8))
    assert run(name, *(str(data / each) for each in ARGUMENTS[name])) == OBSERVED[name]


def test_nodes_have_values_in_debug_mode(data: Path) -> None:  # which DALI needs a GPU for
    made = run("debug_mode", str(data / "pictures"))
    assert made == ["[(2, 4, 4, 3), (2, 4, 4, 3)] DALIDataType.FLOAT [0, 1]"]


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
