"""Data sets to time readers on, a file for each format.

A file has `write(folder)`, which makes the data, and CASES: (title, expression that makes the reader, whether DALI has
it too). The expression may use `ndd`, `T` (types) and `folder`, where the data is.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

FORMATS: dict[str, ModuleType] = {
    module.name: importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)
}
