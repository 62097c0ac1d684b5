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
        if isinstance(self._kept, Stream) or hasattr(self._kept, "synchronize"):
            self._kept.synchronize()
        elif accelerator().kind == "torch":
            import torch

            cuda: Any = torch.cuda
            cuda.ExternalStream(self.handle, device=self.device_id).synchronize()

    def __cuda_stream__(self) -> tuple[int, int]:
        return (0, self.handle)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stream):
            return NotImplemented
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
        if hasattr(stream, name):
            return int(getattr(stream, name))
    return int(stream)


def _device_of(stream: Any) -> int | None:
    """The number of the device that a stream says it is on; None where it says nothing."""
    if isinstance(stream, Stream):
        return stream.device_id
    found = getattr(stream, "device_id", getattr(stream, "device", None))
    found = getattr(found, "index", found)
    return found if isinstance(found, int) else None


class _Current(threading.local):
    stream: Stream | None = None
    own: Stream | None = None


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
    if _current.stream is not None:
        return _current.stream
    default = get_default_stream()
    if default is not None or not known_count():
        return default
    if _current.own is None or _current.own.device_id != _number(None):
        _current.own = Stream()
    return _current.own


def set_current_stream(cuda_stream: Any, /) -> None:
    """Sets the calling thread's stream; None goes back to the default."""
    _current.stream = stream(stream=cuda_stream)


def _number(device_id: int | None) -> int:
    number = Device("gpu", device_id).device_id
    assert number is not None
    return number
