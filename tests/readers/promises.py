"""What every reader promises, and small data sets to hold it to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.readers import File, Reader
from penstock.readers.core.order import LastBatch


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


def check_resume(
    make_reader: Callable[[], Reader], batch_size: int | None = 3, count: int = 2, last_batch: LastBatch = "fill"
) -> None:
    """Saves the state at every step of some epochs; a new reader goes on from each as the first one did.

    What it gives is the rest of that epoch, then whole ones.
    """
    reader = make_reader()
    run, states = [], []
    for number in range(count):
        run.append([])
        for outputs in reader.next_epoch(batch_size=batch_size, last_batch=last_batch):
            run[number].append(contents(outputs))
            states.append((number, len(run[number]), str(reader.get_state())))
    run.append([contents(outputs) for outputs in reader.next_epoch(batch_size=batch_size, last_batch=last_batch)])
    assert len(states) >= 2
    for number, step, state in states:
        resumed = make_reader()
        resumed.set_state(state)
        going_on = run[number + 1 :]
        if resumed.epoch == number:
            going_on.insert(0, run[number][step:])
        else:
            assert run[number][step:] == []
        for expected in going_on:
            epoch = resumed.next_epoch(batch_size=batch_size, last_batch=last_batch)
            steps, batches = len(epoch), [contents(outputs) for outputs in epoch]
            assert batches == expected, f"resumed after step {step} of epoch {number}"
            assert steps >= len(batches)
