"""Accelerator streams: where device work is queued. Without an accelerator there are none."""

from __future__ import annotations

import threading
from typing import Any

from penstock.values.device import accelerator_count


class Stream:
    """An accelerator stream, wrapped or new: anything with `__cuda_stream__`, a torch stream or a raw handle."""

    create_new = object()

    def __init__(self, *, stream: Any = create_new, device_id: int | None = None) -> None:
        if stream is None:
            raise ValueError("a Stream wraps something; ndd.stream(stream=None) gives None")
        if accelerator_count() == 0:
            raise RuntimeError("streams need an accelerator that PyTorch can use, and none was found")
        import torch

        self._device_id = torch.cuda.current_device() if device_id is None else device_id
        cuda: Any = torch.cuda
        self._kept = cuda.Stream(self._device_id) if stream is Stream.create_new else stream
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


def _handle_of(stream: Any) -> int:
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    return int(getattr(stream, "cuda_stream", stream))


class _Current(threading.local):
    stream: Stream | None = None


_current = _Current()
_defaults: dict[int | None, Stream | None] = {}


def stream(*, stream: Any = Stream.create_new, device_id: int | None = None) -> Stream | None:
    """Wraps a stream, or makes one; None stays None."""
    return None if stream is None else Stream(stream=stream, device_id=device_id)


def get_default_stream(device_id: int | None = None) -> Stream | None:
    """The stream of threads without a current one; None where none was set."""
    return _defaults.get(device_id)


def set_default_stream(cuda_stream: Any, /, device_id: int | None = None) -> None:
    """Sets the stream of threads without a current one."""
    _defaults[device_id] = _wrapped(cuda_stream, device_id)


def get_current_stream() -> Stream | None:
    """The calling thread's stream, else the default one."""
    return _current.stream or get_default_stream()


def set_current_stream(cuda_stream: Any, /) -> None:
    """Sets the calling thread's stream; None goes back to the default."""
    _current.stream = _wrapped(cuda_stream, None)


def _wrapped(cuda_stream: Any, device_id: int | None) -> Stream | None:
    if cuda_stream is None or isinstance(cuda_stream, Stream):
        return cuda_stream
    return Stream(stream=cuda_stream, device_id=device_id)
