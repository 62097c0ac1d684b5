"""What `device="gpu"` stands for on this machine: PyTorch's accelerator, a stand-in for one, or nothing.

PENSTOCK_GPU chooses a stand-in. With "cpu" data says that it is on a GPU, the rules of devices hold, and the CPU's own
kernels do the work, so that programs for a GPU run where there is none. With "torch-cpu" the kernels for accelerators
run on torch's CPU device, which is how they are tested. ":N" behind either makes N devices of it.

torch is imported only by those who ask for a GPU.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass
from typing import Any, Literal

VARIABLE = "PENSTOCK_GPU"
CPU = -1  # the number of the device of data that is not on an accelerator: `Samples.device`

Kind = Literal["none", "cpu", "torch-cpu", "torch"]

STAND_IN = (
    'PENSTOCK_GPU=cpu (or `penstock run --gpu cpu`, or penstock.compat.install(gpu="cpu")) has the CPU stand in for one'
)


@dataclass(frozen=True)
class Accelerator:
    """Which it is, how many there are, and what was found, in words."""

    kind: Kind
    count: int
    found: str
    torch_type: str = "cpu"  # what torch calls its devices

    @property
    def runs_on_host(self) -> bool:
        """Whether data of the device is host memory and the CPU's kernels do the work."""
        return self.kind == "cpu"


# The only item is the accelerator, once it is known. Another choice is another dict: what a thread was looking for
# meanwhile comes into the old one.
_chosen: dict[None, Accelerator] = {}


def accelerator() -> Accelerator:
    """The accelerator of this process. Looking for a real one imports torch."""
    chosen = _chosen
    found = chosen.get(None)
    return found or chosen.setdefault(None, _stand_in(os.environ.get(VARIABLE, "")) or _of_torch())


def known_count() -> int:
    """How many there are, as far as can be told without importing torch."""
    if not _chosen and "torch" not in sys.modules and not os.environ.get(VARIABLE):
        return 0
    return accelerator().count


def current_number() -> int:
    """The number of the device that torch uses where none is named."""
    if accelerator().kind != "torch":
        return 0
    import torch

    return int(torch.accelerator.current_device_index())


def use(name: str) -> None:
    """Chooses the stand-in, for this process and those it starts; "" goes back to what there is."""
    global _chosen
    chosen = _stand_in(name)
    os.environ[VARIABLE] = name
    _chosen = {} if chosen is None else {None: chosen}


def missing() -> str:
    """Why there is no accelerator, and what to do."""
    return f'device "gpu" needs an accelerator, and there is none: {accelerator().found}. {STAND_IN}'


def _stand_in(name: str) -> Accelerator | None:
    if not name:
        return None
    kind, colon, number = name.partition(":")
    if kind not in ("cpu", "torch-cpu") or (colon and not (number.isdecimal() and int(number))):
        raise ValueError(
            f'{VARIABLE} is "cpu", which has the CPU stand in for a GPU, or "torch-cpu", which tests GPU kernels on '
            f'torch\'s CPU device; "cpu:2" makes two of it. Got {name!r}'
        )
    # One for each process that torchrun starts, where it does.
    count = int(number) if colon else int(os.environ.get("LOCAL_WORLD_SIZE") or 1)
    words = "the CPU stands in for it" if kind == "cpu" else "torch's CPU device stands in for it"
    return Accelerator("cpu" if kind == "cpu" else "torch-cpu", count, f"{words} ({VARIABLE}={name})")


def _of_torch() -> Accelerator:
    if importlib.util.find_spec("torch") is None:
        return Accelerator("none", 0, "they are reached through PyTorch, which is not installed")
    try:
        import torch
    except Exception as error:
        return Accelerator("none", 0, f"importing PyTorch failed with {type(error).__name__}: {error}")
    there: Any = getattr(torch, "accelerator", None)
    if there is None:
        return Accelerator("none", 0, f"it takes PyTorch 2.6 or later to find one, and this is {torch.__version__}")
    if not there.is_available() or not there.device_count():
        return Accelerator("none", 0, f"PyTorch {torch.__version__} finds none")
    kind, count = there.current_accelerator().type, there.device_count()
    return Accelerator("torch", count, f"{kind}, {count} in all, through PyTorch {torch.__version__}", kind)
