"""Arithmetic between all types, and ndd.math."""

from __future__ import annotations

from typing import Any

TYPES = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64", "b"]
ONE_INPUT = [
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "ceil", "cos", "cosh", "exp", "fabs", "floor",
    "log", "log10", "log2", "sin", "sinh", "sqrt", "tan", "tanh",
]  # fmt: skip

CASES: list[dict[str, Any]] = [
    *(
        {
            "operator": f"arithmetic ({name})",
            "within": 1e-6 if sign in ("/", "**") else 0,
            "calls": [f"{left} {sign} {right}" for left in TYPES for right in TYPES],
        }
        for name, sign in {
            "add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//", "mod": "%", "pow": "**", "less": "<",
            "equal": "==", "and": "&", "or": "|", "xor": "^", "shift left": "<<", "shift right": ">>",
        }.items()
    ),
    {
        "operator": "arithmetic (constants)",
        "calls": [
            *(f"{left} {sign} {right}" for left in TYPES for sign in "+-*" for right in ("1", "2.5", "True")),
            *(f"{sign}{value}" for sign in "+-~" for value in TYPES),
            *(f"abs({value})" for value in TYPES),
            "250 - u8",
            "u8 + 2**31",
            "matrix + ndd.tensor([1, 2, 3])",
            "matrix + ndd.tensor([1, 2])",
            "photos + 1",
            "photos * 0.5",
            "photos - photos",
            "photos > 100",
            "i32 // 0",
        ],
    },
    {
        "operator": "math",
        "within": 2e-6,
        "calls": [
            *(f"ndd.math.{name}({value})" for name in ONE_INPUT for value in ("f32", "f64", "i32", "b")),
            *(f"ndd.math.{name}({left}, {right})" for name in ("min", "max", "pow", "atan2", "fpow")
              for left in ("f32", "i32", "u8") for right in ("f64", "i16", "f32")),
            "ndd.math.clamp(f32, 0.0, 1.0)",
            "ndd.math.clamp(i32, 4, 3)",
            "ndd.math.clamp(u8, 7, f32)",
            "ndd.math.clamp(ndd.batch([1, 5, 9]), 2, ndd.batch([9, 4, 6]))",
            "ndd.math.rsqrt(u8 + 1)",
            "ndd.math.rsqrt(f64)",
            "ndd.math.rsqrt(ndd.batch([1.0, 2.0, 0.25]))",
        ],
    },
    {
        "operator": "math (rsqrt of 0)",
        "deliberate": "the inverse square root of 0 is infinite, not NaN",
        "calls": ["ndd.math.rsqrt(ndd.tensor([0.0]))"],
    },
]  # fmt: skip
