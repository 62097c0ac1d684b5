"""Programs for a GPU, as people print them, under `penstock run` where there is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compat import program_data
from compat.running import penstock, printed
from compat.test_programs import ARGUMENTS, OBSERVED, PROGRAMS
from video.clips import clip

pytest.importorskip("torch")

GPU = PROGRAMS / "gpu"
# What each is given, and what it prints, whatever stands in for the GPU.
EXPECTED: dict[str, tuple[list[str], list[str]]] = {
    "streams": (
        ["pictures"],
        [
            "gpu:0 [0.0, 2.0, 4.0, 6.0, 8.0, 10.0] True",
            "True cpu",
            "gpu:0 [2.0, 1.0, 0.0, 5.0, 4.0, 3.0]",
            "gpu:0 gpu:0",
            "gpu:0 (30, 40, 3) (4, 33, 40, 3)",
            "(4, 8, 8, 3) gpu:0",
        ],
    ),
    "classification": (["pictures"], ["pipeline (2, 3, 24, 24) [1, 1]", "dynamic gpu:0 (4, 3, 24, 24) (4, 1)"]),
    "compiled": (
        ["pictures"],
        ["2 [(4, 3, 20, 20), (4, 3, 20, 20)] [[0, 0, 0, 1], [1, 1, 1, 1]]", "['0.03', '0.16']"],
    ),
    "detection": (
        ["pictures", "annotations.json"],
        [
            "(2, 3, 24, 24) torch.float32 (2, 16, 4) [1, 5] 2",
            "(2, 3, 24, 24) torch.float32 (2, 16, 4) [5, 1] 0",
            "(2, 3, 24, 24) torch.float32 (2, 16, 4) [5, 3] 3",
        ],
    ),
    "audio": (
        ["recordings"],
        ["(2, 20, 51) [0, 1] 0.49", "gpu:0 [(20, 38), (20, 51)] [(8, 38), (8, 51)] (2, 8, 51)"],
    ),
    "video": (
        ["clip.webm"],
        [
            "frames (2, 4, 3, 16, 16) -1.1 flow (2, 3, 12, 16, 2) 0.1",
            "frames (1, 4, 3, 16, 16) -0.6 flow (1, 3, 12, 16, 2) -0.1",
            "TensorListGPU FHWC [(8, 12, 16, 3)]",
            "gpu:0 FHWC (2, 4, 12, 16, 3)",
        ],
    ),
    "augmented": (
        ["pictures"],
        [
            "autoaugment (3, 3, 20, 20) [1, 1, 0] -0.0",
            "autoaugment (3, 3, 20, 20) [1, 0, 0] -0.0",
            "randaugment (3, 3, 20, 20) [1, 1, 0] -0.3",
            "randaugment (3, 3, 20, 20) [1, 0, 0] -0.0",
            "trivialaugment (3, 3, 20, 20) [1, 1, 0] -0.2",
            "trivialaugment (3, 3, 20, 20) [1, 0, 0] -0.0",
        ],
    ),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("data")
    program_data.write(root)
    (root / "clip.webm").write_bytes(clip(count=8))
    return root


@pytest.mark.parametrize("gpu", ["cpu", "torch-cpu"])
def test_programs_run_on_what_stands_in_for_a_gpu(gpu: str, data: Path) -> None:
    """All in one process, where importing torch takes longer than most of them."""
    command = [str(PROGRAMS / "in_turn.py")]
    for name, (arguments, _) in EXPECTED.items():
        command += ["--", str(GPU / f"{name}.py"), *(str(data / each) for each in arguments)]
    lines = printed(penstock("run", "--gpu", gpu, *command))
    assert lines == [line for name, (_, made) in EXPECTED.items() for line in (f"-- {name}", *made)]


@pytest.mark.parametrize("gpu", ["cpu", "torch-cpu"])
def test_torchrun_gives_each_process_a_gpu(gpu: str, data: Path) -> None:
    torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"]
    program = [str(GPU / "distributed.py"), str(data / "pictures")]
    lines = printed(penstock("run", "--gpu", gpu, *torchrun, *program))
    assert lines == ["6 ['gpu:0 of pipeline 0', 'gpu:1 of pipeline 1']"]


def test_without_a_gpu_a_program_is_told_what_stands_in_for_one(data: Path) -> None:
    program = [str(GPU / "classification.py"), str(data / "pictures")]
    refused = penstock("run", *program)
    assert refused.returncode == 1
    assert "there is none: PyTorch" in refused.stderr
    assert "`penstock run --gpu cpu`" in refused.stderr
    wrong = penstock("run", "--gpu", "cuda", *program)
    assert wrong.returncode == 1
    assert "penstock run: PENSTOCK_GPU is" in wrong.stderr


@pytest.mark.parametrize("name", ["ssd", "resnet50"])
def test_a_program_prints_the_same_for_a_gpu(name: str, data: Path, tmp_path: Path) -> None:
    """Its pictures are decoded to the GPU, and what it reads with NumPy is brought back."""
    text = (PROGRAMS / f"{name}.py").read_text().replace("device_id=None", "device_id=0")
    text = re.sub(r"(decoders\.image\w*\([^=]*)device=\"cpu\"", r'\1device="mixed"', text)
    assert 'device="mixed"' in text
    program = tmp_path / f"{name}.py"
    program.write_text(text.replace("np.array(images[i])", "np.array(images.as_cpu()[i])"))
    arguments = [str(data / each) for each in ARGUMENTS[name]]
    assert printed(penstock("run", "--gpu", "cpu", str(program), *arguments)) == OBSERVED[name]
