"""The calls both libraries are put through, a file for each family.

An entry is a dict:

    operator    the row of docs/parity.md its calls are counted under
    calls       Python expressions; `ndd` and `T` are the library and its types, other names come from inputs.py
    within      largest allowed difference: in units of an integer result, relative to 1 or the value for floats (0)
    deliberate  why the results are meant to differ; then any difference is accepted, and shown

The expressions are written into a module, so that a constant stays a constant to whoever reads the caller's source.
"""

from __future__ import annotations

from typing import Any

from parity.cases import decode, image, numbers, random, readers, tensor

Case = dict[str, Any]

CASES: list[Case] = [case for family in (decode, image, tensor, numbers, random, readers) for case in family.CASES]
