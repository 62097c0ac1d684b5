"""Runs the calls of ops.py in one library, as a worker of it: python op_worker.py penstock|dali THREADS FOLDER

FOLDER holds the modules op_calls.py has written. A line of input is the JSON of [module, the file of op_cases that
makes its inputs or "", number, "call" or "plain", seconds]. That function is repeated for so long, once at least, and
answered with the medians of the wall-clock time and of the CPU time, in seconds. With "bytes" instead of "call" the
answer is how many bytes the call has to move. The line "copy" is answered with the bytes a copy moves in a second.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from roofline import copy_bandwidth, moved_bytes
from serving import TYPES, serve

BATCH, HEIGHT, WIDTH = 32, 480, 640
STACK_DEPTHS = 8
Run = Callable[[], Any]


def common_inputs(ndd: Any, np: Any) -> dict[str, Any]:
    """What every case may use: images like photos, long arrays, and many single numbers."""
    rng = np.random.default_rng(0)
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    waves = [np.sin(x * rng.uniform(0.005, 0.1) + y * rng.uniform(0.005, 0.1) + rng.uniform(0, 6)) for _ in range(6)]
    smooth = np.stack([waves[channel] + waves[channel + 3] for channel in range(3)], axis=-1) * 50 + 128
    noise = rng.integers(-12, 13, (BATCH, HEIGHT, WIDTH, 3), np.int16)
    stack = np.clip(smooth.astype(np.int16) + noise, 0, 255).astype(np.uint8)
    grey = [image[:, :, :1].copy() for image in stack]
    floats = [image.astype(np.float32) / 255 for image in stack]
    lines = [rng.normal(size=2_000_000).astype(np.float32) for _ in range(4)]
    numbers = rng.uniform(size=256).astype(np.float32)
    return {
        "arrays": list(stack),
        "stack": stack,
        "grey_arrays": grey,
        "float_arrays": floats,
        "lines": lines,
        "numbers": numbers,
        "images": ndd.batch(list(stack), layout="HWC"),
        "grey": ndd.batch(grey, layout="HWC"),
        "floats": ndd.batch(floats, layout="HWC"),
        "line": ndd.batch(lines),
        "scalars": ndd.batch(list(numbers)),
    }


class Calls:
    """The functions, and what they are given, a module at a time."""

    def __init__(self, library: str, folder: Path) -> None:
        self._library = library
        self._folder = folder
        self._common: dict[str, Any] = {}
        self._sources: dict[str, dict[str, Any]] = {"": {}}
        self._modules: dict[str, Any] = {}

    def find(self, ndd: Any, module: str, source: str, number: int, kind: str) -> Run:
        if module not in self._modules:
            self._modules[module] = self._load(ndd, module, source)
        found: Run = getattr(self._modules[module], f"{kind}_{number}")
        return found

    def bytes_of(self, ndd: Any, module: str, source: str, number: int) -> int:
        run = self.find(ndd, module, source, number, "call")
        return moved_bytes(run, vars(self._modules[module]))

    def _load(self, ndd: Any, name: str, source: str) -> Any:
        spec = importlib.util.spec_from_file_location(name, self._folder / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        vars(module).update(self._names(ndd))
        if source not in self._sources:
            family = importlib.import_module(f"op_cases.{source}")
            self._sources[source] = family.inputs(ndd, vars(module)["np"]) if hasattr(family, "inputs") else {}
        vars(module).update(self._sources[source])
        spec.loader.exec_module(module)
        return module

    def _names(self, ndd: Any) -> dict[str, Any]:
        if not self._common:
            import numpy as np

            self._common = common_inputs(ndd, np) | {"np": np, "ndd": ndd}
            self._common["T"] = importlib.import_module(TYPES[self._library])
            if self._library == "penstock":
                self._common["cv2"] = importlib.import_module("cv2")
        return self._common


def finished(result: Any) -> None:
    """Waits for results that are made in the background."""
    for each in result if isinstance(result, (tuple, list)) else (result,):
        if hasattr(each, "evaluate"):
            each.evaluate()


def deeper(levels: int, run: Run) -> Any:
    """Runs it so much further down the stack of C; calls from Python to Python alone do not use that stack."""
    return next(deeper(levels - 1, run) for _ in (None,)) if levels else run()


def timed(run: Run, seconds: float) -> dict[str, Any]:
    """The medians of repeated runs, each at another depth of the stack.

    NumPy's functions take up to 2.5 times as long at some depths, other ones in each process: probably where what they
    spill lies a multiple of 4 KB from their constants, so that the processor takes one for the other and waits.
    """
    walls: list[float] = []
    cpus: list[float] = []
    start = time.perf_counter()
    while not walls or time.perf_counter() - start < seconds:
        began, cpu = time.perf_counter(), time.process_time()
        deeper(len(walls) % STACK_DEPTHS, lambda: finished(run()))
        cpus.append(time.process_time() - cpu)
        walls.append(time.perf_counter() - began)
    return {"wall": statistics.median(walls), "cpu": statistics.median(cpus)}


def keep_freed_memory() -> None:
    """Has malloc keep what is freed, as penstock's pool does.

    glibc decides by what was freed before whether it gives memory back to the system. Where it does, every new array is
    memory the kernel has to clear first, which takes NumPy six times as long as a hyperbolic tangent of the array.
    """
    c_library = ctypes.CDLL(None)
    if hasattr(c_library, "mallopt"):
        trim_threshold, mmap_max = -1, -4  # M_TRIM_THRESHOLD and M_MMAP_MAX of glibc's malloc.h
        c_library.mallopt(trim_threshold, -1)
        c_library.mallopt(mmap_max, 0)


def main() -> None:
    library, threads, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    calls = Calls(library, folder)
    keep_freed_memory()

    def answer(ndd: Any, line: str) -> dict[str, Any]:
        if line == "copy":
            return {"bandwidth": copy_bandwidth(threads)}
        module, source, number, kind, seconds = json.loads(line)
        if kind == "bytes":
            return {"bytes": calls.bytes_of(ndd, module, source, number)}
        run = calls.find(ndd, module, source, number, kind)
        if kind == "plain":
            importlib.import_module("cv2").setNumThreads(1)
        return timed(run, seconds)

    serve(library, threads, answer)


if __name__ == "__main__":
    main()
