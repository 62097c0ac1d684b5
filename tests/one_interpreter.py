"""Runs scripts and guides one after the other in one interpreter, which imports PyTorch once for all of them.

python tests/one_interpreter.py [--without MODULE,...] SCRIPT|GUIDE ...

Every script is `__main__` to itself, in the folder that it lies in. What each printed and how it failed, if it did, is
written as a list of JSON. Of a guide, a Markdown file, that is a list of its own: its blocks of Python are run in turn
as in a notebook, each as the `train.py` of that folder and with the names of those before it.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import linecache
import os
import re
import runpy
import subprocess
import sys
import textwrap
import traceback
import types
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

_OF_LIGHTNING = "ignore:`isinstance(treespec, LeafSpec)`:FutureWarning"  # it uses what torch will rename


class Outcome(NamedTuple):
    printed: str
    error: str


def outcomes(scripts: list[Path], missing: Sequence[str] = (), **variables: str) -> list[Outcome]:
    """What came of the scripts, with warnings being errors and as if the modules in `missing` were not installed."""
    without = ["--without", ",".join(missing)] if missing else []
    return [Outcome(*each) for each in _run_apart([*without, *map(str, scripts)], variables)]


def block_outcomes(guides: list[Path], **variables: str) -> list[list[Outcome]]:
    """What came of the blocks of each guide."""
    found = _run_apart([*map(str, guides)], variables)
    return [[Outcome(*each) for each in blocks] for blocks in found]


def _run_apart(arguments: list[str], variables: dict[str, str]) -> list[list[Any]]:
    command = [sys.executable, "-W", "error", "-W", _OF_LIGHTNING, __file__, *arguments]
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answer: list[list[Any]] = json.loads(done.stdout)
    return answer


class Fence(NamedTuple):
    """A block of code in Markdown: its language, title and lines, and whether it stands right below one of Python."""

    language: str
    title: str
    code: str
    below_python: bool


def fences_of(text: str) -> list[Fence]:
    found: list[Fence] = []
    end = 0
    for fence in re.finditer(r'^( *)```(\w*)(?: title="([^"\n]*)")?[^\n]*\n(.*?)^\1```$', text, re.S | re.M):
        below_python = bool(found) and found[-1].language == "python" and not text[end : fence.start()].strip()
        found.append(Fence(fence[2], fence[3] or "", textwrap.dedent(fence[4]), below_python))
        end = fence.end()
    return found


def blocks_of(text: str) -> list[str]:
    """The blocks of Python in a text of Markdown."""
    return [fence.code for fence in fences_of(text) if fence.language == "python"]


def run(script: str) -> Outcome:
    os.chdir(Path(script).parent)
    return _outcome(lambda: runpy.run_path(script, run_name="__main__"))


def run_blocks(guide: str) -> list[Outcome]:
    os.chdir(Path(guide).parent)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    found = [_outcome(partial(_run_block, block, vars(module))) for block in blocks_of(Path(guide).read_text())]
    vars(module).clear()
    gc.collect()  # a pipeline that still runs ahead would be seen by the next guide's profile
    return found


def _run_block(block: str, names: dict[str, Any]) -> None:
    Path("train.py").write_text(block)
    linecache.checkcache()
    exec(compile(block, "train.py", "exec"), names)


def _outcome(program: Callable[[], object]) -> Outcome:
    printed, error = io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        try:
            program()
        except Exception:
            error = traceback.format_exc()
    return Outcome(printed.getvalue(), error)


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.argv[1:] = []
    if given[0] == "--without":
        sys.modules.update(dict.fromkeys(given[1].split(",")))  # importing them is a ModuleNotFoundError now
        del given[:2]
    print(json.dumps([run_blocks(each) if each.endswith(".md") else run(each) for each in given]))
