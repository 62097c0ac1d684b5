"""Readers know how many things a sample consists of before they read one: pipelines ask them."""

from __future__ import annotations

import pytest

from readers.every_reader import EVERY, plain_reader


@pytest.mark.parametrize("name", EVERY)
def test_a_reader_foretells_its_outputs(name: str) -> None:
    reader = plain_reader(name, 2)
    foretold, names = reader._output_count, reader._output_names
    outputs = next(iter(reader.next_epoch(batch_size=2)))
    assert len(outputs) == foretold
    assert names is None or len(names) == foretold
