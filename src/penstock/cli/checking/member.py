"""`Member`: one file inside an archive or a database, as it was read."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

NO_DATA: Array = np.empty(0, np.uint8)
LABELS = ("image/class/label", "label", "class")  # what tells the class of a row or an example


class Member(NamedTuple):
    """A member: its name, its bytes, or why it cannot be read, where in the archive it is, and the class it is of."""

    name: str
    data: Array
    problem: str = ""
    offset: int = 0
    label: str = ""
