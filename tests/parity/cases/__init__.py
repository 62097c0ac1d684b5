"""The calls both libraries are put through besides the operators' examples (../examples.py), a file for each family.

An entry is a dict:

    operator    the row of docs/parity.md its calls are counted under
    calls       Python expressions; `ndd` and `T` are the library and its types, other names come from inputs.py
    share       the share of elements that must be as close as `within` says (1.0)
    within      largest allowed difference: in units of an integer result, relative to 1 or the value for floats (0)
    snr         instead of `within`: least ratio of a signal to the difference, in dB
    deliberate  why the results are meant to differ; then any difference is accepted, and shown

The expressions are written into a module, so that a constant stays a constant to whoever reads the caller's source.
A family whose calls need more than inputs.py gives has a function `inputs(ndd)` that returns them by name. One with
files of its own has `encode(folder)`, which writes them; `name.ext` is then a Tensor of bytes called `name`.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

Case = dict[str, Any]

FAMILIES = {
    module.name: importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)
}
