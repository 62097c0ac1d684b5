"""What a native builder reads besides specs and arguments is declared, and declared as it is."""

from __future__ import annotations

import inspect

import pytest

from penstock.ops._index import OPERATORS
from penstock.ops.declaration import declaration
from penstock.schema import Operator

FROM_THE_ENGINE = ("samples", "others", "threads", "batch_size")


@pytest.mark.parametrize("path", [path for path in OPERATORS if declaration(path).native_step is not None])
def test_a_builder_takes_what_its_operator_declares(path: str) -> None:
    op = declaration(path)
    assert op.native_step is not None
    parameters = inspect.signature(op.native_step).parameters
    declared = (op.reads_data, op.reads_others, op.reads_threads, op.reads_batch_size)
    assert tuple(name in parameters for name in FROM_THE_ENGINE) == declared
    if op.reads_data:
        assert op.needs_data is (parameters["samples"].default is inspect.Parameter.empty)


@pytest.mark.parametrize("path", [path for path in OPERATORS if declaration(path).stacked is not None])
def test_a_stacked_function_takes_what_its_operator_declares(path: str) -> None:
    op = declaration(path)
    assert op.stacked is not None
    assert op.stack_reads_threads is ("threads" in inspect.signature(op.stacked).parameters)


def test_names_of_parameters_mean_nothing() -> None:
    op = Operator(lambda image: image, name="op")

    @op.native
    def native(image, *, samples=None, others=None, threads=1, batch_size=0):  # type: ignore[no-untyped-def]
        return None

    @op.on_stack
    def stack(images, threads=1):  # type: ignore[no-untyped-def]
        return images

    assert op.native_step is native
    assert op.stacked is stack
    reads = (op.reads_data, op.needs_data, op.reads_others, op.reads_threads, op.reads_batch_size)
    assert not any((*reads, op.stack_reads_threads))
    assert not op.step_varies


def test_needed_data_are_read() -> None:
    op = Operator(lambda image: image, name="op")
    op.native(needs_data=True)(lambda image, *, samples: None)
    assert op.reads_data
    assert op.step_varies
