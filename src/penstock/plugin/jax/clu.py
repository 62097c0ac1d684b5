"""Iterators that let a program look at the batch to come, as CLU's training loops do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from penstock.plugin.epochs import LastBatchPolicy
from penstock.plugin.jax.definition import iterator_maker
from penstock.plugin.jax.iterator import DALIGenericIterator

try:
    from clu.data.dataset_iterator import ArraySpec
except ImportError:

    @dataclass(frozen=True)
    class ArraySpec:  # type: ignore[no-redef]
        """Element type and shape of an array."""

        dtype: Any
        shape: tuple[int | None, ...]


class DALIGenericPeekableIterator(DALIGenericIterator):
    """A `DALIGenericIterator` whose next batch can be looked at before it is taken.

    All batches must have the shapes and types of the first one. It may be used from several threads.
    """

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        self._lock = threading.RLock()
        self._spec: dict[str, Any] | None = None
        super().__init__(*arguments, **keywords)

    def __next__(self) -> dict[str, Any]:
        with self._lock:
            return self._checked(super().__next__())

    def peek(self) -> dict[str, Any]:
        """The batch that `next` returns; StopIteration at the end of an epoch."""
        with self._lock:
            return self._checked(self._prepare())

    def peek_async(self) -> Future[dict[str, Any]]:
        """As `peek`, without waiting for it: the future's result is the batch."""
        future: Future[dict[str, Any]] = Future()
        threading.Thread(target=self._peek_into, args=(future,), name="penstock-peek", daemon=True).start()
        return future

    @property
    def element_spec(self) -> dict[str, Any]:
        """Types and shapes of the arrays by their names."""
        if self._spec is None:
            self.peek()
        assert self._spec is not None
        return self._spec

    def _peek_into(self, future: Future[dict[str, Any]]) -> None:
        try:
            future.set_result(self.peek())
        except BaseException as error:
            future.set_exception(error)

    def _checked(self, batch: dict[str, Any]) -> dict[str, Any]:
        spec = {name: ArraySpec(dtype=array.dtype, shape=array.shape) for name, array in batch.items()}
        self._spec = self._spec or spec
        for name, (expected, got) in ((name, (self._spec[name], spec[name])) for name in spec):
            if expected != got:
                raise ValueError(
                    "The shape or type of the output changed between iterations, which a peekable iterator does not "
                    f"support. Expected: {expected}, got: {got} for output: {name}"
                )
        return batch


def peekable_data_iterator(
    pipeline_fn: Callable[..., Any] | None = None,
    output_map: Sequence[str] = (),
    size: int = -1,
    reader_name: str | None = None,
    auto_reset: str | bool | None = False,
    last_batch_padded: bool = False,
    last_batch_policy: LastBatchPolicy = LastBatchPolicy.FILL,
    prepare_first_batch: bool = True,
    sharding: Any = None,
    devices: Sequence[Any] | None = None,
    pmap_compatible: bool | None = None,
) -> Any:
    """As `penstock.plugin.jax.data_iterator`, for a `DALIGenericPeekableIterator`."""
    options = {
        "output_map": output_map, "size": size, "reader_name": reader_name, "auto_reset": auto_reset,
        "last_batch_padded": last_batch_padded, "last_batch_policy": last_batch_policy,
        "prepare_first_batch": prepare_first_batch, "sharding": sharding, "pmap_compatible": pmap_compatible,
    }  # fmt: skip
    return iterator_maker(DALIGenericPeekableIterator, pipeline_fn, options, devices)
