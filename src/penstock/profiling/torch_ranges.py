"""Waits for data in the traces of torch's profiler and, by NVTX, of Nsight Systems."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any


def torch_range(what: str) -> AbstractContextManager[object]:
    """Returns a range of that name where torch is profiling, or has a GPU for whose profilers there are NVTX ranges.

    torch is asked only where the program has imported it.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "autograd"):
        return nullcontext()
    name = f"penstock: {what}"
    profiled = torch._C._autograd._profiler_enabled()
    recorded: AbstractContextManager[object] = torch.profiler.record_function(name) if profiled else nullcontext()
    return _with_nvtx(torch, name, recorded) if torch.cuda.is_available() else recorded


@contextmanager
def _with_nvtx(torch: Any, name: str, recorded: AbstractContextManager[object]) -> Iterator[None]:
    with torch.cuda.nvtx.range(name), recorded:
        yield
