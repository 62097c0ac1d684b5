"""Processes with one of the libraries loaded, as the benchmarks ask them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LIBRARIES = ("penstock", "dali")
Answer = dict[str, Any]


class Worker:
    """A process that runs `script` of this folder and answers a line with a line; see serving.py."""

    def __init__(self, python: str, script: str, *arguments: str) -> None:
        command = [python, str(HERE / script), *arguments]
        # Threads of BLAS spin while they wait, which would count as CPU time of whatever runs meanwhile. Modules of an
        # editable install are compiled at every import where bytecode is not kept; pip compiles what it installs.
        settings = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": ""}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=settings
        )
        self.import_seconds: float = self._answer()["import"]

    def ask(self, line: str) -> Answer:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # told by the answer
        return self._answer()

    def _answer(self) -> Answer:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            return {"error": f"the process ended with code {self._process.wait()}"}
        answer: Answer = json.loads(line)
        return answer

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        self._process.communicate()
