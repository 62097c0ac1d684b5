"""`ndd.imread`: image files by name."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from penstock.dynamic.batch import Batch
from penstock.dynamic.construct import batch, tensor
from penstock.dynamic.functions import function
from penstock.dynamic.tensor import Tensor
from penstock.ops.declaration import declaration
from penstock.values.device import device as to_device

Name = str | bytes | os.PathLike[str] | Tensor


def imread(filepaths: Name | list[Name] | tuple[Name, ...] | Batch, /, *, device: Any = "cpu", **decoding: Any) -> Any:
    """Reads and decodes image files.

        image = ndd.imread("photos/cat.jpg")
        images = ndd.imread(["photos/cat.jpg", "photos/dog.png"], output_type=types.GRAY)

    A list of names gives a Batch, a single one a Tensor. Names may also come as the bytes of their text, in uint8
    Tensors or a Batch.

    Args:
        device: "cpu".
        decoding: Arguments of `ndd.decoders.image`.
    """
    known = declaration("decoders.image")
    for keyword in decoding:
        if keyword not in known.params:
            raise TypeError(f"imread() got an unexpected keyword argument {keyword!r}")
    if device is None or to_device(device) is None:
        raise ValueError(f"Invalid device: {device}. Must be 'cpu', or 'gpu'.")
    files = function("io.file.read")(_names(filepaths), device=device)
    return function("decoders.image")(files, device=device, **decoding)


def _names(filepaths: Any) -> Tensor | Batch:
    if isinstance(filepaths, Batch):
        return filepaths
    if isinstance(filepaths, (list, tuple)):
        return batch([_name(path) for path in filepaths])
    return _name(filepaths)


def _name(path: Any) -> Tensor:
    """The bytes of a file's name."""
    if isinstance(path, (Tensor, np.ndarray)):
        return tensor(path)
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"a file is given by its name, got {path!r}")
    return tensor(np.frombuffer(os.fsencode(path), np.uint8))
