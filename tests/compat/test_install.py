"""What install() does to imports, here and in child processes."""

from __future__ import annotations

import venv
from pathlib import Path

import pytest

from compat.running import penstock, printed, python

INSTALL = "import penstock.compat; penstock.compat.install()\n"
FORCE = "import penstock.compat; penstock.compat.install(force=True)\n"


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """A folder where something else is installed as nvidia.dali."""
    (tmp_path / "nvidia/dali").mkdir(parents=True)
    (tmp_path / "nvidia/dali/__init__.py").write_text("real = True\n")
    (tmp_path / "nvidia/dali/extra.py").write_text("real = True\n")
    return tmp_path


def test_without_it_there_is_no_dali() -> None:
    done = python("-c", "import penstock, nvidia.dali")
    assert "ModuleNotFoundError" in done.stderr


def test_modules_are_the_same_objects_under_another_name() -> None:
    code = """
import penstock.fn, penstock.dynamic
import nvidia.dali.fn.readers, nvidia.dali.fn.io.file, nvidia.dali.experimental.dynamic as ndd
from nvidia import dali
assert dali.fn is penstock.fn and dali.fn.readers is penstock.fn.readers and ndd is penstock.dynamic
assert penstock.fn.__name__ == penstock.fn.__spec__.name == "penstock.fn"
assert ndd.Batch.__module__ == "penstock.dynamic.values.batch"
print(dali.__version__)
"""
    assert printed(python("-c", INSTALL + INSTALL + code)) == ["2.4.0"]


def test_a_module_that_penstock_does_not_have_is_not_found() -> None:
    code = """
import importlib.util, nvidia.dali
print(importlib.util.find_spec("nvidia.dali.nonsense"), importlib.util.find_spec("nvidia.dali.fn.nonsense"))
import nvidia.dali.nonsense
"""
    done = python("-c", INSTALL + code)
    assert done.stdout == "None None\n"
    assert done.stderr.endswith("ModuleNotFoundError: No module named 'nvidia.dali.nonsense'\n")


def test_an_installed_dali_is_not_hidden_unless_asked_for(real: Path) -> None:
    done = python("-c", INSTALL, path=real)
    assert f"RuntimeError: nvidia.dali is installed here, in {real / 'nvidia/dali'}, and would be hidden" in done.stderr
    done = penstock("run", "program.py", path=real)
    assert done.returncode == 1
    assert done.stderr.startswith("penstock run: nvidia.dali is installed here")
    assert done.stderr.endswith("penstock run --force\n")


def test_force_hides_it_in_children_too_even_if_it_was_imported(real: Path) -> None:
    code = """
import subprocess, sys
import nvidia.dali, nvidia.dali.fn
assert not hasattr(nvidia.dali, "real")
try:
    import nvidia.dali.extra
except ModuleNotFoundError:
    print("hidden", flush=True)
subprocess.run([sys.executable, "-c", "import nvidia.dali; print(nvidia.dali.fn.__name__)"], check=True)
"""
    done = python("-c", f"import nvidia.dali.extra\n{FORCE}{code}", path=real)
    assert printed(done) == ["hidden", "penstock.fn"]
    program = real / "program.py"
    program.write_text(code)
    assert printed(penstock("run", "--force", str(program), path=real)) == ["hidden", "penstock.fn"]


def test_an_uninstalled_dali_may_leave_folders_behind(tmp_path: Path) -> None:
    (tmp_path / "nvidia/dali/__pycache__").mkdir(parents=True)
    assert printed(python("-c", f"{INSTALL}import nvidia.dali as dali; print(dali.__name__)", path=tmp_path))


@pytest.mark.parametrize("regular", [False, True])
def test_other_libraries_of_nvidia_are_still_there(tmp_path: Path, regular: bool) -> None:
    (tmp_path / "nvidia/cublas").mkdir(parents=True)
    (tmp_path / "nvidia/cublas/__init__.py").write_text("here = 'found'\n")
    if regular:
        (tmp_path / "nvidia/__init__.py").touch()
    code = "import subprocess, sys, nvidia.cublas, nvidia.dali\nprint(nvidia.cublas.here, nvidia.dali.fn.__name__)"
    children = f"\nsubprocess.run([sys.executable, '-c', {code!r}], check=True)"
    done = python("-u", "-c", INSTALL + code + children, path=tmp_path)
    assert printed(done) == ["found penstock.fn"] * 2


def test_a_sitecustomize_of_the_environment_runs_as_well(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import builtins; builtins.customized = 'yes'\n")
    code = "print(customized); import nvidia.dali"
    children = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}], check=True)"
    assert printed(python("-c", INSTALL + children, path=tmp_path)) == ["yes"]


def test_a_process_that_cannot_import_penstock_starts_all_the_same(tmp_path: Path) -> None:
    venv.create(tmp_path / "other", with_pip=False)
    other = str(tmp_path / "other/bin/python")
    children = f"""
import subprocess
code = "import importlib.util as u; print(u.find_spec('penstock'))"
done = subprocess.run([{other!r}, "-c", code], capture_output=True)
print(done.stdout, done.stderr)
"""
    assert printed(python("-c", INSTALL + children)) == ["b'None\\n' b''"]


def test_children_without_the_variable_are_left_alone() -> None:
    child = "import nvidia.dali"
    children = f"""
import os, subprocess, sys
del os.environ["PENSTOCK_COMPAT"]
print(subprocess.run([sys.executable, "-c", {child!r}], capture_output=True, text=True).stderr.splitlines()[-1])
"""
    [told] = printed(python("-c", INSTALL + children))
    assert told.startswith("ModuleNotFoundError: No module named 'nvidia")  # other packages of that name may be there


def test_install_chooses_what_stands_in_for_a_gpu() -> None:
    program = (
        'import penstock.compat; penstock.compat.install(gpu="cpu:2")\n'
        "import subprocess, sys, nvidia.dali.experimental.dynamic as ndd\n"
        "print(ndd.flip(ndd.tensor([[[1]]], dtype=ndd.uint8, layout='HWC'), device='gpu:1').device, flush=True)\n"
        "child = 'import nvidia.dali.experimental.dynamic as ndd; print(ndd.Device(\"gpu\"))'\n"
        "subprocess.run([sys.executable, '-c', child])"
    )
    assert printed(python("-c", program)) == ["gpu:1", "gpu:0"]
