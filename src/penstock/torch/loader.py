"""`Loader`: batches of a reader as torch tensors, in the place of torch's DataLoader."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from penstock.dynamic.calls.recorder import active
from penstock.dynamic.readers import Reader
from penstock.dynamic.values.batch import Batch, TensorList
from penstock.dynamic.values.tensor import Tensor
from penstock.engine.rng import get_default_rng
from penstock.interop.extras import framework
from penstock.readers.core.batch_size import checked_last, checked_size
from penstock.readers.core.epoch import Epoch
from penstock.readers.core.order import LastBatch

if TYPE_CHECKING:
    import torch


class Loader:
    """Iterates over the batches of a reader as torch tensors, an epoch at a time, in the place of a `DataLoader`.

    `fn` is the body of a compiled loop: its calls are traced at the first batch, fused, and made ahead of the program
    on threads. There are no worker processes. Each `for` loop is one epoch; one that was left early is over, and the
    next loop begins the next epoch. There is one loop at a time: a second one ends the first.

    Example:
        >>> def augment(jpegs, labels):
        ...     images = ndd.decoders.image_random_crop(jpegs)
        ...     images = ndd.resize(images, size=[224, 224])
        ...     images = ndd.crop_mirror_normalize(images, mirror=ndd.random.coin_flip(batch_size=len(labels)),
        ...                                        mean=[124, 116, 104], std=[58, 57, 57], output_layout="CHW")
        ...     return images, labels.torch().flatten().long()
        >>> reader = ndd.readers.File(file_root="train", shuffle_after_epoch=True)
        >>> loader = penstock.torch.Loader(reader, augment, batch_size=64, device="cuda")
        >>> for epoch in range(90):
        ...     for images, labels in loader:
        ...         train_step(images, labels)

    Args:
        reader: A reader of `ndd.readers`. It shuffles, shards and reads ahead as its own arguments say.
        fn: A function of the reader's outputs, or of the one dict where it hands out dicts. Batches and Tensors among
            what it returns, also inside of tuples, lists and dicts, become torch tensors. Samples of a batch whose
            shapes differ: `boxes.torch(pad=True)` is one tensor, `boxes.tensors` a list of them.
        batch_size: Samples in a batch.
        last_batch: "partial" hands out what is left at the end of an epoch as a smaller batch, "drop" leaves it out,
            "pad" repeats the last sample; "fill" takes samples of the next epoch. With "drop" and "pad" all shards
            have equally many batches, which distributed training needs.
        device: Where the tensors are moved to.
        pin_memory: Copy tensors to pinned memory first, from which they are moved while the program goes on.
        compile: Whether `fn` is made ahead; False calls it as it comes, to debug it.
    """

    def __init__(
        self,
        reader: Reader,
        fn: Callable[..., Any] | None = None,
        *,
        batch_size: int = 1,
        last_batch: LastBatch = "partial",
        device: torch.device | str | int | None = None,
        pin_memory: bool = False,
        compile: bool = True,
    ) -> None:
        if not isinstance(reader, Reader):
            raise TypeError(f"a Loader takes a reader, such as ndd.readers.File(...), got {type(reader).__name__}")
        self._torch = framework("torch", "penstock.torch.Loader", "torch")
        self._reader = reader
        self._fn = fn
        self.batch_size = checked_size(batch_size)
        self.last_batch = checked_last(last_batch, None)
        self.device = None if device is None else self._torch.device(device)
        self.pin_memory = pin_memory and self._can_pin()
        self._compile = compile and fn is not None
        self._loop: Epoch[Any] | None = None  # the one under way, or left early
        self._number = 0  # of its epoch
        self._at_end = False  # restored behind the last batch of an epoch, whose loop is yet to end

    def __getstate__(self) -> dict[str, Any]:
        """For copies, and for the worker processes of a DataLoader: a copy goes on where this one stands."""
        return {**vars(self), "_torch": None, "_loop": None, "_at_end": self.state_dict()["at_end"]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._torch = framework("torch", "penstock.torch.Loader", "torch")

    def __len__(self) -> int:
        """The number of batches in an epoch."""
        return self._reader.steps(self.batch_size, self.last_batch)

    def __iter__(self) -> Iterator[Any]:
        if self._loop is not None:
            self._leave_epoch()
        if self._at_end:
            self._at_end = False
            return
        self._number = self._reader.epoch
        self._loop = loop = self._reader.next_epoch(self.batch_size, compile=self._compile, last_batch=self.last_batch)
        try:
            for outputs in loop:
                batch = self._placed(self._called(outputs))
                if self._compile:
                    active.leave_body()  # what the program calls between two batches is no part of `fn`
                yield batch
        finally:
            loop.close()
        if self._loop is loop:
            self._loop = None

    @property
    def dataset(self) -> Reader:
        """The reader, under the name that programs for a DataLoader use: `len(loader.dataset)` are its samples."""
        return self._reader

    @property
    def epoch(self) -> int:
        """The number of the epoch that is under way or, between loops, comes next."""
        return self._number if self._loop is not None else self._reader.epoch - self._at_end

    def set_epoch(self, epoch: int) -> None:
        """Has the next loop be the epoch with this number; nothing changes where it is that anyway.

        So a program, or a framework, may call it before every epoch, also after `load_state_dict`.
        """
        if self._loop is None and epoch == self.epoch:
            return
        self._close_loop()
        self._at_end = False
        self._reader.set_epoch(epoch, self.last_batch)

    def state_dict(self) -> dict[str, Any]:
        """Where the program stands: behind the last batch it was given, with the state of the random numbers.

        Those are of the calling thread, as `ndd.random.get_default_rng()` is.
        """
        return {
            "reader": self._reader.state_dict(),
            "random": str(get_default_rng().get_state()),
            "at_end": self._at_end or (self._loop is not None and self._reader.epoch != self._number),
        }

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Goes on from what `state_dict` returned: the next loop is the rest of that epoch, augmented as it was."""
        self._close_loop()
        self._reader.load_state_dict(state_dict["reader"])
        get_default_rng().set_state(state_dict["random"])
        self._at_end = state_dict["at_end"]

    def _leave_epoch(self) -> None:
        """Ends a loop that was left early. Where its epoch has batches left, the next one follows."""
        unfinished = self._reader.epoch == self._number
        self._close_loop()
        if unfinished:
            self._reader.set_epoch(self._number + 1, self.last_batch)

    def _close_loop(self) -> None:
        if self._loop is not None:
            self._loop.close()
            self._loop = None

    def _called(self, outputs: Any) -> Any:
        if self._fn is None:
            return outputs
        return self._fn(outputs) if isinstance(outputs, dict) else self._fn(*outputs)

    def _placed(self, value: Any) -> Any:
        """What `fn` returned, with torch tensors in the place of Batches and Tensors, where they are wanted."""
        if isinstance(value, (Batch, Tensor)):
            value = value.torch()
        if isinstance(value, self._torch.Tensor):
            return self._moved(value)
        if isinstance(value, Mapping):
            return {key: self._placed(each) for key, each in value.items()}
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(self._placed, value))
        if isinstance(value, tuple):
            return tuple(map(self._placed, value))
        if isinstance(value, (list, TensorList)):
            return [*map(self._placed, value)]
        return value

    def _moved(self, tensor: torch.Tensor) -> torch.Tensor:
        if self.pin_memory and tensor.device.type == "cpu":
            tensor = tensor.pin_memory()
        return tensor if self.device is None else tensor.to(self.device, non_blocking=True)

    def _can_pin(self) -> bool:
        if not self._torch.accelerator.is_available():
            warnings.warn("pin_memory has no effect: torch finds no accelerator", stacklevel=3)
            return False
        return bool(self._torch.accelerator.current_accelerator().type != "mps")  # whose memory is the CPU's
