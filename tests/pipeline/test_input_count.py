"""Calls with too few inputs, with too many, or with what is no input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock import fn
from penstock.pipeline import ops

X = np.zeros((2, 2, 3), np.uint8)
CALLS: list[tuple[str, Any, int, str]] = [
    ("fn.flip", lambda *x: fn.flip(*x), 0, "from 1 to 1"),
    ("fn.flip", lambda *x: fn.flip(*x), 2, "from 1 to 1"),
    ("ops.Flip", lambda *x: ops.Flip()(*x), 0, "from 1 to 1"),
    ("ops.Flip", lambda *x: ops.Flip()(*x), 2, "from 1 to 1"),
    ("fn.cat", lambda *x: fn.cat(*x), 0, "at least 1"),
    ("fn.multi_paste", lambda *x: fn.multi_paste(*x), 0, "at least 1"),
    ("fn.zeros", lambda *x: fn.zeros(*x, shape=[1]), 1, "from 0 to 0"),
    ("fn.slice", lambda *x: fn.slice(*x), 4, "from 1 to 3"),
    ("fn.random.uniform", lambda *x: fn.random.uniform(*x), 2, "from 0 to 1"),
    ("ops.random.Uniform", lambda *x: ops.random.Uniform()(*x), 2, "from 0 to 1"),
    ("fn.constant", lambda *x: fn.constant(*x, fdata=1.0), 1, "from 0 to 0"),
    ("fn.readers.file", lambda *x: fn.readers.file(*x, file_root="."), 1, "from 0 to 0"),
    ("ops.readers.File", lambda *x: ops.readers.File(file_root=".")(*x), 1, "from 0 to 0"),
    ("fn.readers.video_resize", lambda *x: fn.readers.video_resize(*x), 1, "from 0 to 0"),
    ("fn.experimental.inputs.video", lambda *x: fn.experimental.inputs.video(*x), 1, "from 0 to 0"),
    ("fn.image_decoder", lambda *x: fn.image_decoder(*x), 2, "from 1 to 1"),
    ("ops.ImageDecoder", lambda *x: ops.ImageDecoder()(*x), 2, "from 1 to 1"),
    ("fn.ssd_random_crop", lambda *x: fn.ssd_random_crop(*x), 1, "from 3 to 3"),
    ("fn.shapes", lambda *x: fn.shapes(*x), 0, "from 1 to 1"),
    ("fn.fast_resize_crop_mirror", lambda *x: fn.fast_resize_crop_mirror(*x), 0, "from 1 to 1"),
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("name", "call", "count", "expected"), CALLS)
def test_a_wrong_number_of_inputs(name: str, call: Any, count: int, expected: str) -> None:
    with pytest.raises(
        ValueError, match=f"^Operator nvidia.dali.{name} expects {expected} inputs, but received {count}.$"
    ):
        call(*[X] * count)


@pytest.mark.parametrize("value", [None, "abc", b"abc"])
@pytest.mark.parametrize("call", [fn.flip, fn.random.uniform, lambda value: fn.cat(X, value)])
def test_what_is_no_input(call: Any, value: Any) -> None:
    with pytest.raises(
        TypeError, match=r"^when calling operator `nvidia.dali.fn\..*`: expected inputs of type 'DataNode'"
    ):
        call(value)


def test_a_call_after_a_failed_one_has_its_own_name() -> None:
    with pytest.raises(ValueError, match=r"ops.Flip"):
        ops.Flip()()
    with pytest.raises(ValueError, match=r"fn.flip"):
        fn.flip()


def test_older_names_warn_at_the_line_of_the_program() -> None:
    for call in (lambda: fn.shapes(X), lambda: fn.image_decoder(np.zeros(3, np.uint8))):
        with pytest.warns(DeprecationWarning, match="is now deprecated") as caught:
            call()
        assert caught[0].filename == __file__
