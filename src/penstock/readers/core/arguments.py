"""The arguments that all readers take."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from penstock.readers.core.order import OrderOptions
from penstock.schema.params import Param, read_params

Options = TypeVar("Options")


class HasParams(Protocol):
    """A reader class, as `full_signature` sees it."""

    @classmethod
    def _own_params(cls) -> Mapping[str, Param]: ...


@dataclass(frozen=True)
class CommonArguments(OrderOptions):
    """The arguments of all readers. Those without effect are there because programs written for DALI give them."""

    prefetch_queue_depth: int = 1
    read_ahead: bool = False
    lazy_init: bool = False
    dont_use_mmap: bool = False
    skip_cached_images: bool = False
    tensor_init_bytes: int = 1 << 20

    def __post_init__(self) -> None:
        if self.num_shards < 1:
            raise ValueError(f"The number of shards must be a positive integer. Got {self.num_shards}.")
        if not 0 <= self.shard_id < self.num_shards:
            raise ValueError(f"The shard_id={self.shard_id} is invalid. Must be in range [0..{self.num_shards - 1}].")
        if self.prefetch_queue_depth < 1:
            raise RuntimeError(f"prefetch_queue_depth must be at least 1, got {self.prefetch_queue_depth}")


COMMON_PARAMS = read_params("common", CommonArguments, None)
del COMMON_PARAMS["shuffles_listing"]  # which the reader sets, not its user


def params_of(options: type[Any]) -> dict[str, Param]:
    """The arguments that the fields of a dataclass declare."""
    return read_params("options", options, None)


def read_options(reader: type, options: type[Options], given: Mapping[str, Any]) -> Options:
    """Converts a reader's own arguments to a dataclass of options; None means not given."""
    params = params_of(options)
    values = {name: params[name].convert(value) for name, value in given.items() if value is not None}
    for name, param in params.items():
        if param.required and name not in values:
            raise TypeError(f"{reader.__name__}() missing 1 required keyword-only argument: {name!r}")
    return options(**values)


COMMON_DOC = """
    max_batch_size: The largest batch that may be asked for, and the batch size where none is.
    name: What the reader is called in messages.
    device: Where the samples are handed out: "cpu", or "gpu" by readers of arrays and videos.
    num_inputs: Readers have no inputs; None or 0.
    enable_checkpointing: Allows `get_state`.
    on_error: What to do about a sample that cannot be read: "raise" ends the epoch there; "skip" goes on without it and
        fills the batch with those that follow; "replace" reads the next sample of the data set instead; a function is
        given a `BadSample` (index, source, error) and returns the index of another sample, or None to skip. With
        pad_last_batch, which fixes the number of batches, the sample before a skipped one takes its place. What was
        left out is listed in `errors`, each sample once an epoch, where a last batch that is filled up reaches into the
        next; and once, as a `warning`, files that were decoded but do not say how long they are.
    check: What every sample must pass to count as readable, once, when it is first read: a function of a Batch of the
        first output, such as `ndd.decoders.image`, that raises an error for bad ones; or a list of one for each output.
    sampler: An order of your own: any iterable of sample numbers. It is gone through once for every epoch, after a call
        of its `set_epoch` if it has one. To resume exactly it must give the same for the same epoch.
    storage: How files are reached: a `Storage`, for URLs that need keys, more patience or a local cache.
    max_bytes: Samples whose outputs together take more memory, as read and unpacked, count as unreadable; by default
        those of more than 2 GiB, or what the environment variable PENSTOCK_MAX_BYTES says.
    shard_id: Which part of the data set this reader starts with.
    num_shards: How many parts there are, usually one for each process.
    stick_to_shard: Stay with one shard instead of going on to the next one after each epoch.
    pad_last_batch: Fill the last batch of an epoch by repeating its last sample, instead of with the samples that come
        next. All shards then have equally many batches.
    random_shuffle: Hand out a random one of the next `initial_fill` samples at a time.
    initial_fill: Among how many samples `random_shuffle` draws. Only their numbers are held, not the samples.
    seed: Chooses the order of `random_shuffle`; the default is one fixed order.
    shuffle_after_epoch: Shuffle the whole data set anew for each epoch. The reader then stays with its shard.
    shuffle_after_epoch_seed: Chooses the order of `shuffle_after_epoch`.
    prefetch_queue_depth: How many batches are read ahead.
    read_ahead: No effect: files are always read ahead, and whole.
    lazy_init: No effect: nothing is opened before the first step.
    dont_use_mmap: Never map files. Otherwise archives, and files of arrays, stay mapped once they are read again.
    skip_cached_images: No effect: decoded images are not cached.
    tensor_init_bytes: No effect: memory comes from a pool.
"""


def read_common(reader: type, given: Mapping[str, Any]) -> CommonArguments:
    """Converts the common arguments among a constructor's keywords; None means not given."""
    for keyword in given:
        if keyword not in COMMON_PARAMS:
            close = difflib.get_close_matches(keyword, inspect.signature(reader).parameters, n=1, cutoff=0.5)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise TypeError(f"{reader.__name__}() got an unexpected keyword argument {keyword!r}{hint}")
    return CommonArguments(
        **{name: COMMON_PARAMS[name].convert(value) for name, value in given.items() if value is not None}
    )


def full_signature(reader: type[HasParams]) -> inspect.Signature:
    """The signature of a reader's constructor: inherited arguments, its `_own_params` and the common ones."""
    constructors = [
        vars(each)["__init__"] for each in reader.__mro__ if "__init__" in vars(each) and each is not object
    ]
    inherited = [list(inspect.signature(constructor).parameters.values()) for constructor in constructors]
    by_position = [p for p in inherited[-1][1:] if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    keyword = inspect.Parameter.KEYWORD_ONLY
    by_name = {p.name: p for parameters in inherited for p in parameters if p.kind is keyword}
    for p in [*reader._own_params().values(), *COMMON_PARAMS.values()]:
        default = inspect.Parameter.empty if p.required else p.default
        by_name[p.name] = inspect.Parameter(p.name, keyword, default=default, annotation=p.hint)
    return inspect.Signature([*by_position, *by_name.values()])
