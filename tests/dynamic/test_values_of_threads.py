"""Values that several threads ask for: another thread may be done with one at any line of the code that reads it."""

from __future__ import annotations

import sys
from types import CodeType, FrameType
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.dynamic.values.value import Value

READS = {
    "_made": lambda value: np.asarray(value._made().array()).tolist(),
    "_peek_spec": lambda value: (value._peek_spec().dtype, value._peek_spec().ndim, value._peek_spec().layout),
    "_operand": lambda value: np.asarray(ndd.as_tensor(ndd.flip(value, device="cpu"))).tolist(),
    "dtype": lambda value: value.dtype,
    "ndim": lambda value: value.ndim,
    "layout": lambda value: value.layout,
    "_device": lambda value: value._device,
}


def waiting() -> ndd.Batch:
    with ndd.EvalMode.deferred:
        return ndd.flip(ndd.batch(np.arange(12, dtype=np.uint8).reshape(2, 2, 3, 1), layout="HWC"))


class Interference:
    """Has the value made before the n-th line of some code: nothing is traced meanwhile, as in another thread."""

    def __init__(self, code: CodeType, value: ndd.Batch, n: int) -> None:
        self._code, self._value, self._n = code, value, n
        self.lines = 0

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code is not self._code:
            return None
        if event == "line":
            self.lines += 1
            if self.lines == self._n:
                self._value.evaluate()
        return self.trace


@pytest.mark.parametrize("name", READS)
def test_another_thread_may_have_made_it_at_any_line(name: str) -> None:
    member = vars(Value)[name]
    code = (member.fget if isinstance(member, property) else member).__code__
    expected = READS[name](waiting())
    for n in range(1, 20):
        value = waiting()
        other, before = Interference(code, value, n), sys.gettrace()
        sys.settrace(other.trace)
        try:
            found = READS[name](value)
        finally:
            sys.settrace(before)
        assert found == expected, f"made before line {n}"
        assert n > 1 or other.lines
