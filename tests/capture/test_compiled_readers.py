"""Every reader hands out in a compiled loop what it hands out without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.decode.files import RGB, saved
from penstock._native import RecentCalls
from penstock.ops.declaration import declaration
from readers.every_reader import EVERY, reader_of


def epoch(name: str, **options: Any) -> list[Any]:
    made = []
    for step in reader_of(name, 6).next_epoch(batch_size=2, **options):
        named = step.items() if isinstance(step, dict) else enumerate(step)
        made.append({key: [np.array(sample) for sample in ndd.copy(batch)] for key, batch in named})
    return made


@pytest.mark.parametrize("name", EVERY)
def test_a_compiled_epoch_is_the_same(name: str) -> None:
    written, compiled = epoch(name), epoch(name, compile=True)
    assert len(compiled) == len(written) == 3
    for one, other in zip(written, compiled, strict=True):
        assert other.keys() == one.keys()
        for key, samples in one.items():
            for expected, got in zip(samples, other[key], strict=True):
                np.testing.assert_array_equal(got, expected)


def write(folder: Path, *kinds: str) -> list[str]:
    paths = [folder / f"{number}.{kind}" for number, kind in enumerate(kinds)]
    for path in paths:
        path.write_bytes(saved(RGB, path.suffix[1:]).tobytes() if path.suffix != ".broken" else b"\xff\xd8\xff")
    return [*map(str, paths)]


def decoded(reader: Any, **options: Any) -> list[Any]:
    made: list[Any] = []
    try:
        for jpegs, _ in reader.next_epoch(batch_size=2, **options):
            images = ndd.resize(ndd.decoders.image(jpegs), size=[6, 8])
            made.append(np.array(ndd.as_tensor(images)))
    except RuntimeError as error:
        made.append(str(error))
    return made


@pytest.mark.parametrize("last", ["JPEG", "PNG", "broken"])
def test_formats_may_change_from_one_batch_to_the_next(last: str, tmp_path: Path) -> None:
    files = write(tmp_path, *["JPEG"] * 8, "PNG", "JPEG", "JPEG", "JPEG", "PNG", "PNG", "JPEG", last)
    written, compiled = decoded(ndd.readers.File(files=files)), decoded(ndd.readers.File(files=files), compile=True)
    assert len(written) == len(compiled) == 8
    for one, other in zip(written, compiled, strict=True):
        np.testing.assert_array_equal(other, one)


def test_the_decoder_of_jpegs_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built, op = [], declaration("decoders.image")
    build = op.native_step
    assert build is not None
    monkeypatch.setattr(op, "native_step", lambda *specs, **arguments: built.append(1) or build(*specs, **arguments))
    monkeypatch.setattr(op, "memo", {})  # other tests have built it, too
    monkeypatch.setattr(op, "recent", RecentCalls())
    reader = ndd.readers.File(files=write(tmp_path, *["JPEG"] * 12))
    decoded(reader, compile=True)
    before = len(built)
    decoded(reader, compile=True)
    assert 0 < before == len(built)
