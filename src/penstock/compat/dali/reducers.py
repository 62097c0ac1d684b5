"""What programs find as `nvidia.dali.reducers`: how sources are written for worker processes."""

from __future__ import annotations

from typing import Any, BinaryIO

from penstock.pipeline.workers.pickling import picklers

__all__ = ["DaliCallbackPickler"]


class DaliCallbackPickler:
    """Writes sources, also lambdas and functions marked by `pickle_by_value`, to a file that `pickle` reads."""

    def __init__(self, file: BinaryIO, *arguments: Any, **options: Any) -> None:
        self._file = file

    def dump(self, source: Any) -> None:
        write, _ = picklers(None)
        self._file.write(write(source))
