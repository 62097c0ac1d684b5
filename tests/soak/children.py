"""Processes that scenarios start and kill."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path


def killed_after(script: str, arguments: list[object], delay: float | None, log: Path) -> int:
    """Runs a script, killed so many seconds after its first line of output unless it has ended; its exit code.

    What it prints on stderr is added to a file.
    """
    command = [sys.executable, "-c", script, *map(str, arguments)]
    with open(log, "a") as err, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.kill()
        finally:
            process.stdout.close()
    return process.returncode


def short_delay(rng: random.Random, most: float) -> float:
    """Mostly much shorter than the longest: what happens at the beginning is met as often as what comes later."""
    return most * rng.random() ** 2
