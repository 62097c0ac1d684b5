"""Messages under "penstock" of Python's logging."""

from __future__ import annotations

import logging
import subprocess
import sys

import numpy as np

import penstock.dynamic as ndd
from penstock.values.log import log


def test_a_reader_tells_what_it_opened_and_what_it_skipped(tmp_path, caplog):
    for number in range(3):
        np.save(tmp_path / f"{number}.npy", np.zeros(2))
    (tmp_path / "1.npy").write_bytes(b"damaged")
    reader = ndd.readers.Numpy(file_root=str(tmp_path), file_filter="*.npy", on_error="skip")
    with caplog.at_level("INFO", "penstock"):
        for _ in reader.next_epoch(batch_size=2, last_batch="partial"):
            pass
    assert caplog.record_tuples[0] == ("penstock.readers", logging.INFO, "Numpy: 3 samples")
    assert any("Numpy: sample 1 is bad: " in message for _, _, message in caplog.record_tuples)


def test_plans_of_loops_are_told_to_those_who_debug(caplog):
    source = ndd.readers.File(files=[__file__] * 4)
    with caplog.at_level("DEBUG", "penstock"):
        for contents, _ in source.next_epoch(batch_size=2, compile=True):
            (contents + 1).evaluate()
    assert any(name == "penstock.engine" and "stage 1" in message for name, _, message in caplog.record_tuples)


def test_values_are_put_into_a_message_only_where_it_is_read(caplog):
    class Costly:
        def __str__(self) -> str:
            raise AssertionError

    with caplog.at_level("INFO", "penstock"):
        log("DEBUG", "engine", "%s", Costly())
    assert caplog.record_tuples == []


def test_logging_is_not_imported_for_it():
    code = "import sys, penstock.values.log as l; l.log('INFO', 'x', 'y'); sys.exit('logging' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
