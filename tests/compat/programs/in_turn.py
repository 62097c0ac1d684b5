"""Runs programs one after the other in one process. Arguments: "--", a program and its arguments; and so on."""

import runpy
import sys
from itertools import groupby
from pathlib import Path

for separates, group in groupby(sys.argv[1:], lambda each: each == "--"):
    if not separates:
        sys.argv = [*group]
        print(f"-- {Path(sys.argv[0]).stem}")
        runpy.run_path(sys.argv[0], run_name="__main__")
