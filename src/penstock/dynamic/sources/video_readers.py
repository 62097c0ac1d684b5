"""The readers of `ndd.readers` that hand out sequences of frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.dynamic.calls.functions import function
from penstock.dynamic.readers import Reader
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.ops.declaration import declaration
from penstock.readers.core.reader import alone
from penstock.readers.core.sample_source import Outputs
from penstock.readers.video.sequence import Sequence as _Sequence
from penstock.readers.video.video import Video as _Video
from penstock.schema.params import Param

__all__ = ["Sequence", "Video", "VideoResize"]


class Sequence(_Sequence, Reader):
    pass


class Video(_Video, Reader):
    pass


_OF_VIDEO = ("dtype", "save_attrs")  # arguments of `resize` that are not, or not only, its own
_RESIZE = {name: param for name, param in declaration("resize").params.items() if name not in _OF_VIDEO}


class VideoResize(Video):
    """Reads sequences of frames from videos and resizes them: `readers.Video` followed by `resize`.

    Takes the arguments of both; those of `resize` may also be given to a call of the reader, for that call.

    Outputs: as `readers.Video`, the frames resized.

    Example:
        >>> reader = ndd.readers.VideoResize(file_root="clips", sequence_length=16, size=[112, 112])
        >>> for frames, labels in reader.next_epoch(batch_size=8):
        ...     frames = ndd.crop_mirror_normalize(frames, dtype=ndd.float32, output_layout="FCHW")

    Args:
    """

    def __init__(self, *by_position: Any, **arguments: Any) -> None:
        self._resize = {name: arguments.pop(name) for name in _RESIZE if name in arguments}
        super().__init__(*by_position, **arguments)

    @classmethod
    def _own_params(cls) -> Mapping[str, Param]:
        return {**super()._own_params(), **_RESIZE}

    def __call__(self, *, batch_size: int | None = None, **resize: Any) -> Any:
        """The next sequence, or batch of them, with these arguments of `resize` in place of the reader's own."""
        arguments = self._resize | resize
        return self._called(batch_size, lambda outputs: alone(self._resized(outputs, batch_size is None, arguments)))

    def _as_outputs(self, outputs: Outputs, single: bool) -> tuple[Batch, ...] | tuple[Tensor, ...]:
        return self._resized(outputs, single, self._resize)

    def _resized(self, outputs: Outputs, single: bool, arguments: dict[str, Any]) -> tuple[Any, ...]:
        frames, *others = super()._as_outputs(outputs, single)
        return (function("resize")(frames, **arguments), *others)
