"""Images decoded by NVIDIA's GPUs themselves: nvImageCodec, which `pip install penstock[cuda]` brings.

It also decodes on the CPU alone, which is how this is tested where there is no GPU.
"""

from __future__ import annotations

import importlib
import importlib.util
import threading
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.values.accelerator import accelerator
from penstock.values.enums import ImageType

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]

# By what is asked for: its words for the colours, and for their order in a pixel.
_COLOURS = {
    ImageType.RGB: ("SRGB", "I_RGB"),
    ImageType.BGR: ("SRGB", "I_BGR"),
    ImageType.GRAY: ("GRAY", "I_Y"),
}
_START_OF_SCAN = b"\xff\xda"


class ImageDecoder:
    """nvImageCodec for a CUDA device, or for the CPU alone where the number is None."""

    def __init__(self, device: int | None) -> None:
        self._api: Any = importlib.import_module("nvidia.nvimgcodec")
        self._lock = threading.Lock()
        # Colours of lower resolution are interpolated, as the CPU's decoder does.
        options: dict[str, Any] = {"device_id": device, "options": ":fancy_upsampling=1"}
        if device is None:
            options["device_id"] = self._api.NVIMGCODEC_DEVICE_CPU_ONLY
            options["backends"] = [self._api.Backend(self._api.CPU_ONLY)]
        self._decoder = self._api.Decoder(**options)

    def decode(
        self, files: Sequence[Array], output_type: ImageType, upright: bool, max_bytes: int, max_scans: int
    ) -> list[torch.Tensor] | None:
        """The images, of 8 bits, ready in torch's current stream; None where it cannot decode all of them."""
        if output_type not in _COLOURS or any(file.tobytes().count(_START_OF_SCAN) > max_scans for file in files):
            return None
        colours, pixels = _COLOURS[output_type]
        params = self._api.DecodeParams(
            apply_exif_orientation=upright,
            color_spec=getattr(self._api.ColorSpec, colours),
            sample_format=getattr(self._api.SampleFormat, pixels),
        )
        with self._lock:
            try:
                streams = [self._api.CodeStream(file) for file in files]
                largest = max(stream.height * stream.width * stream.num_channels for stream in streams)
            except RuntimeError:  # no image that it knows
                return None
            if largest > max_bytes:
                return None
            images = self._decoder.decode(streams, params=params, cuda_stream=self._stream())
        return None if any(image is None for image in images) else [self._tensor(image) for image in images]

    def _stream(self) -> int:
        import torch

        return int(torch.cuda.current_stream().cuda_stream) if torch.cuda.is_available() else 0

    def _tensor(self, image: Any) -> torch.Tensor:
        """An image as a tensor over its memory."""
        import torch

        if image.buffer_kind == self._api.ImageBufferKind.STRIDED_HOST:
            return torch.from_numpy(np.asarray(image))
        read: Any = getattr(torch, "from_dlpack")  # noqa: B009 - torch does not export it by name
        made: torch.Tensor = read(image)
        return made


@cache
def decoder_of(device: int) -> ImageDecoder | None:
    """The decoder of a device; None where it is not one of NVIDIA's, or nvImageCodec is not installed."""
    there = accelerator()
    if there.kind != "torch" or there.torch_type != "cuda" or not is_installed():
        return None
    import torch

    return None if torch.version.hip else ImageDecoder(device)


def is_installed() -> bool:
    """Whether nvImageCodec is there to be imported."""
    try:
        return importlib.util.find_spec("nvidia.nvimgcodec") is not None
    except (ModuleNotFoundError, ValueError):  # there is no such parent, or one that was made by hand
        return False
