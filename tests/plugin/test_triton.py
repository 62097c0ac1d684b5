"""Pipelines that are written for inference servers."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from penstock import Pipeline, fn, pipeline_def
from penstock.plugin.triton import autoserialize, invoke_autoserialize


@autoserialize
@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def marked():
    return fn.external_source(name="x") * 2


@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def other():
    return fn.ones(shape=[1])


def module(name: str, **contents: object) -> ModuleType:
    made = ModuleType(name)
    vars(made).update(contents)
    return made


def test_the_pipeline_that_is_marked_is_written(tmp_path: Path) -> None:
    below = module("model.steps", marked=marked)
    invoke_autoserialize(module("model", other=other, steps=below, elsewhere=np), tmp_path / "model.dali")
    restored = Pipeline.deserialize(filename=str(tmp_path / "model.dali"))
    restored.feed_input("x", [np.float32([3])] * 2)
    assert restored.run()[0].as_array().tolist() == [[6], [6]]


def test_there_is_one_of_them(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="Precisely one autoserialize function must exist"):
        invoke_autoserialize(module("model", other=other), tmp_path / "model.dali")
    with pytest.raises(RuntimeError, match="Found 2"):
        invoke_autoserialize(module("model", a=marked, b=marked), tmp_path / "model.dali")
    with pytest.raises(TypeError, match="Only `@pipeline_def` can be decorated"):
        autoserialize(lambda: 1)
