"""install(): `import nvidia.dali` gives penstock, in this process and in those it starts."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

from penstock.compat.aliases import DALI
from penstock.compat.finder import AliasFinder
from penstock.values.accelerator import use

_STARTUP = str(Path(__file__).parent / "startup")


def install(force: bool = False, gpu: str | None = None) -> None:
    """Makes `nvidia.dali` and all that is below it resolve to penstock, here and in child processes.

    Args:
        force: Do so also where DALI itself is installed, which is an error otherwise.
        gpu: What device="gpu" is: "cpu" has the CPU do the work of one, so that programs for a GPU run without; "cpu:2"
            that of two. PyTorch's accelerator by default.
    """
    if gpu is not None:
        use(gpu)
    if any(isinstance(finder, AliasFinder) for finder in sys.meta_path):
        return
    if not force:
        refuse_beside_dali("penstock.compat.install(force=True)")
    for name in [name for name in sys.modules if name == DALI or name.startswith(f"{DALI}.")]:
        del sys.modules[name]
    sys.meta_path.insert(0, AliasFinder())
    os.environ.update(for_children(force))


def refuse_beside_dali(way_out: str) -> None:
    """Raises where DALI is installed, since a program would get one library and its author may mean the other."""
    try:
        spec = importlib.util.find_spec(DALI)
    except (ModuleNotFoundError, ValueError):  # no parent, or one that was made by hand
        return
    if spec is not None and spec.origin is not None:
        raise RuntimeError(
            f"{DALI} is installed here, in {Path(spec.origin).parent}, and would be hidden; "
            f"uninstall it or ask for that: {way_out}"
        )


def for_children(force: bool) -> dict[str, str]:
    """Environment variables with which a Python process is like this one from its start."""
    given = os.environ.get("PYTHONPATH", "")
    leads_there = _STARTUP in given.split(os.pathsep)
    return {
        "PENSTOCK_COMPAT": "force" if force else "1",
        "PYTHONPATH": given if leads_there else f"{_STARTUP}{os.pathsep}{given}".rstrip(os.pathsep),
    }
