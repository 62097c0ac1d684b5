"""`ndd.ExternalSource`. `pulled` calls a source several times; where it has ended the result is its number, -1."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np


def inputs(ndd: Any) -> dict[str, Any]:
    pair = [np.float32([1, 2]), np.float32([3, 4])]
    three = ndd.batch([1, 2, 300])
    named = {"ES": ndd.ExternalSource, "pair": pair, "three": three, "pulled": pulled, "counting": counting}
    return named | {"looped": partial(looped, ndd)}


def looped(ndd: Any, source: Any, feeder: Any = None, batch_size: Any = 3, epochs: int = 2, steps: int = 5) -> Any:
    """What a compiled loop makes of a source, and of another that its body reads."""
    made = []
    for _ in range(epochs):
        for step, given in enumerate(source.captured(batch_size), 1):
            extra = () if feeder is None else (feeder(batch_size=batch_size),)
            made += [ndd.as_tensor(ndd.cast(each, dtype=ndd.float32)) for each in (given, *extra)]
            if step == steps:
                break
    return tuple(made)


def pulled(source: Any, times: int = 5, **call: Any) -> tuple[Any, ...]:
    results = []
    for _ in range(times):
        try:
            results.append(source(**call))
        except StopIteration:
            results.append(np.array(-1))
    return tuple(results)


def counting() -> Any:
    yield 1
    yield 2


CASES: list[dict[str, Any]] = [
    {
        "operator": "ExternalSource",
        "calls": [
            *(
                f"pulled(ndd.ExternalSource({source}, cycle={cycle}))"
                for source in ("pair", "counting", "counting()", "lambda: 3", "iter([1, 2])", "[]")
                for cycle in ("None", "False", "'no'", "True", "'quiet'", "'raise'", "'yes'", "1")
            ),
            *(
                f"ES(lambda: {item})({call})"
                for item in ("pair", "pair[0]", "three", "[1, 2.5]", "None", "{}", "[[1], [2, 3]]", "(pair, 1)")
                for call in ("", "batch_size=3", "batch_size=2", "batch_size=0", "3")
            ),
            *(
                f"ES(lambda: {item}, num_outputs=2)({call})"
                for item in ("(1, 2)", "[1, pair]", "(1, 2, 3)", "pair[0]", "three", "(three, 1)", "None", "(1, None)")
                for call in ("", "batch_size=3")
            ),
            *(
                f"ES(lambda: {item}, {options})()"
                for item in ("pair[0]", "ndd.batch([pair[0]])", "7")
                for options in (
                    "dtype=ndd.uint8",
                    "dtype=[ndd.float32]",
                    "dtype=[None, ndd.float32]",
                    "layout='X'",
                    "layout=['X']",
                )
            ),
            "ES(lambda: (1, 2), 2, dtype=ndd.float32)()",
            "ES(lambda: (1, 2), 2, dtype=(ndd.float32, ndd.uint8), layout=['', None])()",
            "ES(lambda: (pair[0], pair), 2, layout=['X', 'YX'])()",
            "ES(lambda: (pair[0], pair), 2, layout=['X'])()",
            "ES(pair, 0)",
            "ES(pair, '2')",
            "ES(5)",
            "ES(None)",
            "ES(lambda index: index)",
            "ES(lambda *every: 1)",
            "ES(lambda: pair['no'])()",
            *(
                f"looped(ES({source}, cycle={cycle}){feeder})"
                for source in ("pair", "[three] * 4", "counting")
                for cycle in ("None", "'raise'")
                for feeder in ("", ", ES(pair, cycle='quiet'), epochs=1", ", ES([three] * 19)")
            ),
            "looped(ES(pair, cycle='quiet'), epochs=1)",
            "looped(ES([three] * 4), batch_size=2)",
            "looped(ES(pair), batch_size=None)",
            "looped(ES(pair), ES(lambda: pair['no']))",
            "looped(ES(lambda: pair['no']))",
        ],
    },
    {
        "operator": "ExternalSource (a layout that does not fit a Batch)",
        "deliberate": "ValueError, as for a Tensor; DALI raises RuntimeError when the Batch is used",
        "calls": ["ndd.ExternalSource(lambda: three, layout='X')()"],
    },
]
