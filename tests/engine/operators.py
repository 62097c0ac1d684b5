"""Operators of the user's own, one for each kind of function."""

from __future__ import annotations

from typing import Any

import penstock.dynamic as ndd


@ndd.operator
def inverted(image: Any) -> Any:
    return 255 - image


@ndd.operator(elementwise=True)
def doubled(image: Any) -> Any:
    return image * 2
