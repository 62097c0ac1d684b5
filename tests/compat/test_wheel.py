"""What type checkers find of nvidia.dali where penstock was installed from a wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import numpy as np
import pytest
import typing_extensions

pytest.importorskip("mypy")
backend = pytest.importorskip("scikit_build_core.build")

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import nvidia.dali.experimental.dynamic as ndd
import nvidia.dali.plugin.numba as dali_numba
from nvidia.dali import fn, ops, pipeline_def, types
from nvidia.dali.experimental.torchvision import Compose, Resize
from nvidia.dali.pipeline import DataNode, Pipeline
from nvidia.dali.plugin.pytorch import DALIClassificationIterator
from nvidia.dali.plugin.pytorch.experimental import proxy
from nvidia.dali.plugin.triton import autoserialize
from typing_extensions import assert_type

@autoserialize
@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def training(root: str) -> tuple[DataNode, DataNode]:
    jpegs, labels = fn.readers.file(file_root=root)
    images = fn.decoders.image(jpegs, output_type=types.RGB)
    dali_numba.fn.experimental.numba_function(
        images, run_fn=print, out_types=[], in_types=[], outs_ndim=[], ins_ndim=[]
    )
    return fn.resize(assert_type(images, DataNode), size=[2, 2]), labels

pipeline = assert_type(training("root"), Pipeline)
assert_type(len(DALIClassificationIterator(pipeline, reader_name="train")), int)
assert_type(ops.Resize(size=[1, 1]), ops.Resize)
assert_type(proxy.DALIServer(pipeline), proxy.DALIServer)
assert_type(Compose([Resize(3)]), Compose)
assert_type(ndd.resize(ndd.batch([[1]]), size=[1, 1]), ndd.Batch)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with what a wheel holds, except for the native core: compiling takes too long."""
    folder = tmp_path_factory.mktemp("wheel")
    code = "import sys; from scikit_build_core.build import build_wheel as build; print(build(*eval(sys.argv[1])))"
    arguments = repr((str(folder), {"wheel.cmake": "false", "wheel.py-api": "py3", "build-dir": str(folder / "build")}))
    subprocess.run([sys.executable, "-c", code, arguments], cwd=ROOT, check=True, capture_output=True)
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv/bin/python"
    site = sysconfig.get_path("purelib", "venv", {"base": str(folder / "venv"), "platbase": str(folder / "venv")})
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as contents:
        contents.extractall(site)
    for needed in (np, typing_extensions):  # which pip would install
        source = Path(needed.__file__)
        source = source.parent if source.name == "__init__.py" else source
        (Path(site) / source.name).symlink_to(source)
    return python


def checked(python: Path, program: str, folder: Path, mypy_path: str | None = None) -> str:
    """What mypy says."""
    (folder / "program.py").write_text(program)
    environment = {name: value for name, value in os.environ.items() if name not in ("MYPYPATH", "PYTHONPATH")}
    if mypy_path is not None:
        environment["MYPYPATH"] = mypy_path
    command = [sys.executable, "-m", "mypy", "--python-executable", str(python), "--config-file", os.devnull]
    command += ["--strict", "--cache-dir", str(python.parent / "cache"), "program.py"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.stdout + done.stderr


def test_mypy_finds_the_stubs_by_itself(installed: Path, tmp_path: Path) -> None:
    assert checked(installed, PROGRAM, tmp_path).startswith("Success")
    wrong = checked(installed, PROGRAM + "\npipeline.run(3, 4)\nfn.no_such_operator()\n", tmp_path)
    assert 'Too many arguments for "run" of "Pipeline"' in wrong
    assert 'Module has no attribute "no_such_operator"' in wrong


def test_the_path_for_mypy_is_none_that_it_refuses(installed: Path, tmp_path: Path) -> None:
    code = "import importlib.util as u; s = u.spec_from_file_location('stubs', {!r}); m = u.module_from_spec(s); "
    code += "s.loader.exec_module(m); print(m.mypy_path(), end='')"
    [stubs] = installed.parents[1].glob("**/site-packages/penstock/compat/stubs.py")
    path = subprocess.run([installed, "-c", code.format(str(stubs))], check=True, capture_output=True, text=True).stdout
    assert checked(installed, PROGRAM, tmp_path, path).startswith("Success")
