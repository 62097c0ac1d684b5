"""All samples of a reader of a COCO data set, to be compared."""

from __future__ import annotations

from typing import Any

from penstock.readers import Reader
from readers.promises import values


def outputs_of(reader: Reader) -> list[list[Any]]:
    """All samples in the form `expected` has them, for images that hold their own names."""
    batch = next(reader.next_epoch(batch_size=reader.get_metadata()["epoch_size"]))
    names = [bytes(name).decode() for name in values(batch[0])]
    return [list(sample) for sample in zip(names, *map(values, batch[1:]), strict=True)]


def problem_of(reader: Reader) -> str | None:
    """What a reader says when all its samples are asked for, if it refuses."""
    try:
        reader.read(range(reader.get_metadata()["epoch_size"]))
    except (RuntimeError, ValueError) as error:
        return str(error)
    return None
