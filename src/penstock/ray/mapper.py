"""`map_batches`: a loop body of operators over the rows of a Ray Data set, compiled in every actor."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from penstock.capture.loop import Loop
from penstock.dynamic.sources.items import Items, Output, Read
from penstock.dynamic.values.construct import as_batch
from penstock.engine.context import EvalContext
from penstock.engine.rng import set_seed
from penstock.ray.bad_rows import BadRows, OnError
from penstock.ray.row_batch import RowBatch
from penstock.values.bad_samples import checked

if TYPE_CHECKING:
    import pyarrow as pa
    from ray.data import Dataset

Body: TypeAlias = Callable[[dict[str, Any]], Mapping[str, Any]]

_AHEAD = 2  # batches that a loop makes ahead
# A call of an actor gets so many batches: enough to make some ahead, few enough that Ray can hand out small data sets.
_BATCHES_PER_CALL = 4


class BatchMapper:
    """A loop body of operators as a callable class for `Dataset.map_batches`. `penstock.ray.map_batches` makes one.

    Example:
        >>> ds.map_batches(penstock.ray.BatchMapper, fn_constructor_args=[body], batch_format="pyarrow",
        ...                compute=ray.data.ActorPoolStrategy(size=8))

    A block comes as an Arrow table and goes through the body a batch at a time, in a compiled loop: the calls of the
    first batch are traced, those of later ones fused and made ahead. The trace stays from block to block.

    Args:
        body: As for `map_batches`, and so are the others.
        num_threads: The threads of the actor: as many as it has CPUs, `num_cpus` of Ray's.
    """

    def __init__(
        self,
        body: Body,
        *,
        batch_size: int = 64,
        layouts: Mapping[str, str] | None = None,
        on_error: OnError = "raise",
        row_name: str | None = None,
        seed: int | None = None,
        num_threads: int = 1,
    ) -> None:
        if batch_size < 1:
            raise ValueError(f"batch_size must be positive, got {batch_size}")
        self._body = body
        self._batch_size = batch_size
        self._layouts = dict(layouts or {})
        self._row_name = row_name
        self._seed = seed
        self._context = EvalContext(num_threads=num_threads)
        self._bad_rows = BadRows(self._made, checked(on_error))
        self._waiting: Iterator[Any] = iter(())
        self._loops: dict[tuple[str, ...], tuple[Loop, Read]] = {}

    def __call__(self, table: pa.Table) -> Iterator[pa.Table]:
        """The results of a block, a table for each batch."""
        if self._seed is not None:
            set_seed(_seed_of(table, self._seed))
        whole: list[RowBatch] = []
        for batch in RowBatch.split(table, self._batch_size, self._row_name):
            if nulls := batch.nulls():
                yield from self._looped(whole)
                whole = []
                yield from self._without(batch, None, RuntimeError(next(iter(nulls.values()))))
            else:
                whole.append(batch)
        yield from self._looped(whole)

    def _looped(self, batches: list[RowBatch]) -> Iterator[pa.Table]:
        """The results of batches without nulls, made by the compiled loop."""
        if not batches:
            return
        for batch, values in zip(batches, self._steps(batches), strict=True):
            given = batch.given(values if isinstance(values, tuple) else [values])
            failed: Exception | None = None
            try:
                made = batch.made(given, self._body({**given}))
                self._bad_rows.any_good = True
            except Exception as error:
                failed = error
            if failed is None:
                yield made
            else:
                yield from self._without(batch, failed, failed)

    def _without(self, batch: RowBatch, failed: Exception | None, error: Exception) -> Iterator[pa.Table]:
        """The results without rows that are null, or that the body failed on with an error."""
        if not self._bad_rows.handles(error):
            raise error
        with self._context:
            rest = self._bad_rows.rest(batch, failed)
        if rest is not None:
            yield rest

    def _made(self, batch: RowBatch) -> pa.Table:
        """The results of a batch on its own."""
        given = batch.given([as_batch(rows) for rows in batch.samples(self._layouts)])
        return batch.made(given, self._body({**given}))

    def _steps(self, batches: list[RowBatch]) -> Iterator[Any]:
        """The numeric columns of the batches as the values of a compiled loop."""
        names = tuple(batches[0].numeric)
        if names not in self._loops:
            outputs = [Output(None, None, None)] * len(names)
            items = Items(lambda: next(self._waiting), outputs, "Ray's block", background=True)
            self._loops[names] = Loop("Ray's blocks", self._batch_size, _AHEAD, quiet=True), Read(items, None)
        loop, read = self._loops[names]
        rows = (batch.samples(self._layouts) for batch in batches)
        self._waiting = (row if len(row) > 1 else row[0] for row in rows)
        try:
            with self._context:
                steps: Iterator[Any] = loop.run(loop.items(read), self._context, False)
                yield from steps
        except BaseException:
            del self._loops[names]  # what was made ahead is of rows that nobody wants any more
            raise


def map_batches(
    ds: Dataset,
    body: Body,
    *,
    batch_size: int = 64,
    layouts: Mapping[str, str] | None = None,
    on_error: OnError = "raise",
    row_name: str | None = None,
    seed: int | None = None,
    num_cpus: float = 1,
    **ray_options: Any,
) -> Dataset:
    """Applies a loop body of operators to the rows of a Ray data set, in actors that compile it.

    Example:
        >>> def body(rows):
        ...     images = ndd.resize(ndd.decoders.image(rows["bytes"]), size=[224, 224])
        ...     return {"image": images, "path": rows["path"]}
        >>> ds = ray.data.read_binary_files("s3://bucket/train", include_paths=True)
        >>> ds = penstock.ray.map_batches(ds, body, compute=ray.data.ActorPoolStrategy(size=8))

    The body gets a dict of columns. Tensors, numbers, lists of numbers and binary data are Batches over the memory of
    Ray's block; text and whatever else is the Arrow array that it is, to be returned as it is. It returns a dict of
    columns: Batches, whose shapes may differ, arrays or lists. Those it leaves out are gone. The last batch may be
    smaller, so random draws need `batch_size=len(rows["bytes"])`.

    Args:
        ds: The data set.
        body: A function of a dict of columns that returns one. It is pickled, as for Ray's own `map_batches`.
        batch_size: Rows that go through the body at once.
        layouts: Layouts of columns with decoded data: `{"image": "HWC"}` for those of `read_images`.
        on_error: What becomes of a row that is null, or that the body fails on: "raise" names it in the error; "skip"
            leaves it out and "replace" takes the row after it instead, with a line in the log; a function is given a
            `BadSample` and returns the number of another row of the batch, or None to leave it out. Only batches with
            such a row are run again, row by row.
        row_name: The column that errors name rows by; "path" or "__key__" where there is one, else rows are named by
            their places in the block.
        seed: The same seed gives the same random draws for the same blocks, whichever actor gets them. By default
            every actor draws from a random seed.
        num_cpus: CPUs and threads of each actor.
        ray_options: Anything else that `Dataset.map_batches` takes, such as `compute`.
    """
    options = {
        "batch_size": batch_size, "layouts": layouts, "on_error": checked(on_error), "row_name": row_name,
        "seed": seed, "num_threads": max(1, int(num_cpus)),
    }  # fmt: skip
    return ds.map_batches(
        BatchMapper,
        fn_constructor_args=[body],
        fn_constructor_kwargs=options,
        batch_format="pyarrow",
        batch_size=batch_size * _BATCHES_PER_CALL,
        num_cpus=num_cpus,
        **ray_options,
    )


def _seed_of(table: pa.Table, seed: int) -> int:
    """A seed for the rows of a block: from their number and the beginning of each column."""
    digest = seed
    for column in table.slice(0, 1).columns:
        digest = zlib.crc32(repr(column.to_pylist()).encode()[:_SEED_BYTES], digest & 0xFFFFFFFF)
    return digest ^ seed << 32 ^ int(table.num_rows)


_SEED_BYTES = 4096
