"""`ndd.ExternalSource`. `pulled` calls a source several times; where it has ended the result is its number, -1."""

from __future__ import annotations

from typing import Any

import numpy as np


def inputs(ndd: Any) -> dict[str, Any]:
    pair = [np.float32([1, 2]), np.float32([3, 4])]
    three = ndd.batch([1, 2, 300])
    return {"ES": ndd.ExternalSource, "pair": pair, "three": three, "pulled": pulled, "counting": counting}


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
        ],
    },
    {
        "operator": "ExternalSource (a layout that does not fit a Batch)",
        "deliberate": "ValueError, as for a Tensor; DALI raises RuntimeError when the Batch is used",
        "calls": ["ndd.ExternalSource(lambda: three, layout='X')()"],
    },
]
