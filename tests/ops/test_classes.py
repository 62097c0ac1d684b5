"""`from penstock import ops`: the classes of pipelines, beside the declarations."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import penstock
import penstock.pipeline.ops as classes
from penstock import Pipeline, fn, ops

PATHS = [*json.loads((Path(__file__).parents[1] / "pipeline/spec_data.json").read_text()).values()]


def found(root: object, path: str) -> object:
    for part in path.split("."):
        root = getattr(root, part)
    return root


@pytest.mark.parametrize("path", sorted(PATHS))
def test_a_class_is_that_of_pipelines(path: str) -> None:
    assert found(ops, path) is found(classes, path)


def test_they_make_pipelines() -> None:
    pipeline = Pipeline(2, 1, None)
    with pipeline:
        images = fn.zeros(shape=[8, 8, 3], dtype=penstock.types.UINT8)
        pipeline.set_outputs(ops.Resize(size=[4, 2])(images), ops.random.Uniform(values=[3.0])())
    small, draws = pipeline.run()
    assert (small[0].shape(), draws.as_array().tolist()) == ([4, 2, 3], [3, 3])


def test_declarations_are_where_they_were() -> None:
    from penstock.ops.image.flip import flip
    from penstock.ops.random.uniform import uniform

    assert (flip.path, uniform.path) == ("flip", "random.uniform")
    assert ops.image.flip.flip is flip


def test_names_are_listed_and_offered() -> None:
    assert {"Resize", "decoders", "readers"} <= {*dir(ops)}
    assert "Uniform" in dir(ops.random)
    with pytest.raises(AttributeError, match=r"did you mean ops.Resize\?"):
        ops.Resiz  # noqa: B018
    with pytest.raises(AttributeError, match=r"did you mean ops.random.Uniform\?"):
        ops.random.Unifor  # noqa: B018


BEFORE = "import sys, penstock.ops.image.flip; assert 'penstock.pipeline' not in sys.modules"


@pytest.mark.parametrize(
    "program",
    [
        f"{BEFORE}; from penstock import ops; ops.Flip; ops.random.Uniform; ops.io.file.Read",
        f"{BEFORE}; import penstock.ops.random as r; assert 'penstock.pipeline' not in sys.modules; r.Uniform",
        "import penstock; penstock.ops.experimental.readers.Video; penstock.ops.noise.Gaussian",
        "import penstock.dynamic as ndd; ndd.random.uniform(); from penstock.ops import random; random.CoinFlip",
        "from penstock.ops import Compose, readers; readers.File",
    ],
)
def test_whatever_was_imported_before(program: str) -> None:
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
