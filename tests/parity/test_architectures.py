"""What counts as a difference between two architectures."""

from __future__ import annotations

import numpy as np
import pytest

from parity.all_cases import WRITTEN
from parity.architectures import OTHERS, difference
from parity.compare import Outcome


def result(*values: float, dtype: type = np.float32) -> Outcome:
    return Outcome([], "", [{"kind": "Tensor", "layout": "", "samples": 1}], [np.array(values, dtype)])


@pytest.mark.parametrize(
    ("ours", "theirs", "allowed", "same"),
    [
        (result(1, 2), result(1, 2), 0, True),
        (result(1, float("nan")), result(1, -float("nan")), 0, True),
        (result(1), result(np.nextafter(np.float32(1), np.float32(2))), 0, False),
        (result(1), result(np.nextafter(np.float32(1), np.float32(2))), 2.5e-7, True),
        (result(1), result(1.1), 2.5e-7, False),
        (result(0.0), result(-0.0), 0, False),
        (result(1), result(1, dtype=np.float64), 1, False),
        (result(1), result(1, 1), 1, False),
        (result(1), Outcome(["ValueError"], "no", [], []), 1, False),
        (Outcome(["ValueError"], "0x1", [], []), Outcome(["ValueError"], "0x2", [], []), 0, True),
    ],
)
def test_every_bit_but_the_sign_of_a_nan_is_compared(
    ours: Outcome, theirs: Outcome, allowed: float, same: bool
) -> None:
    assert (difference(ours, theirs, allowed) == "") == same


def test_exceptions_are_for_operators_that_there_are() -> None:
    assert OTHERS.keys() <= {case["operator"] for case in WRITTEN}
