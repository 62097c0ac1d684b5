"""penstock doctor."""

from __future__ import annotations

import penstock.dynamic as ndd
from penstock.cli import main


def test_doctor_names_threads_and_codecs(capsys):
    ndd.set_num_threads(3)
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "3 (set_num_threads)" in said
    assert "libjpeg-turbo" in said
    assert "PNG" in said
    assert "torch" in said
