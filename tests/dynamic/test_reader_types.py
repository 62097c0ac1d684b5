"""The readers of ndd as type checkers see them: mypy reads this file, and it runs."""

from __future__ import annotations

import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import penstock.dynamic as ndd
from readers.promises import numbered_files

NO_READERS = ("BadSample", "Reader", "Storage", "reshard")


def test_epochs_hand_out_as_many_batches_as_there_are_outputs(tmp_path: Path) -> None:
    reader = ndd.readers.File(file_root=numbered_files(tmp_path, 3), random_shuffle=True)
    both: tuple[ndd.Batch, ndd.Batch]
    for both in reader.next_epoch(batch_size=2, last_batch="partial"):
        assert len(both) == 2
    files, labels = next(reader.next_epoch(2, last_batch="partial"))
    assert isinstance(files.shape, list)
    assert isinstance(labels, ndd.Batch)


def test_mistakes_are_seen_by_type_checkers_and_told_at_run_time() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'shuffel'; did you mean 'random_shuffle'"):
        ndd.readers.File(file_root="x", shuffel=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="did you mean 'file_root'"):
        ndd.readers.File(file_rot="x")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'path'"):
        ndd.readers.MXNet()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="did you mean 'size'"):
        ndd.readers.VideoResize(sequence_length=2, file_root="x", siz=[2, 2])  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="last_batch is one of"):
        ndd.readers.File(file_root="x").next_epoch(2, last_batch="cut")  # type: ignore[call-overload]


def test_mypy_knows_the_outputs_and_the_arguments(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(
        "import penstock.dynamic as ndd\n"
        "for outputs in ndd.readers.File(file_root='x').next_epoch(2):\n"
        "    reveal_type(outputs)\n"
        "reveal_type(next(ndd.readers.Numpy(file_root='x').next_epoch(2)))\n"
        "reveal_type(next(ndd.readers.Webdataset(paths='x', ext='jpg').next_epoch(2)))\n"
        "reveal_type(next(ndd.experimental.readers.Fits(file_root='x').next_epoch(2)))\n"
        "ndd.readers.File(shuffel=True)\n"
    )
    command = [sys.executable, "-m", "mypy", "--config-file", "", "--no-error-summary", str(program)]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    batch = "penstock.dynamic.values.batch.Batch"
    expected = [f"({batch}, {batch})", f"({batch})", f"({batch}, ...)", f"({batch}, ...)"]
    shown = [line.partition("Revealed type is ")[2] for line in told.splitlines() if "Revealed" in line]
    shown = [line.strip('"').replace("builtins.", "").replace("tuple[", "(").replace("]", ")") for line in shown]
    assert [line.partition(", fallback")[0] for line in shown] == expected
    assert 'Unexpected keyword argument "shuffel" for "File"' in told


@pytest.mark.parametrize("name", [each for each in ndd.readers.__all__ if each not in NO_READERS])
def test_help_shows_what_a_reader_does(name: str) -> None:
    shown = pydoc.plain(pydoc.render_doc(getattr(ndd.readers, name)))
    assert "Reads" in shown.partition("Method resolution order")[0]
    assert "random_shuffle: Hand out a random one" in shown
