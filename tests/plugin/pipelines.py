"""Small pipelines for the iterators, and what they hand out as text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from penstock import Pipeline, fn, pipeline_def

OF_PIPELINE = ("checkpoint", "enable_checkpointing", "prefetch_queue_depth", "seed")


def of_files(root: Path, batch_size: int = 3, count: int = 7, **arguments: Any) -> Pipeline:
    """A pipeline whose reader "files" reads files that hold their own number."""
    files = [root / f"{number}.bin" for number in range(count)]
    for number, file in enumerate(files):
        if not file.exists():  # another pipeline may be reading it
            file.write_bytes(bytes([number]))
    options = {name: arguments.pop(name) for name in OF_PIPELINE if name in arguments}

    @pipeline_def(batch_size=batch_size, num_threads=1, device_id=None, **options)
    def define() -> Any:
        numbers, _ = fn.readers.file(files=[*map(str, files)], name="files", **arguments)
        return numbers, fn.random.uniform(range=[0.0, 1.0])

    return define()


def of_source(source: Any, batch_size: int = 3, *, options: Any = None, **arguments: Any) -> Pipeline:
    """A pipeline that hands out what the source gives."""

    @pipeline_def(batch_size=batch_size, num_threads=1, device_id=None, **(options or {}))
    def define() -> Any:
        made = fn.external_source(source, **arguments)
        return tuple(made) if isinstance(made, list) else made

    return define()


def counted(batches: int) -> Callable[[], Any]:
    """A generator of batches of three that hold the batch's number."""

    def generate() -> Any:
        for number in range(batches):
            yield np.full((3, 1), number, np.int32)

    return generate


def digits(batch: Any) -> str:
    """What the pipelines of a step gave, one digit a sample."""
    return "/".join("".join(str(int(number)) for number in np.ravel(each["number"])) or "-" for each in batch)


def epoch(batches: Any) -> str:
    """The rest of an epoch."""
    return " ".join(digits(batch) for batch in batches)
