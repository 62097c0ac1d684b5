"""Readers for minutes: killed and resumed, fed with damaged files, watched for leaks. `make soak` runs these.

Each scenario takes the seconds it may last and a seed, and raises where something is wrong.
"""

from __future__ import annotations

import operator
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import psutil

import penstock.dynamic as ndd
from readers.every_reader import EVERY, rows

_SAMPLES = 10
# What a mutation writes: the numbers that parsers trip over, at any place.
_NUMBERS = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, (1 << 63) - 1, (1 << 64) - 1]

_TRAINING = """
import os, sys
import penstock.dynamic as ndd

files, log, pattern, seed, end = *sys.argv[1:4], *map(int, sys.argv[4:])
reader = ndd.readers.File(file_root=files, random_shuffle=True, initial_fill=16, seed=seed)
checkpoint = ndd.checkpoint.current()
step = int(os.path.basename(checkpoint.load(pattern))) + 1 if os.path.exists(log) else 0
checkpoint.register(reader, "reader")
with open(log, "a") as written:
    while step < end:
        for _, labels in reader.next_epoch(batch_size=3):
            print(step, [label.item() for label in labels], file=written, flush=True)
            checkpoint.collect()
            checkpoint.save(pattern)
            step += 1
            if step >= end:
                break
"""


def killed_runs(seconds: float, seed: int) -> None:
    """A process that reads is killed at any moment and started again: together the runs are one that was not."""
    choice, end_time = random.Random(seed), time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for number in range(50):
            (root / "files" / f"{number:02d}").mkdir(parents=True)
            (root / "files" / f"{number:02d}" / "a.jpg").write_text(str(number))
        _train(root, "whole", seed, 60)
        expected = (root / "whole" / "log").read_text()
        run = 0
        while time.monotonic() < end_time:
            run += 1
            while (code := _train(root, f"run{run}", seed, 60, kill_after=choice.uniform(0.3, 1.5))) != 0:
                assert code == -signal.SIGKILL, f"a run that was resumed ended with code {code}"
            log = (root / f"run{run}" / "log").read_text().splitlines(keepends=True)
            # A step is written down before it is saved: one that was killed in between comes again, and is the same.
            steps = {line.split()[0]: line for line in log if line.endswith("]\n")}
            assert "".join(steps.values()) == expected, f"run {run} of seed {seed} is not the one without kills"
            shutil.rmtree(root / f"run{run}")
        print(f"{run} runs, each equal to the one that was not killed")


def _train(root: Path, name: str, seed: int, steps: int, kill_after: float | None = None) -> int:
    work = root / name
    work.mkdir(exist_ok=True)
    saved = any(each.name != "log" for each in work.iterdir())
    if not saved:
        (work / "log").unlink(missing_ok=True)  # killed before anything was saved
    arguments = [root / "files", work / "log", work / "{seq:04d}", seed, steps]
    process = subprocess.Popen([sys.executable, "-c", _TRAINING, *map(str, arguments)])
    try:
        return process.wait(kill_after if kill_after is not None else 120)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        if kill_after is None:
            raise
        return -signal.SIGKILL


def corrupt_corpus(seconds: float, seed: int) -> None:
    """Data sets of every reader with a few bytes changed: an error, or samples; those of other files are all there."""
    choice, end_time = random.Random(seed), time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = Path(folder) / "whole"
        sets = {}
        for name, write in EVERY.items():
            (whole / name).mkdir(parents=True)
            sets[name] = write(whole / name, _SAMPLES)
        expected = {name: _read(name, arguments) for name, arguments in sets.items()}
        count = 0
        while time.monotonic() < end_time:
            count += 1
            name = choice.choice([*EVERY])
            damaged = choice.choice([file for file in sorted((whole / name).rglob("*")) if file.is_file()])
            before = damaged.read_bytes()
            damaged.write_bytes(mutated(before, choice))
            try:
                _check_damaged(name, sets[name], expected[name], damaged)
            except BaseException:
                kept = Path(tempfile.gettempdir()) / f"soak-{name}-{os.getpid()}-{damaged.name}"
                shutil.copy(damaged, kept)
                print(f"seed {seed}: {name} with a damaged {damaged.name}, kept as {kept}", file=sys.stderr)
                raise
            finally:
                damaged.write_bytes(before)
        print(f"{count} damaged data sets")


