"""`DiskReadAhead`: has the samples of the next batch fetched from a disk while a batch is read."""

from __future__ import annotations

from contextlib import suppress

from penstock.readers.core.order import Order, OrderPosition
from penstock.readers.core.sample_source import SampleSource, expect_samples

_LEAST = 16  # samples that are fetched ahead, however small batches are


class DiskReadAhead:
    """Tells a source which samples come next, as long as the files of its storage are not in the page cache.

    Otherwise the disk would be idle while a batch is copied and parsed, and the reader while the next one comes from
    the disk. What is fetched ahead takes memory of the page cache only, and is no more than about a batch.
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
        if len(indices):
            self._end = position._replace(offset=position.offset + begin + len(indices))
            with suppress(Exception):  # what is wrong with them is raised when they are read
                expect_samples(self._source, indices)
