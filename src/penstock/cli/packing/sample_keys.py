"""Names of samples in tar archives."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence


def sample_keys(names: Sequence[str]) -> Iterator[str]:
    """The names without suffix, as keys of WebDataset: without dots in the last part, and none twice.

    In an archive a sample's files are told by what is before the first dot, so `a.b.jpg` would be sample `a`.
    """
    given: set[str] = set()
    for number, name in enumerate(names):
        folder, file = os.path.split(os.path.splitext(name)[0])
        key = "/".join(filter(None, [folder.replace(os.sep, "/"), file.replace(".", "_")]))
        while key in given:  # photo.jpg beside photo.png
            key = f"{key}_{number}"
        given.add(key)
        yield key