def mutated(data: bytes, choice: random.Random) -> bytes:
    """The data cut, with some bytes changed, or with a number in it that is out of the ordinary."""
    made = bytearray(data)
    for _ in range(choice.randint(1, 4)):
        at = choice.randrange(len(made) + 1)
        kind = choice.random()
        if kind < 0.2:
            del made[at:]
        elif kind < 0.4:
            made[at : at + choice.randint(1, 8)] = choice.randbytes(choice.randint(1, 8))
        elif kind < 0.6 and any(byte in b"0123456789" for byte in made):
            places = [k for k, byte in enumerate(made) if byte in b"0123456789"]
            made[(place := choice.choice(places)) : place + 1] = str(choice.choice(_NUMBERS)).encode()
        else:
            number, size = choice.choice(_NUMBERS), choice.choice([1, 2, 4, 8])
            written = (number & ((1 << 8 * size) - 1)).to_bytes(size, choice.choice(["little", "big"]))
            made[at : at + size] = written
    return bytes(made)


def _read(name: str, arguments: dict[str, Any]) -> dict[int, Any]:
    """An epoch, by the numbers of the samples."""
    reader: Any = operator.attrgetter(name)(ndd)(**arguments, on_error="skip")
    reader._as_outputs = lambda outputs, single: outputs
    found: dict[int, Any] = {}
    for outputs in reader.next_epoch(batch_size=3):
        found.update(rows(outputs))
    return found


def _check_damaged(name: str, arguments: dict[str, Any], expected: dict[int, Any], damaged: Path) -> None:
    try:
        found = _read(name, arguments)
    except RuntimeError:  # of what tells where the samples are
        return
    except ValueError as error:  # as DALI raises it for fields of annotations
        if name == "readers.COCO":
            return
        raise AssertionError(f"not a RuntimeError: {error!r}") from error
    one_file_each = len([file for file in damaged.parent.iterdir() if file.is_file()]) == _SAMPLES
    if one_file_each and len(expected) == _SAMPLES:
        same = [index for index in expected if _equal(found.get(index), expected[index])]
        assert len(same) >= _SAMPLES - 1, f"only the samples {same} are as they were, though one file was damaged"


def _equal(one: Any, other: Any) -> bool:
    return repr(one) == repr(other)


def no_leak(seconds: float, seed: int) -> None:
    """Epochs over good and bad samples of every reader, again and again: memory stays where it was after the first."""
    choice, start = random.Random(seed), time.monotonic()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sets = {}
        for name, write in EVERY.items():
            (Path(folder) / name).mkdir()
            sets[name] = write(Path(folder) / name, _SAMPLES)
        ogg = Path(folder) / "bad.ogg"
        ogg.write_bytes(b"OggS" + choice.randbytes(4000))
        process, levels = psutil.Process(), []
        while time.monotonic() < start + seconds:
            for name, arguments in sets.items():
                _read(name, arguments)
            for _ in range(50):
                sounds = ndd.readers.File(files=[ogg, ogg], check=ndd.decoders.audio, on_error="skip")
                try:
                    next(sounds.next_epoch(batch_size=1))
                except RuntimeError:
                    continue
            levels.append(process.memory_info().rss)
        settled = levels[len(levels) // 3 :]
        if len(settled) > 8:
            growth = np.polyfit(np.arange(len(settled)), settled, 1)[0]
            assert growth < 64 << 10, f"{growth / 1024:.0f} kB more with every round of {len(levels)}"
        print(f"{len(levels)} rounds over every reader")
