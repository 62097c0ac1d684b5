"""Compose, what it is made of, and the transforms that say what comes out of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal

import numpy as np

import penstock.dynamic as ndd
from penstock.plugin.torchvision.images import Kind, from_batch, pil, to_batch

Device = Literal["cpu", "gpu"]


class Transform(ABC):
    """A change of images, for `Compose` or to be called by itself."""

    def __init__(self, device: Device = "cpu") -> None:
        if device not in ("cpu", "gpu"):
            raise ValueError(f"device is 'cpu' or 'gpu', got {device!r}")
        self._device = ndd.Device(device)

    def on_its_device(self, batch: ndd.Batch) -> ndd.Batch:
        """As `apply`, where the transform is to work."""
        return self.apply(batch.to_device(self._device))

    @abstractmethod
    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        """The images of a batch, changed."""

    def __call__(self, inpt: Any) -> Any:
        """A PIL image or a tensor [..., C, H, W], changed."""
        return Compose([self])(inpt)


class Compose:
    """Transforms, one after the other. What is random is drawn for each image of a tensor.

        transform = Compose([Resize(256), CenterCrop(224)])

    Args:
        op_list: The transforms.
        batch_size: Asks for nothing: tensors may hold any number of images.
        num_threads: Asks for nothing here; `ndd.set_num_threads` tells all operators.
        dali_pipeline_kwargs: Ask for nothing here.
    """

    def __init__(
        self,
        op_list: Sequence[Callable[..., Any]],
        batch_size: int = 16,
        num_threads: int = 1,
        **dali_pipeline_kwargs: Any,
    ) -> None:
        for each in op_list:
            if not isinstance(each, Transform):
                raise TypeError(f"Compose takes the transforms of this module, got {each!r}")
        self._transforms: list[Any] = [*op_list]

    def __call__(self, inpt: Any) -> Any:
        """A PIL image or a tensor [..., C, H, W], changed; of the kind it was unless a transform says otherwise."""
        batch, kind = to_batch(inpt), self._kind
        for transform in self._transforms:
            batch = transform.on_its_device(batch)
        made_floats = batch.dtype != ndd.uint8 and isinstance(inpt, pil.Image)
        if made_floats and kind != "tensor":
            raise TypeError("the values of an image have become floats; PILToTensor() has a tensor returned")
        return from_batch(batch, inpt, kind)

    @property
    def _kind(self) -> Kind | None:
        """What the last transform that tells says is returned."""
        told = [transform.kind for transform in self._transforms if isinstance(transform, Conversion)]
        return told[-1] if told else None


class Conversion(Transform):
    """Leaves the pixels as they are, and says what `Compose` returns."""

    kind: ClassVar[Kind]

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        return batch


class PILToTensor(Conversion):
    """Has `Compose` return a tensor [C, H, W] of an image, with values from 0 to 255."""

    kind = "tensor"


class ToPureTensor(Conversion):
    """Has `Compose` return a tensor, whatever it was given."""

    kind = "tensor"


class ToPILImage(Conversion):
    """Has `Compose` return a PIL image of a tensor [C, H, W], and a list of them of one with several images."""

    kind = "image"


class RandomApply(Transform):
    """Applies transforms with a probability, one after the other, all or none of them.

    Args:
        op_list: The transforms. For tensors with several images, they may not change their shape.
        p: The probability.
    """

    def __init__(self, op_list: Sequence[Callable[..., Any]], p: float = 0.5, device: Device = "cpu") -> None:
        super().__init__(device)
        self._inner = Compose(op_list)._transforms
        self._p = checked_probability(p)

    def apply(self, batch: ndd.Batch) -> ndd.Batch:
        chosen = drawn_flags(self._p, batch)
        if not any(chosen):
            return batch
        changed = batch
        for transform in self._inner:
            changed = transform.on_its_device(changed)
        if all(chosen):
            return changed
        return mixed(batch, changed, chosen)


def mixed(batch: ndd.Batch, changed: ndd.Batch, chosen: Sequence[bool]) -> ndd.Batch:
    """The images that were chosen as they have become, the others as they were."""
    pairs = zip(batch.tensors, changed.tensors, chosen, strict=True)
    return ndd.batch([new if one else old.to_device(new.device) for old, new, one in pairs], layout=batch.layout)


def checked_probability(p: float) -> float:
    if not 0 <= p <= 1:
        raise ValueError(f"p is a probability, got {p}")
    return float(p)


def drawn_flags(p: float, batch: ndd.Batch) -> list[bool]:
    """For each image whether it is one that something of a probability happens to."""
    drawn = ndd.random.uniform(range=[0.0, 1.0], batch_size=batch.batch_size)
    return [bool(np.asarray(each) < p) for each in drawn.tensors]
