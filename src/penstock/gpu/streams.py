"""Accelerator streams: where device work is queued. Without an accelerator there are none."""

from __future__ import annotations

import itertools
import threading
from typing import Any

from penstock.values.accelerator import accelerator, known_count, missing
from penstock.values.device import Device

# Streams of stand-ins, on which everything is done at once, are told apart by these.
_handles = itertools.count(1)


class Stream:
    """An accelerator stream, wrapped or new: anything with `__cuda_stream__`, a torch stream or a raw handle."""

    create_new = object()

    def __init__(self, *, stream: Any = create_new, device_id: int | None = None) -> None:
        if stream is None:
            raise ValueError("a Stream wraps something; ndd.stream(stream=None) gives None")
        if accelerator().count == 0:
            raise RuntimeError(f"streams need an accelerator: {missing()}")
        own = None if stream is Stream.create_new else _device_of(stream)
        if own is not None and device_id is not None and own != device_id:
            raise ValueError(f"The device_id {device_id} doesn't match the id {own} found in the stream object.")
        number = Device("gpu", device_id if own is None else own).device_id
        assert number is not None
        self._device_id = number
        self._kept = _new_stream(number) if stream is Stream.create_new else stream
        self._handle = _handle_of(self._kept)

    @property
    def handle(self) -> int:
        """The address of the stream, as a number."""
        return self._handle

    @property
    def device_id(self) -> int:
        """The number of the accelerator the stream belongs to."""
        return self._device_id

    def synchronize(self) -> None:
        """Waits for everything queued on the stream."""
        if hasattr(self._kept, "synchronize"):
            self._kept.synchronize()
        elif accelerator().kind == "torch":
            self.of_torch().synchronize()

    def of_torch(self) -> Any:
        """The stream as torch's events know it."""
        if isinstance(self._kept, Stream):
            return self._kept.of_torch()
        if hasattr(self._kept, "wait_event"):
            return self._kept
        import torch

        cuda: Any = torch.cuda
        return cuda.ExternalStream(self.handle, device=self.device_id)

    def __cuda_stream__(self) -> tuple[int, int]:
        return (0, self.handle)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stream):
            if not hasattr(other, "__cuda_stream__") and not hasattr(other, "cuda_stream"):
                return NotImplemented
            other = Stream(stream=other)
        return (self.handle, self.device_id) == (other.handle, other.device_id)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Stream(handle={self.handle:#x}, device_id={self.device_id})"


def _new_stream(number: int) -> Any:
    """A stream of torch's, or the number of one of a stand-in's."""
    there = accelerator()
    if there.kind != "torch":
        return next(_handles)
    import torch

    return torch.Stream(device=torch.device(there.torch_type, number))


def _handle_of(stream: Any) -> int:
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    for name in ("cuda_stream", "native_handle", "stream_id"):
        try:
            return int(getattr(stream, name))
        except (AttributeError, RuntimeError):  # torch's streams of a CPU have no handle
            continue
    return int(stream)


def _device_of(stream: Any) -> int | None:
    """The number of the device that a stream says it is on; None where it says nothing."""
    if isinstance(stream, Stream):
        return stream.device_id
    found = getattr(stream, "device_id", getattr(stream, "device", None))
    found = getattr(found, "index", found)
    return found if isinstance(found, int) else None


class _Current(threading.local):
    """The streams of a thread, by the numbers of their devices: those set, those made for want of one, and those of
    contexts that it is in, the innermost last."""

    def __init__(self) -> None:
        self.chosen: dict[int, Stream] = {}
        self.made: dict[int, Stream] = {}
        self.of_contexts: list[Stream] = []


_current = _Current()
_defaults: dict[int, Stream | None] = {}


def stream(*, stream: Any = Stream.create_new, device_id: int | None = None) -> Stream | None:
    """Wraps a stream, or makes one; None stays None."""
    if isinstance(stream, Stream) and device_id in (None, stream.device_id):
        return stream
    return None if stream is None else Stream(stream=stream, device_id=device_id)


def get_default_stream(device_id: int | None = None) -> Stream | None:
    """The stream of threads without a current one; None where none was set."""
    if not _defaults:
        return None
    return _defaults.get(_number(device_id))


def set_default_stream(cuda_stream: Any, /, device_id: int | None = None) -> None:
    """Sets the stream of threads without a current one; None takes it away."""
    wrapped = stream(stream=cuda_stream, device_id=device_id)
    if wrapped is not None:
        _defaults[wrapped.device_id] = wrapped
    elif _defaults:
        _defaults.pop(_number(device_id), None)


def get_current_stream() -> Stream | None:
    """The calling thread's stream, else the default one, else one of its own; None without an accelerator."""
    if not known_count():
        return None
    number = _number(None)
    found = _current.chosen.get(number) or get_default_stream() or _current.made.get(number)
    if found is None:
        found = _current.made[number] = Stream(device_id=number)
    return found


def set_current_stream(cuda_stream: Any, /) -> None:
    """Sets the calling thread's stream; None goes back to the default."""
    wrapped = stream(stream=cuda_stream)
    if wrapped is not None:
        _current.chosen[wrapped.device_id] = wrapped
    elif _current.chosen:
        _current.chosen.pop(_number(None), None)


def streams_of_contexts() -> list[Stream]:
    """The streams of the contexts that the calling thread is in, which they add and take away."""
    return _current.of_contexts


def chosen_stream(number: int) -> Any:
    """The stream, as torch knows it, that a program chose for a device in this thread; None where it chose none."""
    found = next((each for each in reversed(_current.of_contexts) if each.device_id == number), None)
    found = found or _current.chosen.get(number) or _defaults.get(number)
    return None if found is None else found.of_torch()


def _number(device_id: int | None) -> int:
    number = Device("gpu", device_id).device_id
    assert number is not None
    return number
