"""The samples of a batch in the memory of an accelerator: one block of torch's, with the place of each in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from penstock._native import Samples
from penstock.gpu.casting import cast_tensor
from penstock.gpu.queue import queue
from penstock.gpu.types import dtype_of, torch_device, torch_dtype
from penstock.values.accelerator import CPU
from penstock.values.dtypes import DType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Shape = tuple[int, ...]
S = TypeVar("S", bound=Samples)


class GpuSamples(Samples):
    """Samples of one element type and rank, back to back in a block unless they were selected from another one.

    The native class it is made from knows shapes, element type, layout and origin, and refuses kernels of the CPU's.
    """

    def __init__(
        self,
        code: int,
        ndim: int,
        shapes: Sequence[Shape],
        device: int,
        block: torch.Tensor,
        offsets: Sequence[int],
        seen: GpuSamples | None = None,
    ) -> None:
        """`block` has one axis; sample i begins at its element offsets[i].

        It is ready when what has been queued so far is done, or when the samples are that it is `seen` from.
        """
        super().__init__(code, ndim, shapes, device)
        self.block = block
        self.offsets = offsets
        self.ready: Any = queue(device).mark() if seen is None else seen.ready

    @classmethod
    def of_stack(cls, tensor: torch.Tensor, device: int, code: int | None = None) -> GpuSamples:
        """The samples along the first axis of a tensor."""
        tensor = tensor.contiguous()
        n, shape = len(tensor), tuple(tensor.shape[1:])
        volume = math.prod(shape)
        code = dtype_of(tensor).code if code is None else code
        return cls(code, len(shape), [shape] * n, device, tensor.reshape(-1), [i * volume for i in range(n)])

    @classmethod
    def of_tensors(cls, tensors: Sequence[torch.Tensor], device: int, code: int | None = None) -> GpuSamples:
        """Tensors of one type and rank as samples, in one block."""
        import torch

        if all(tensor.shape == tensors[0].shape for tensor in tensors):
            return cls.of_stack(torch.stack([*tensors]), device, code)
        block = torch.cat([tensor.reshape(-1) for tensor in tensors])
        shapes = [tuple(tensor.shape) for tensor in tensors]
        offsets = np.cumsum([0, *map(math.prod, shapes)])[:-1].tolist()
        code = dtype_of(tensors[0]).code if code is None else code
        return cls(code, tensors[0].ndim, shapes, device, block, offsets)

    # What all samples can do.

    @property
    def dense(self) -> bool:
        """Whether they are of one shape and lie back to back."""
        if not self.uniform:
            return False
        volume = math.prod(self.shape(0)) if len(self) else 0
        return all(offset == self.offsets[0] + i * volume for i, offset in enumerate(self.offsets))

    def tensor(self, i: int) -> torch.Tensor:
        """One sample, over its memory."""
        shape, start = self.shape(i), self.offsets[i]
        return self.block[start : start + math.prod(shape)].view(shape)

    def tensors(self) -> list[torch.Tensor]:
        """Every sample, over its memory."""
        return [self.tensor(i) for i in range(len(self))]

    def stack(self) -> torch.Tensor:
        """All samples of a uniform batch under a leading axis, copied only where they do not lie together."""
        import torch

        if not self.dense:
            return torch.stack(self.tensors())
        shape = self.shape(0) if len(self) else (0,) * self.ndim
        start = self.offsets[0] if len(self) else 0
        return self.block[start : start + len(self) * math.prod(shape)].view(len(self), *shape)

    def padded(self) -> torch.Tensor:
        """As `stack`, with zeros behind the smaller samples."""
        import torch

        largest = [max(extents) for extents in zip(*self.shapes(), strict=True)]
        room = torch.zeros((len(self), *largest), dtype=self.block.dtype, device=self.block.device)
        for i, sample in enumerate(self.tensors()):
            corner: Any = (i, *(slice(extent) for extent in sample.shape))
            room[corner] = sample
        return room

    def wait(self) -> None:
        """Has the CPU wait until the data is there."""
        queue(self.device).wait(self.ready)

    def host(self) -> Samples:
        """The same data in host memory; waits for it."""
        if not len(self):
            return self._told(Samples.empty(self.code, 0, [0] * self.ndim))
        first, last = self._range()
        dense = self.dense
        room = Samples.empty(self.code, *((len(self), self.shape(0)) if dense else (1, [last - first])))
        queue(self.device).copy_out(room, self.block[first:last], self.ready)
        if dense:
            return self._told(room)
        whole = room.array()[0]
        places = zip(self.offsets, self.shapes(), strict=True)
        return self._told(
            Samples.gather([_part(whole, start - first, shape) for start, shape in places]).coded(self.code)
        )

    def _range(self) -> tuple[int, int]:
        """The elements of the block that the samples are among: from where, to where."""
        if not len(self):
            return 0, 0
        ends = [start + math.prod(shape) for start, shape in zip(self.offsets, self.shapes(), strict=True)]
        return min(self.offsets), max(ends)

    def select(self, indices: Sequence[int]) -> Samples:
        shapes = self.shapes()
        made = self._over([shapes[i] for i in indices], [self.offsets[i] for i in indices])
        made.layout = self.layout
        if self.sources is not None:
            sources = self.sources
            made.sources = [sources[i] for i in indices]
        if self.indices is not None:
            made.set_indices(np.asarray(self.indices, np.int64)[[*indices]])
        return made

    def relabelled(self, layout: str) -> Samples:
        made = self._told(self._over(self.shapes(), self.offsets))
        made.layout = layout
        return made

    def coded(self, code: int) -> Samples:
        return self._told(self._over(self.shapes(), self.offsets, code))

    def reshaped(self, shapes: Sequence[Sequence[int]], layout: str, code: int | None = None) -> Samples:
        each = [tuple(shape) for shape in (shapes if len(shapes) == len(self) else [*shapes] * len(self))]
        block, offsets = self.block, self.offsets
        if code is not None and torch_dtype(code) != block.dtype:
            before = block.element_size()
            block = block.view(torch_dtype(code))
            offsets = [offset * before // block.element_size() for offset in offsets]
        made = GpuSamples(
            self.code if code is None else code, len(each[0]) if each else 0, each, self.device, block, offsets, self
        )
        made = self._told(made)
        made.layout = layout
        return made

    def part(self, index: int) -> Samples:
        shapes = self.shapes()
        offsets = [start + index * math.prod(shape[1:]) for start, shape in zip(self.offsets, shapes, strict=True)]
        each = [shape[1:] for shape in shapes]
        made = GpuSamples(self.code, max(self.ndim - 1, 0), each, self.device, self.block, offsets, self)
        made.take_origin(self)
        return made

    def copied(self) -> Samples:
        with queue(self.device):
            if len(self):  # joining them copies
                return self._told(GpuSamples.of_tensors(self.tensors(), self.device, self.code))
        return self._told(self._over([], []))

    def rows(self) -> Samples:
        """The parts along the first axis of the only sample."""
        made = GpuSamples.of_stack(self.tensor(0), self.device, self.code)
        made.layout = self.layout[1:]
        return made

    def as_one(self) -> Samples:
        """Samples of one shape as one, with a leading axis N."""
        made = GpuSamples.of_stack(self.stack()[None], self.device, self.code)
        if self.layout or self.ndim == 0:
            made.layout = "N" + self.layout
        return made

    def in_one_block(self, pad: bool) -> Samples:
        """The samples under a leading axis, the smaller ones padded with zeros."""
        with queue(self.device):
            return self._told(
                GpuSamples.of_stack(self.padded() if pad and not self.uniform else self.stack(), self.device, self.code)
            )

    def converted(self, dtype: DType) -> Samples:
        """The samples with another element type, rounded and saturated."""
        with queue(self.device):
            cast = cast_tensor(self.block, dtype)
            made = GpuSamples(dtype.code, self.ndim, self.shapes(), self.device, cast, self.offsets)
        return self._told(made)

    def torch(self) -> torch.Tensor:
        """All samples of one shape as a tensor for torch's current stream, over the same memory."""
        return queue(self.device).hand_over(self.stack(), self.ready)

    def on_device(self, device: int) -> Samples:
        if device == self.device:
            return self
        raise RuntimeError(f"data of gpu:{self.device} cannot be said to be on another device; .to_device() moves it")

    def _over(self, shapes: Sequence[Shape], offsets: Sequence[int], code: int | None = None) -> GpuSamples:
        code = self.code if code is None else code
        return GpuSamples(code, self.ndim, shapes, self.device, self.block, offsets, self)

    def _told(self, made: S) -> S:
        made.layout = self.layout
        made.take_origin(self)
        return made


