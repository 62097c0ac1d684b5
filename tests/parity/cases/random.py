"""Draws: the same seed gives the same numbers. The seed is set before every call."""

from __future__ import annotations

from typing import Any

CASES: list[dict[str, Any]] = [
    {
        "operator": "random.uniform",
        "calls": [
            "ndd.random.uniform(range=[0, 2.9], shape=[500], dtype=T.INT32)",
            "ndd.random.uniform(range=[-7.7, 20.3], shape=[500], dtype=T.INT64)",
            "ndd.random.uniform(range=[-0.9, 0.9], shape=[9], dtype=T.INT8)",
            "ndd.random.uniform(shape=[50], dtype=T.FLOAT64)",
            "ndd.random.uniform(range=ndd.batch([[0.0, 1.0], [5.0, 6.0]]), shape=[5])",
            "ndd.random.uniform(photos)",
            "ndd.random.uniform(range=[2, 1])",
            "ndd.random.uniform(range=ndd.batch([[1.0], [1.0, 2.0]]))",
        ],
    },
    {
        "operator": "random.normal",
        "within": 1e-6,
        "calls": [
            "ndd.random.normal(mean=100.0, stddev=20.0, shape=[400], dtype=T.UINT8)",
        ],
    },
    {
        "operator": "random.coin_flip",
        "calls": [
            "ndd.random.coin_flip(probability=None, shape=None, dtype=None)",
            *(f"ndd.random.coin_flip(dtype=T.{kind})" for kind in ("FLOAT", "FLOAT16", "INT64", "BOOL", "UINT8")),
            "ndd.random.coin_flip(shape=[1000])",
            "ndd.random.coin_flip(probability=0.1, batch_size=64)",
            "ndd.random.coin_flip(probability=ndd.batch([0.2, 0.8]), shape=[100], dtype=T.BOOL)",
            "ndd.random.coin_flip(dtype=T.FLOAT)",
        ],
    },
    {
        "operator": "random.choice",
        "calls": [
            *(
                f"ndd.random.choice({what})"
                for what in ("2.5", "True", "-1", "T.INTERP_CUBIC", "2, p=0.25", "3, p=[1, 0]")
            ),
            "ndd.random.choice(matrix, shape=[9])",
            "ndd.random.choice(ndd.tensor([3, 5, 8]), p=[0.1, 0.2, 0.7], shape=[300])",
            "ndd.random.choice(0)",
        ],
    },
    {
        "operator": "random.beta",
        "within": 1e-5,
        "calls": [
            "ndd.random.beta(alpha=0.0)",
        ],
    },
]
