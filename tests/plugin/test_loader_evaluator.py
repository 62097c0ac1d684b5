"""Loaders that are timed, and those that replay what they have kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from penstock.plugin.pytorch import loader_evaluator

pytest.importorskip("torch")

KEYS = {
    "mode", "total_batches", "total_time", "avg_batch_time", "min_batch_time", "max_batch_time", "batch_times",
    "cached_batches", "cache_ready",
}  # fmt: skip


class Loader:
    """A loader of four batches, which counts those it was asked for."""

    dataset = range(10)

    def __init__(self) -> None:
        self.asked = 0

    def __len__(self) -> int:
        return 4

    def __iter__(self) -> Any:
        for k in range(4):
            self.asked += 1
            yield k


def test_a_log_hands_out_the_batches_and_times_the_last_epoch(tmp_path: Path, capsys: Any) -> None:
    loader = loader_evaluator.LoaderEvaluator(Loader(), metrics_file=str(tmp_path / "times.json"))
    assert loader.get_metrics()["total_batches"] == 0
    for _ in range(2):
        assert [*loader] == [0, 1, 2, 3]
    metrics = loader.get_metrics()
    assert {*metrics} == KEYS
    assert (metrics["total_batches"], metrics["cached_batches"], metrics["cache_ready"]) == (4, 0, False)
    times = metrics["batch_times"]
    assert (metrics["min_batch_time"], metrics["max_batch_time"]) == (min(times), max(times))
    assert metrics["avg_batch_time"] == pytest.approx(sum(times) / 4)
    loader.save_metrics()
    assert json.loads((tmp_path / "times.json").read_text()) == metrics
    loader.print_summary()
    shown = capsys.readouterr().out
    assert "Dataset size: 10" in shown
    assert "Total batches processed: 4" in shown


def test_a_replay_asks_the_loader_only_once() -> None:
    source = Loader()
    loader = loader_evaluator.LoaderEvaluator(source, mode="replay", num_cached_batches=3)
    assert source.asked == 3
    assert [*loader] == [*loader] == [0, 1, 2, 0]
    assert source.asked == 3
    assert len(loader) == 4
    assert loader.get_metrics()["cache_ready"]


def test_what_it_is_told_is_checked() -> None:
    with pytest.raises(ValueError, match="mode is 'log' or 'replay', got 'reply'"):
        loader_evaluator.LoaderEvaluator(Loader(), mode="reply")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="num_cached_batches must be positive, got 0"):
        loader_evaluator.LoaderEvaluator(Loader(), mode="replay", num_cached_batches=0)
    with pytest.raises(ValueError, match="the loader has no batches to replay"):
        loader_evaluator.LoaderEvaluator([], mode="replay")
