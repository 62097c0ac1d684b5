"""Random programs of nested conditions do for each sample what plain Python does."""

from __future__ import annotations

import itertools
import linecache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock import fn, pipeline_def

VARIABLES = ("a", "b", "c")
_files = itertools.count()

operands = st.one_of(st.sampled_from(VARIABLES), st.integers(-3, 6).map(str))
sums = st.tuples(operands, st.sampled_from("+-"), operands).map(" ".join)
comparisons = st.tuples(st.sampled_from(VARIABLES), st.sampled_from(["<", ">", "==", "!="]), operands).map(" ".join)


def joined(parts: tuple[str, str, str]) -> str:
    return f"({parts[0]}) {parts[1]} ({parts[2]})"


conditions = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(joined), inner.map(lambda each: f"not ({each})")
    ),
    max_leaves=4,
)
assignments = st.tuples(st.sampled_from(VARIABLES), sums).map(lambda parts: [f"{parts[0]} = {parts[1]}"])


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def branching(inner: Any) -> Any:
    def text(parts: tuple[str, list[str], list[str] | None]) -> list[str]:
        test, then, otherwise = parts
        tail = [] if otherwise is None else ["else:", *indented(otherwise)]
        return [f"if {test}:", *indented(then), *tail]

    return st.tuples(conditions, inner, st.one_of(st.none(), inner)).map(text)


def blocks(inner: Any) -> Any:
    return st.lists(inner, min_size=1, max_size=3).map(lambda parts: list(itertools.chain(*parts)))


def returning(parts: tuple[str, list[str], list[str]]) -> list[str]:
    test, then, rest = parts
    return [f"if {test}:", *indented(then), "    return a, b, c", *rest]


statements = st.recursive(assignments, lambda inner: st.one_of(branching(blocks(inner)), blocks(inner)), max_leaves=8)
programs = st.one_of(blocks(statements), st.tuples(conditions, blocks(statements), blocks(statements)).map(returning))


def compiled(program: list[str]) -> Any:
    """The program as a function of a, b and c, with a source that can be found."""
    name = f"<program {next(_files)}>"
    source = "\n".join(["def program(a, b, c):", *indented(program), "    return a, b, c", ""])
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    space: dict[str, Any] = {}
    exec(compile(source, name, "exec"), space)
    return space["program"]


@pytest.mark.filterwarnings("ignore:The external source node")  # a program may use what it likes
@settings(max_examples=60, deadline=None)
@given(programs, st.lists(st.tuples(*[st.integers(-2, 5)] * 3), min_size=1, max_size=7))
def test_every_sample_goes_its_own_way(program, samples):
    function = compiled(program)

    @pipeline_def(enable_conditionals=True, batch_size=len(samples), num_threads=1, device_id=None)
    def graph() -> Any:
        given = fn.external_source(lambda: [*np.ascontiguousarray(np.array(samples, np.int32).T)], num_outputs=3)
        return function(*given)

    made = [np.asarray(output.as_array()).tolist() for output in graph().run()]
    assert made == [[function(*sample)[k] for sample in samples] for k in range(3)]