def _part(whole: np.ndarray[Any, Any], offset: int, shape: Shape) -> np.ndarray[Any, Any]:
    return whole[offset : offset + math.prod(shape)].reshape(shape)


def upload(samples: Samples, device: int, private: bool = False) -> GpuSamples:
    """Samples as data of a device: those in host memory, or on another device, are copied, all of them at once.

    The memory of `private` ones, which nobody else has seen, may be read when the device comes to it.
    """
    import torch

    if isinstance(samples, GpuSamples):
        return samples if samples.device == device else _across(samples, device)
    with queue(device) as order:
        staged = order.staged(samples, private)
        block = torch.empty(staged.source.shape, dtype=torch_dtype(samples.code), device=torch_device(device))
        order.copy_in(block, staged)
        made = GpuSamples(samples.code, samples.ndim, samples.shapes(), device, block, staged.offsets)
    made.layout = samples.layout
    made.take_origin(samples)
    return made


def _across(samples: GpuSamples, device: int) -> GpuSamples:
    """Samples of another device, copied without the host.

    torch copies in the current stream of the device that the data is on, and has that of the other one wait: in the
    queues of both it comes after what makes the data, and before what reads it.
    """
    first, last = samples._range()
    with queue(samples.device), queue(device):
        block = samples.block[first:last].to(torch_device(device), non_blocking=True, copy=True)
        offsets = [start - first for start in samples.offsets]
        made = GpuSamples(samples.code, samples.ndim, samples.shapes(), device, block, offsets)
    return samples._told(made)


