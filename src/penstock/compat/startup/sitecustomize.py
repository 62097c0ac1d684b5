"""Run as a process starts below one that has called `penstock.compat.install()`, whose PYTHONPATH leads here."""

import os
import sys
from contextlib import suppress
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

_mode = os.environ.get("PENSTOCK_COMPAT")
if _mode:
    with suppress(ModuleNotFoundError):  # a Python of another environment
        from penstock.compat import install

        install(force=_mode == "force")

# This file hides the sitecustomize that the environment may have.
_spec = PathFinder.find_spec("sitecustomize", [path for path in sys.path if path != os.path.dirname(__file__)])
if _spec is not None and _spec.loader is not None:
    _spec.loader.exec_module(module_from_spec(_spec))
