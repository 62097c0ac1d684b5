"""Pinned host memory: blocks of the arena that a device copies from and to by itself while the CPU goes on.

What the CPU makes for a device, decoded images above all, is written into a block of the arena and uploaded from there,
with no copy in between. A block is pinned when it is first used so, and stays pinned while the arena uses it again and
again: pinning takes longer than a copy, and may wait for the device. It is unpinned before it goes back to the system.
"""

from __future__ import annotations

import threading
import warnings
from contextlib import suppress
from typing import Any, Protocol

from penstock._native import Samples, pin_block, unpin_surplus

_PORTABLE = 1  # pinned for every device, not only for the current one


class Registrar(Protocol):
    """What pins memory for a device."""

    def register(self, address: int, size: int) -> None:
        """Pins memory; RuntimeError where that is not possible."""
        ...

    def unregister(self, address: int) -> None:
        """Unpins memory that was pinned from that address on."""
        ...


class CudaRegistrar:
    """CUDA's runtime, or ROCm's, as torch gives access to it."""

    def register(self, address: int, size: int) -> None:
        self._check("cudaHostRegister", self._runtime().cudaHostRegister(address, size, _PORTABLE))

    def unregister(self, address: int) -> None:
        self._check("cudaHostUnregister", self._runtime().cudaHostUnregister(address))

    def _runtime(self) -> Any:
        import torch

        cuda: Any = torch.cuda
        return cuda.cudart()

    def _check(self, name: str, result: Any) -> None:
        if int(result) == 0:
            return
        import torch

        with suppress(RuntimeError):  # the runtime keeps the error for the next kernel, which is this one
            torch.zeros(1, device="cuda")
        raise RuntimeError(f"{name} failed with CUDA's error {int(result)}")


class PinnedArena:
    """The blocks of the arena that are pinned for devices."""

    def __init__(self, registrar: Registrar) -> None:
        self._registrar = registrar
        self._lock = threading.Lock()
        self._works = True

    def pin(self, samples: Samples) -> bool:
        """Pins the block that samples lie in; False where they lie in no block of the arena, or pinning fails."""
        with self._lock:
            if not self._works:
                return False
            unpin_surplus(self._registrar.unregister)
            try:
                return pin_block(samples, self._registrar.register)
            except RuntimeError as error:
                self._works = False
                warnings.warn(
                    f"memory cannot be pinned, so uploads take one copy more: {error}", RuntimeWarning, stacklevel=2
                )
                return False

    def trim(self) -> None:
        """Gives the blocks that are not in use back to the system."""
        with self._lock:
            unpin_surplus(self._registrar.unregister, all=True)


_arena: PinnedArena | None = None


def pinned_arena() -> PinnedArena:
    """The one of this process, for devices of CUDA and ROCm."""
    global _arena
    if _arena is None:
        _arena = PinnedArena(CudaRegistrar())
    return _arena


def trim() -> None:
    """Gives pinned memory that is not in use back to the system."""
    if _arena is not None:
        _arena.trim()
