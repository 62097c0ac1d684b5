"""Commands set the number of threads for the whole process; tests leave it as it was."""

from __future__ import annotations

import pytest

import penstock.dynamic as ndd


@pytest.fixture(autouse=True)
def usual_threads():
    yield
    ndd.set_num_threads(None)
