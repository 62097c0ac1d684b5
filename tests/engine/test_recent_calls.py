"""Calls that are like others: their memos, and the native steps of whole stages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told
from penstock._native import RecentCalls
from penstock.engine import call_memo
from penstock.ops.declaration import declaration

A, B = object(), object()  # specs, which are compared by identity


def test_a_memo_is_found_by_equal_arguments_and_the_same_specs() -> None:
    recent = RecentCalls()
    recent.keep({"size": [2, 3], "dtype": ndd.uint8, "scale": 0.5}, [A], "memo")
    assert recent.find({"dtype": ndd.uint8, "scale": float("0.5"), "size": [2, 3]}, [A]) == "memo"


@pytest.mark.parametrize(
    "other",
    [
        ({"size": [2, 3]}, [B]), ({"size": [2, 3]}, [A, A]), ({"size": [2, 4]}, [A]), ({"size": [2, 3.0]}, [A]),
        ({"size": (2, 3)}, [A]), ({"size": [2, 3, 4]}, [A]), ({"sizes": [2, 3]}, [A]), ({}, [A]), ({"size": None}, [A]),
        ({"size": [2, 3], "scale": 1}, [A]), ({"size": [ndd.uint8, 3]}, [A]),
    ],
)  # fmt: skip
def test_others_have_another_memo(other: tuple[dict[str, Any], list[Any]]) -> None:
    recent = RecentCalls()
    recent.keep({"size": [2, 3]}, [A], "memo")
    assert recent.find(*other) is None


def test_a_list_that_is_changed_later_does_not_change_what_is_kept() -> None:
    recent, size = RecentCalls(), [2, 3]
    recent.keep({"size": size}, [A], "memo")
    size[0] = 5
    assert recent.find({"size": size}, [A]) is None
    assert recent.find({"size": [2, 3]}, [A]) == "memo"


def test_a_list_that_another_thread_changes_during_a_call_is_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    image, size = ndd.tensor(np.zeros((9, 9, 1), np.uint8), layout="HWC"), [4, 7]
    read = call_memo.read_arguments

    def read_late(op: Any, keywords: dict[str, Any]) -> dict[str, Any]:
        size[:] = [3, 8]
        return read(op, keywords)

    monkeypatch.setattr(call_memo, "read_arguments", read_late)
    assert ndd.resize(image, size=size).shape == (4, 7, 1)
    monkeypatch.undo()
    for wanted in ([4, 7], [3, 8]):
        assert ndd.resize(image, size=wanted).shape == (*wanted, 1)


def test_the_latest_ones_are_kept() -> None:
    recent = RecentCalls()
    for number in range(20):
        recent.keep({"number": number}, [], number)
        assert recent.find({"number": 0}, []) == 0  # which makes it one of the latest
    assert [number for number in range(20) if recent.find({"number": number}, []) is not None] == [0, *range(13, 20)]


def test_calls_are_told_apart_by_the_types_of_their_inputs() -> None:
    for dtype in (np.uint8, np.float32, np.uint8, np.int16):
        made = ndd.flip(ndd.batch(np.zeros((2, 3, 4, 1), dtype), layout="HWC"), horizontal=1)
        assert made.dtype == ndd.dtype(dtype)
        assert np.asarray(made.evaluate().tensors[0]).dtype == dtype


@pytest.mark.parametrize("mode", [ndd.EvalMode.eager, ndd.EvalMode.sync_cpu])
def test_zeros_are_told_apart_by_their_signs(mode: ndd.EvalMode) -> None:
    ones = ndd.batch(np.ones((1, 2), np.float32), layout="X")
    with mode:
        for zero in (0.0, -0.0, 0.0):
            padded = ndd.pad(ones, fill_value=zero, shape=[3]).numpy()[0]
            assert [*np.signbit(padded)] == [False, False, bool(np.signbit(zero))]


def test_a_stage_of_eager_calls_is_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    op, built = declaration("flip"), []
    build = op.native_step
    assert build is not None
    monkeypatch.setattr(op, "native_step", lambda *specs, **arguments: built.append(1) or build(*specs, **arguments))
    monkeypatch.setattr(op, "memo", {})  # other tests have built it, too
    monkeypatch.setattr(op, "recent", RecentCalls())
    for size in (2, 3, 2):
        batch = ndd.batch(np.arange(12 * size, dtype=np.uint8).reshape(size, 3, 4, 1), layout="HWC")
        made = ndd.cast(ndd.flip(batch, horizontal=1), dtype=ndd.float32).evaluate()
        assert np.array_equal(made.numpy(), batch.numpy()[:, :, ::-1].astype(np.float32))
    assert len(built) == 1


def test_an_error_of_a_stage_like_others_names_the_call_and_the_sample(tmp_path: Any) -> None:
    def cropped(extent: int) -> Any:
        batch = ndd.batch([np.zeros((9, 9, 1), np.uint8), np.zeros((extent, extent, 1), np.uint8)], layout="HWC")
        return ndd.cast(ndd.crop(ndd.flip(batch), crop=(5, 5)), dtype=ndd.float32).evaluate()

    for _ in range(2):
        cropped(7)
    with pytest.raises(RuntimeError) as caught:
        cropped(3)
    assert "in crop, sample 1, called at" in told(caught.value)
