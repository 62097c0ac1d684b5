"""Any loop, compiled, gives what it gives as it is written."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from capture.loops import check_compiled

# What a line of a loop's body does to a batch of pictures; `number` is its argument.
LINES: list[Callable[[Any, Any, int], Any]] = [
    lambda pictures, other, number: ndd.flip(pictures, horizontal=number % 2),
    lambda pictures, other, number: ndd.flip(pictures, vertical=ndd.random.coin_flip(batch_size=3)),
    lambda pictures, other, number: ndd.brightness(pictures, brightness=number / 2),
    lambda pictures, other, number: ndd.cast(pictures + number, dtype=ndd.uint8),
    lambda pictures, other, number: ndd.cast(pictures // 2 + other // 2, dtype=ndd.uint8),
    lambda pictures, other, number: ndd.resize(pictures, size=[5, 4], interp_type=ndd.InterpType(number % 2)),
    lambda pictures, other, number: ndd.noise.salt_and_pepper(pictures, prob=0.3),
    lambda pictures, other, number: ndd.permute_batch(pictures, indices=[2, 0, 1]),
]


@st.composite
def lines(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Each takes earlier results, with an argument that may change, and may be left out of some steps."""
    return [
        {
            "line": draw(st.sampled_from(LINES)),
            "inputs": (draw(st.integers(0, k)), draw(st.integers(0, k))),
            "numbers": draw(st.lists(st.integers(0, 3), min_size=1, max_size=3)),
            "left_out": draw(st.sampled_from([frozenset(), frozenset(), frozenset({0}), frozenset({1, 4})])),
        }
        for k in range(draw(st.integers(1, 5)))
    ]


@settings(max_examples=60, deadline=None)
@given(
    program=lines(),
    asked=st.sets(st.integers(0, 5), min_size=1),
    stop_after=st.sampled_from([None, 1, 2, 3]),
    shuffled=st.booleans(),
)
def test_any_loop(program: list[dict[str, Any]], asked: set[int], stop_after: int | None, shuffled: bool) -> None:
    def body(pictures: Any, numbers: Any, step: int) -> list[Any]:
        made = [pictures]
        for line in program:
            one, other = (made[k] for k in line["inputs"])
            number = line["numbers"][step % len(line["numbers"])]
            made.append(one if step in line["left_out"] else line["line"](one, other, number))
        return [made[k] for k in asked if k < len(made)] or [made[-1]]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_compiled(body, count=3, stop_after=stop_after, random_shuffle=shuffled, seed=2)
