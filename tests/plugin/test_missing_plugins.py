"""Plugins of DALI that are not here: to import one says what takes its place, under DALI's name as well."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from one_interpreter import outcomes

MISSING = {"tf": "tf.data.Dataset.from_generator", "paddle": "paddle.to_tensor"}
PROGRAM = "import penstock.compat\n\npenstock.compat.install()\n\nimport nvidia.dali.plugin.{}\n"


@pytest.mark.parametrize(("name", "instead"), MISSING.items())
def test_a_missing_plugin_says_what_to_use(name: str, instead: str) -> None:
    with pytest.raises(ImportError, match=f"there is no plugin for .*{instead}"):
        importlib.import_module(f"penstock.plugin.{name}")


def test_so_it_is_in_programs_written_for_dali(tmp_path: Path) -> None:
    scripts = []
    for name in ("tf", "tf.experimental", "paddle"):
        scripts.append(tmp_path / f"{name}.py")
        scripts[-1].write_text(PROGRAM.format(name))
    told = [outcome.error for outcome in outcomes(scripts)]
    assert [MISSING[name] in error for name, error in zip(("tf", "tf", "paddle"), told, strict=True)] == [True] * 3
