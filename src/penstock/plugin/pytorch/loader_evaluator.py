"""LoaderEvaluator: how long a loader takes, and how fast a program would be if it took no time."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

__all__ = ["LoaderEvaluator"]


class LoaderEvaluator:
    """A loader that is timed, or that hands out batches it has kept in memory.

        loader = LoaderEvaluator(loader, mode="replay")
        for batch in loader:
            train_step(batch)
        loader.print_summary()

    A training that is no faster in mode "replay" than in mode "log" does not wait for its data.

    Args:
        dataloader: A torch DataLoader, or anything like it.
        mode: "log" hands out the batches of the loader. "replay" takes some from it at once, and hands those out over
            and over, as many as the loader has in an epoch.
        num_cached_batches: How many are kept, from the beginning of an epoch.
        metrics_file: Where `save_metrics` writes to.
    """

    def __init__(
        self,
        dataloader: Any,
        mode: Literal["log", "replay"] = "log",
        num_cached_batches: int = 20,
        metrics_file: str | None = None,
    ) -> None:
        if mode not in ("log", "replay"):
            raise ValueError(f"mode is 'log' or 'replay', got {mode!r}")
        if num_cached_batches < 1:
            raise ValueError(f"num_cached_batches must be positive, got {num_cached_batches}")
        self.dataloader = dataloader
        self.mode = mode
        self.num_cached_batches = num_cached_batches
        self.metrics_file = metrics_file
        self.batch_times: list[float] = []
        self.total_time = 0.0
        self.cached_batches: list[Any] = []
        if mode == "replay":
            self.cached_batches = [*itertools.islice(dataloader, num_cached_batches)]
            if not self.cached_batches:
                raise ValueError("the loader has no batches to replay")

    def __len__(self) -> int:
        """Batches in an epoch of the loader."""
        return len(self.dataloader)

    def __iter__(self) -> Iterator[Any]:
        """An epoch; the times are those of the last one that was begun."""
        self.batch_times = times = []
        started = time.perf_counter()
        batches = self._replayed() if self.mode == "replay" else iter(self.dataloader)
        while True:
            asked = time.perf_counter()
            try:
                batch = next(batches)
            except StopIteration:
                return
            now = time.perf_counter()
            times.append(now - asked)
            self.total_time = now - started
            yield batch

    def get_metrics(self) -> dict[str, Any]:
        """Times in seconds. That of a batch is how long the program waited for it; the total has its own work too."""
        times = self.batch_times
        return {
            "mode": self.mode,
            "total_batches": len(times),
            "total_time": self.total_time if times else 0.0,
            "avg_batch_time": sum(times) / len(times) if times else 0.0,
            "min_batch_time": min(times, default=0.0),
            "max_batch_time": max(times, default=0.0),
            "batch_times": [*times],
            "cached_batches": len(self.cached_batches),
            "cache_ready": bool(self.cached_batches),
        }

    def save_metrics(self, filename: str | None = None) -> None:
        """Writes the metrics as JSON, to `metrics_file` unless another name is given."""
        path = filename or self.metrics_file
        if path is None:
            print("No filename provided for saving metrics")
            return
        Path(path).write_text(json.dumps(self.get_metrics(), indent=2))
        print(f"Metrics saved to: {path}")

    def print_summary(self) -> None:
        """Prints what is known of the loader and its times."""
        metrics = self.get_metrics()
        dataset: Any = getattr(self.dataloader, "dataset", None)
        lines = [
            "Loader Evaluator Summary:",
            f"  Mode: {self.mode}",
            f"  Dataset size: {len(dataset) if hasattr(dataset, '__len__') else 'unknown'}",
            f"  Number of batches: {len(self)}",
            f"  Cache size: {len(self.cached_batches)}/{self.num_cached_batches}",
            f"  Cache ready: {bool(self.cached_batches)}",
            f"  Total batches processed: {metrics['total_batches']}",
            f"  Total time: {metrics['total_time']:.2f}s",
            f"  Average batch time: {metrics['avg_batch_time']:.4f}s",
            f"  Min batch time: {metrics['min_batch_time']:.4f}s",
            f"  Max batch time: {metrics['max_batch_time']:.4f}s",
        ]
        print("\n".join(lines))

    def _replayed(self) -> Iterator[Any]:
        return itertools.islice(itertools.cycle(self.cached_batches), len(self))