def wrapped(data: Any, rows: bool) -> GpuSamples:
    """Data in the memory of the accelerator as samples over it: a single one, or its `rows` along the first axis."""
    tensor = _as_tensor(data)
    if tensor.requires_grad:
        raise RuntimeError("the torch tensor requires grad; use tensor.detach() first")
    if not tensor.is_contiguous():
        raise RuntimeError("Strided data not supported; make it contiguous first, e.g. with tensor.contiguous()")
    number = tensor.device.index or 0
    queue(number).take_over(tensor)
    made = GpuSamples.of_stack(tensor if rows else tensor[None], number)
    made.external = True
    return made


def _as_tensor(data: Any) -> torch.Tensor:
    """Data of the accelerator as a tensor over it, ready in torch's current stream."""
    import torch

    if isinstance(data, torch.Tensor):
        return data
    read: Any = getattr(torch, "from_dlpack")  # noqa: B009 - torch does not export it by name
    if hasattr(data, "__dlpack__"):
        made: torch.Tensor = read(data)
        return made
    made = torch.as_tensor(data, device="cuda")  # over the memory that its __cuda_array_interface__ tells
    stream = data.__cuda_array_interface__.get("stream")
    if stream is not None:
        cuda: Any = torch.cuda
        cuda.current_stream(made.device).wait_stream(cuda.ExternalStream(stream, device=made.device))
    return made


def computed(samples: GpuSamples, function: Callable[[torch.Tensor], torch.Tensor], spec: Spec) -> GpuSamples:
    """What a function of samples under a leading axis makes of them: all at once if they have one shape, or each."""
    import torch

    assert spec.dtype is not None
    with queue(samples.device):
        if samples.uniform and len(samples):
            return GpuSamples.of_stack(function(samples.stack()), samples.device, spec.dtype.code)
        made = [function(tensor[None])[0] for tensor in samples.tensors()]
        if made:
            return GpuSamples.of_tensors(made, samples.device, spec.dtype.code)
        nothing = torch.empty(0, dtype=torch_dtype(spec.dtype.code), device=samples.block.device)
        return GpuSamples(spec.dtype.code, spec.ndim or 0, [], samples.device, nothing, [])


def gathered(ones: Sequence[Samples], device: int) -> GpuSamples:
    """Batches of one as one batch."""
    with queue(device):
        return GpuSamples.of_tensors([upload(one, device).tensor(0) for one in ones], device, ones[0].code)


def merged(yes: GpuSamples, no: GpuSamples, chosen: Sequence[bool]) -> Samples:
    """The next sample of `yes` where it is chosen, else the next of `no`."""
    if all(chosen) or not any(chosen):
        return yes if any(chosen) else no
    sides = iter(yes.tensors()), iter(no.tensors())
    with queue(yes.device):
        made = GpuSamples.of_tensors([next(sides[0 if one else 1]) for one in chosen], yes.device, yes.code)
    made.layout = yes.layout
    return made


def download(samples: Samples) -> Samples:
    """Samples in host memory, as data of the CPU."""
    return samples.host().on_device(CPU)
