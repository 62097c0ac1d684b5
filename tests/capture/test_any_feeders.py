"""Any loop that reads sources, compiled, gives what it gives as it is written."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from capture.loops import Pictures
from capture.sources import SIZE, check_fed, numbers

# A read of a step: which source, with or without a batch size.
reads = st.tuples(st.integers(0, 2), st.sampled_from([SIZE, SIZE, None]))
usual = st.lists(reads, min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(
    every=usual,
    other=st.dictionaries(st.integers(0, 9), usual | st.just([])),
    lengths=st.lists(st.integers(1, 25), min_size=3, max_size=3),
    over_source=st.booleans(),
    stop_after=st.sampled_from([None, 1, 2, 4]),
    draws=st.booleans(),
)
def test_any_loop(
    every: list[Any], other: dict[int, list[Any]], lengths: list[int], over_source: bool, stop_after: Any, draws: bool
) -> None:
    def body(batch: Any, sources: list[ndd.ExternalSource], step: int) -> list[Any]:
        made = [batch * 2]
        for at, size in other.get(step, every):
            read = sources[at](batch_size=size)
            made += [read, made[0] + ndd.reductions.sum(read)]
            if draws and step % 4 < 3:
                made.append(read * ndd.random.uniform(range=[0, 1], batch_size=size))
        return made

    def root() -> Any:
        return numbers(6) if over_source else Pictures(size=18)

    def sources() -> list[ndd.ExternalSource]:
        return [numbers(length, "quiet", filled_again=False) for length in lengths]

    check_fed(body, root, sources, count=3, stop_after=stop_after)
