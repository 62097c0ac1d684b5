"""Programs written for DALI, run as they are: `nvidia.dali` and all that is below it is penstock.

import penstock.compat
penstock.compat.install()

`penstock run script.py` does the same for a program that is not to be touched.
"""

from penstock.compat.install import install
from penstock.compat.stubs import mypy_path

__all__ = ["install", "mypy_path"]
