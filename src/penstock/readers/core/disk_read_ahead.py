"""`DiskReadAhead`: has the samples of the next batches fetched from a disk while a batch is read."""

from __future__ import annotations

from contextlib import suppress

from penstock.readers.core.order import Indices, Order, OrderPosition
from penstock.readers.core.sample_source import SampleSource, bytes_of_samples, expect_samples
from penstock.storage.storage import EXPECTED_BYTES

_LEAST = 16  # samples that are fetched ahead, however small batches are

# How far is looked for samples that together are a stretch of a file: as many as readers shuffle among by default.
_FAR = 1024


class DiskReadAhead:
    """Tells a source which samples come next, as long as the files of its storage are not in the page cache.

    Otherwise the disk would be idle while a batch is copied and parsed, and the reader while the next one comes from
    the disk. What is fetched ahead takes memory of the page cache only. It is no more than about a batch, or, of a
    large file, the stretch that the next samples are picked from: fetched from the front to the back it takes half of
    the time that the same samples take one by one, and a third of the CPU time.
    """

    def __init__(self, source: SampleSource) -> None:
        self._source = source
        self._end: OrderPosition | None = None  # of what was expected last

    def look(self, order: Order) -> None:
        """To be called before a batch is read, where files do come from a disk.

        The first time that batch is expected as well, so that its requests stand before those of the next one: nobody
        knows yet whether files are in the page cache.
        """
        position, begin = order.position, 0
        if self._end is not None and self._end.visit == position.visit:
            begin = max(self._end.offset - position.offset, 0)
        indices = order.ahead(begin, order.batch_size + max(order.batch_size, _LEAST))
        if not len(indices):
            return
        with suppress(Exception):  # what is wrong with them is raised when they are read
            indices = self._stretch(order, begin, indices)
            expect_samples(self._source, indices)
        self._end = position._replace(offset=position.offset + begin + len(indices))

    def _stretch(self, order: Order, begin: int, near: Indices) -> Indices:
        """More samples than `near`, if all of them are most of those between the first and the last in a file."""
        taken = bytes_of_samples(self._source, near)
        if not taken:
            return near
        fitting = min(_FAR, int(len(near) * EXPECTED_BYTES / taken))
        far = order.ahead(begin, begin + fitting)
        if len(far) <= len(near):
            return near
        far.sort()
        return far if far[-1] - far[0] < 2 * len(far) else near
