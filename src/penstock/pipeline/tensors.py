"""TEMPORARY."""

from __future__ import annotations

from typing import Any

from penstock._native import Samples


class TensorListCPU:
    def __init__(self, samples: Samples) -> None:
        self.samples = samples

    @classmethod
    def _of_samples(cls, samples: Samples) -> TensorListCPU:
        return cls(samples)

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, i: int) -> Any:
        return self.samples.sample(i if i >= 0 else len(self) + i) if -len(self) <= i < len(self) else self._no(i)

    def _no(self, i: int) -> Any:
        raise IndexError(i)

    def as_tensor(self) -> Any:
        return self.samples.array()

    def layout(self) -> str:
        return self.samples.layout
