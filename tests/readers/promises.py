"""What every reader promises, and small data sets to hold it to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.readers import File, Reader


def numbered_files(root: Path, count: int) -> str:
    """A folder of one class whose files hold their own number."""
    folder = root / "class"
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:03d}.jpg").write_text(str(number))
    return str(root)


def values(output: Any) -> list[list[Any]]:
    """The samples of one output."""
    if isinstance(output, Samples):
        return [output.sample(i).tolist() for i in range(len(output))]
    return [np.asarray(sample).tolist() for sample in output]


def contents(outputs: Any) -> list[list[list[Any]]]:
    """The samples of all outputs, of a tuple or a dict."""
    return [values(output) for output in (outputs.values() if isinstance(outputs, dict) else outputs)]


def numbers(outputs: tuple[Samples, ...]) -> list[int]:
    """What a batch of numbered files holds."""
    return [int(bytes(text)) for text in values(outputs[0])]


def epochs(reader: Reader, count: int, batch_size: int | None = None) -> list[list[list[int]]]:
    """The numbers in each batch of each epoch."""
    return [[numbers(batch) for batch in reader.next_epoch(batch_size=batch_size)] for _ in range(count)]


def one_by_one(file_root: str, count: int, **arguments: Any) -> list[list[int]]:
    """The numbers a `File` reader hands out in each epoch, a sample at a time."""
    return [[batch[0] for batch in epoch] for epoch in epochs(File(file_root=file_root, **arguments), count)]


def endless(reader: Reader, batch_size: int | None) -> Iterator[Any]:
    while True:
        yield from reader.next_epoch(batch_size=batch_size)


def check_resume(make_reader: Callable[[], Reader], batch_size: int | None = 3, count: int = 2) -> None:
    """Saves the state at every step of two epochs; a new reader goes on from each exactly as the first one did."""
    reader = make_reader()
    batches, states = [], []
    for _ in range(count):
        for outputs in reader.next_epoch(batch_size=batch_size):
            batches.append(contents(outputs))
            states.append(str(reader.get_state()))
    batches += [contents(outputs) for outputs in reader.next_epoch(batch_size=batch_size)]
    assert len(states) >= 2
    for step, state in enumerate(states, 1):
        resumed = make_reader()
        resumed.set_state(state)
        rest = islice(endless(resumed, batch_size), len(batches) - step)
        assert [contents(outputs) for outputs in rest] == batches[step:], f"resumed after {step}"
