"""`Epoch`: what `next_epoch` returns, an iterator over batches that knows how many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

BatchOutputs = TypeVar("BatchOutputs", covariant=True)


class Epoch(Generic[BatchOutputs]):
    """The batches of one epoch. `len()` is the number of them, so that progress bars have a total.

    With `on_error="skip"` there may be fewer. Nothing is read before the first batch is asked for.
    """

    def __init__(self, batches: Iterator[Any], begun: list[int], upcoming: Callable[[], int]) -> None:
        """`begun` holds the number of batches as soon as the iteration begins; until then `upcoming` computes it."""
        self._batches = batches
        self._begun = begun
        self._upcoming = upcoming

    def __iter__(self) -> Iterator[BatchOutputs]:
        return self._batches  # a loop over it costs no call of ours

    def __next__(self) -> BatchOutputs:
        outputs: BatchOutputs = next(self._batches)
        return outputs

    def __len__(self) -> int:
        return self._begun[0] if self._begun else self._upcoming()

    def __bool__(self) -> bool:
        return True

    def close(self) -> None:
        """Ends the iteration. The reader goes on from there."""
        self._batches.close()  # type: ignore[attr-defined]
