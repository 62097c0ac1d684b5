"""Nodes for the pipelines of torchdata: ndd readers and operators among its prefetchers, mixers and loaders.

source = nodes.Reader(ndd.readers.File, batch_size=64, file_root=root, random_shuffle=True)
images = nodes.DictMapper(source, lambda jpegs: ndd.resize(ndd.decoders.image(jpegs), size=[224, 224]))
loader = torchdata.nodes.Loader(torchdata.nodes.Prefetcher(nodes.ToTorch(images), prefetch_factor=2))
for images, labels in loader:
    train_step(images, labels)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from penstock.dynamic.readers import Reader as _Reader
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.interop.extras import framework
from penstock.readers.core.order import LastBatch
from penstock.readers.core.reader import outputs_of

__all__ = ["DictMapper", "Reader", "ToTorch"]

Value = TypeVar("Value")

if TYPE_CHECKING:
    from typing import Generic

    class _Node(Generic[Value]):
        """What torchdata's BaseNode is to its subclasses."""

        def reset(self, initial_state: dict[str, Any] | None = None) -> None: ...

else:
    _Node = framework("torchdata.nodes", "ndd.pytorch.nodes", "torchdata").BaseNode


class Reader(_Node[dict[str, Any]]):
    """Batches of a reader as dicts, one epoch after each `reset`.

    Args:
        reader_type: Class of the reader, such as `ndd.readers.File`.
        batch_size: Samples in a batch; None for single samples.
        last_batch: What becomes of the batch in which an epoch ends, as in `next_epoch`.
        output_names: Keys of the dicts. "data" and "label" by default where the reader has two outputs; where it hands
            out dicts itself, their keys.
        kwargs: Arguments of the reader.
    """

    def __init__(
        self,
        reader_type: type[_Reader],
        *,
        batch_size: int | None,
        last_batch: LastBatch = "fill",
        output_names: Iterable[str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        if batch_size is not None:
            kwargs.setdefault("max_batch_size", batch_size)
        self._reader = reader_type(**kwargs)
        self._batch_size = batch_size
        self._names = _names(self._reader, output_names)
        self._last_batch: LastBatch = last_batch
        self._epoch: Iterator[Any] | None = None
        self._number = 0  # of the epoch

    def reset(self, initial_state: dict[str, Any] | None = None) -> None:
        """Begins an epoch, or goes on with the one in which `initial_state` was taken."""
        super().reset(initial_state)
        if initial_state is not None:
            self._reader.load_state_dict(initial_state["reader"])
        self._number = self._reader.epoch
        if initial_state is not None and initial_state["ended"]:
            self._epoch, self._number = iter(()), self._number - 1
        else:
            self._epoch = iter(self._reader.next_epoch(self._batch_size, last_batch=self._last_batch))

    def next(self) -> dict[str, Any]:
        """The next batch; StopIteration at the end of the epoch."""
        if self._epoch is None:
            raise RuntimeError("Reader.next() called before reset(). Call reset() first.")
        outputs = next(self._epoch)
        values = outputs.values() if isinstance(outputs, dict) else outputs
        return dict(zip(self._names, values, strict=True))

    def get_state(self) -> dict[str, Any]:
        """Where the program stands, for `reset`: torchdata's `Loader.load_state_dict` goes on from there."""
        return {"reader": self._reader.state_dict(), "ended": self._reader.epoch != self._number}

    def get_metadata(self) -> dict[str, int]:
        """Size and sharding of the data set."""
        return self._reader.get_metadata()


class DictMapper(_Node[dict[str, Any]]):
    """The dicts of another node, `map_fn` having replaced the value of one key.

    Args:
        source: A node of dicts.
        map_fn: What makes the new value out of the old one.
        key: Which value that is.
    """

    def __init__(self, source: Any, map_fn: Callable[[Any], Any], key: str = "data") -> None:
        super().__init__()
        self._source, self._map, self._key = source, map_fn, key

    def reset(self, initial_state: dict[str, Any] | None = None) -> None:
        super().reset(initial_state)
        self._source.reset(initial_state)

    def next(self) -> dict[str, Any]:
        values = self._source.next()
        return {**values, self._key: self._map(values[self._key])}

    def get_state(self) -> dict[str, Any]:
        state: dict[str, Any] = self._source.state_dict()
        return state


class ToTorch(_Node[tuple[Any, ...]]):
    """The values of the dicts of another node as tuples of torch tensors, over the same memory where that can be.

    Args:
        source: A node of dicts of batches or tensors. The samples of a batch must have one shape (ValueError).
        output_stream: CUDA stream of the tensors; it has no meaning on a CPU.
    """

    def __init__(self, source: Any, output_stream: Any | None = None) -> None:
        super().__init__()
        self._source = source

    def reset(self, initial_state: dict[str, Any] | None = None) -> None:
        super().reset(initial_state)
        self._source.reset(initial_state)

    def next(self) -> tuple[Any, ...]:
        values: dict[str, Batch | Tensor] = self._source.next()
        return tuple(value.torch() for value in values.values())

    def get_state(self) -> dict[str, Any]:
        state: dict[str, Any] = self._source.state_dict()
        return state


def _names(reader: _Reader, given: Iterable[str] | None) -> list[str]:
    count, own = outputs_of(reader)
    names = [*(own or (["data", "label"] if count == 2 else []))] if given is None else [*given]
    if not names:
        raise ValueError(
            f"Cannot infer output names for reader {type(reader).__name__}; output_names=[...] for its {count} outputs"
        )
    if len(names) != count:
        raise ValueError(f"Number of output names does not match number of outputs: {names} for {count} outputs")
    return names
