"""DataNode: arithmetic and indexing of what does not exist yet."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from penstock import DataNode, Pipeline, fn, newaxis

ROWS = np.arange(12, dtype=np.int32).reshape(3, 4)


def made(define: Callable[[Any], Any], layout: str = "HW") -> Any:
    """What a node with the rows becomes."""
    pipeline = Pipeline(batch_size=1, num_threads=1, device_id=None)
    with pipeline:
        pipeline.set_outputs(define(fn.external_source(lambda: [ROWS], layout=layout)))
    (output,) = pipeline.run()
    return output


@pytest.mark.parametrize(
    ("define", "expected"),
    [
        (lambda node: node[1], ROWS[1]),
        (lambda node: node[:, 2], ROWS[:, 2]),
        (lambda node: node[1:, :-1], ROWS[1:, :-1]),
        (lambda node: node[node[0, 1]], ROWS[1]),
        (lambda node: node[node[0, 1] :, 1], ROWS[1:, 1]),
        (lambda node: node[:, newaxis], ROWS[:, None]),
        (lambda node: node[:, None], ROWS[:, None]),
        (lambda node: node[None, 0], ROWS[None, 0]),
        (lambda node: node[1, newaxis, 1:], ROWS[1, None, 1:]),
        (lambda node: node.shape()[0] * node - 1, 3 * ROWS - 1),
    ],
)
def test_parts_of_a_node_are_those_of_its_samples(define: Callable[[Any], Any], expected: Any) -> None:
    np.testing.assert_array_equal(made(define).at(0), expected)


def test_a_new_axis_may_have_a_name() -> None:
    output = made(lambda node: node[:, :, newaxis("C")])
    assert output.layout() == "HWC"
    assert output.at(0).shape == (3, 4, 1)


@pytest.mark.parametrize(
    ("index", "error"), [(..., NotImplementedError), ("a", TypeError), ([1], TypeError), (1.5, TypeError)]
)
def test_what_is_no_index_is_refused(index: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        made(lambda node: node[index])


def test_an_axis_has_a_name_of_one_letter() -> None:
    with pytest.raises(ValueError, match="'HW'"):
        newaxis("HW")


def test_a_node_is_neither_true_nor_a_sequence() -> None:
    node = DataNode("node")
    with pytest.raises(TypeError, match="conditional context"):
        bool(node)
    with pytest.raises(TypeError):
        iter(node)  # type: ignore[call-overload]


@pytest.mark.parametrize("module", ["penstock", "penstock.pipeline", "penstock.pipeline.definition.data_node"])
def test_nodes_make_calls_wherever_they_were_imported_from(module: str) -> None:
    """A node makes calls by a function that is set as the package is imported."""
    program = f"""
from {module} import DataNode
for made in (DataNode("a") + 1, DataNode("a")[0], DataNode("a").shape(), DataNode("a").source_info()):
    assert type(made) is DataNode
"""
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)
