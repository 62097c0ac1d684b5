"""`ndd.imread`: image files by name."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from penstock.dynamic.calls.functions import function
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.construct import batch, tensor
from penstock.dynamic.values.tensor import Tensor
from penstock.ops.declaration import declaration
from penstock.storage import Storage
from penstock.storage.names import zero_byte
from penstock.values.bad_samples import BadSample, checked
from penstock.values.device import device as to_device

Name = str | bytes | os.PathLike[str] | Tensor
Array = np.ndarray[Any, Any]


def imread(
    filepaths: Name | list[Name] | tuple[Name, ...] | Batch,
    /,
    *,
    device: Any = "cpu",
    storage: Storage | None = None,
    on_error: Any = None,
    errors: list[BadSample] | None = None,
    **decoding: Any,
) -> Any:
    """Reads and decodes image files.

        image = ndd.imread("photos/cat.jpg")
        images = ndd.imread(["photos/cat.jpg", "https://example.org/dog.png"], output_type=types.GRAY)

    A list of names gives a Batch, a single one a Tensor. Names may also come as the bytes of their text, in uint8
    Tensors or a Batch.

    Args:
        device: Where the images are: "cpu" or "gpu".
        storage: How files at URLs are reached, as for readers.
        on_error: What becomes of files that cannot be read or decoded, as for `ndd.decoders.image`; a function is given
            no data of those that cannot be read.
        errors: A list to which a `BadSample` is added for each of them.
        decoding: Arguments of `ndd.decoders.image`.
    """
    known = declaration("decoders.image")
    for keyword in decoding:
        if keyword not in known.params:
            raise TypeError(f"imread() got an unexpected keyword argument {keyword!r}")
    if device is None or to_device(device) is None:
        raise ValueError(f"Invalid device: {device}. Must be 'cpu', or 'gpu'.")
    reading = {"storage": storage, "max_bytes": decoding.get("max_bytes")}
    decoding["device"] = device
    policy = checked(on_error)
    if isinstance(policy, str) and policy == "raise":
        return function("decoders.image")(function("io.file.read")(_names(filepaths), **reading), **decoding)
    return _read_patiently(_names(filepaths), policy, errors, reading, decoding)


def _read_patiently(
    names: Tensor | Batch,
    policy: Any,
    errors: list[BadSample] | None,
    reading: dict[str, Any],
    decoding: dict[str, Any],
) -> Any:
    """An empty file stands for one that cannot be read, and is then known by that, not as one that is no image."""
    unread: dict[int, BadSample] = {}
    files = function("io.file.read")(names, on_error=lambda bad, _: unread.update({bad.index: bad}), **reading)
    told = [] if errors is None else errors

    def instead(bad: BadSample, data: Array) -> Any:
        told.append(unread.get(bad.index, bad))
        return policy(told[-1], data) if callable(policy) else None

    if callable(policy) or policy == "replace":
        return function("decoders.image")(files, on_error=instead, **decoding)
    undecoded: list[BadSample] = []
    images, kept = function("decoders.image")(files, on_error="skip", errors=undecoded, **decoding)
    told += [unread.get(bad.index, bad) for bad in undecoded]
    return images, kept


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
    name = os.fsencode(path)
    if name.endswith(b"\0"):  # in arrays it would count as padding
        raise zero_byte(os.fsdecode(name))
    return tensor(np.frombuffer(name, np.uint8))
